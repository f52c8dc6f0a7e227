import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };
import type { Home } from '../home/paths.ts';
import { contentOf, isMissing, removeEmpty } from './files.ts';
import { hashOf } from './record.ts';

/** Where the Node and the bundles lie that agents start: a copy, so that nothing vanishes with a package cache. */
export interface Runtime {
  readonly folder: string;
  readonly node: string;
  readonly server: string;
  readonly program: string;
  /** A command of one word that runs it: for those who do not have `portolan` in their PATH. */
  readonly command: string;
}

export function runtimeOf(home: Home, platform = process.platform): Runtime {
  const folder = join(home.path, 'bin', manifest.version);
  const dist = join(folder, 'dist');
  return {
    folder,
    node: join(folder, platform === 'win32' ? 'node.exe' : 'node'),
    server: join(dist, 'mcp.mjs'),
    program: join(dist, 'cli.mjs'),
    command: join(folder, platform === 'win32' ? 'portolan.cmd' : 'portolan'),
  };
}

/** The folder of the bundles that run. @throws where we do not run from a bundle and none was built */
export function bundles(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [here, join(here, '..', '..', 'dist')])
    if (existsSync(join(folder, 'cli.mjs')) && existsSync(join(folder, 'mcp.mjs'))) return folder;
  throw new Error('The bundles are not built: npm run build');
}

/** Whether the copy is that of this Node and these bundles. */
export function isInstalled(runtime: Runtime): boolean {
  const own = statSync(process.execPath);
  const copy = statSync(runtime.node, { throwIfNoEntry: false });
  if (!copy || (copy.size !== own.size && runtime.node !== process.execPath)) return false;
  return existsSync(runtime.command) && stateOf(bundles()) === stateOf(join(runtime.folder, 'dist'));
}

/** Copies Node and the bundles; they take the place of an older copy only when they are whole and were seen to run. */
export function install(runtime: Runtime): void {
  const bin = dirname(runtime.folder);
  mkdirSync(bin, { recursive: true, mode: 0o700 });
  const workshop = join(bin, `.setup-${process.pid}`);
  const made = join(workshop, 'made');
  try {
    mkdirSync(made, { recursive: true, mode: 0o700 });
    const node = join(made, runtime.node.slice(runtime.folder.length + 1));
    copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
    chmodSync(node, 0o700);
    cpSync(bundles(), join(made, 'dist'), { recursive: true });
    writeFileSync(join(made, basename(runtime.command)), commandFile(runtime), { mode: 0o700 });
    execFileSync(node, [join(made, 'dist', 'cli.mjs'), '--version'], { stdio: 'ignore' });
    if (existsSync(runtime.folder)) renameSync(runtime.folder, join(workshop, 'old'));
    renameSync(made, runtime.folder);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

function commandFile({ node, program, command }: Runtime): string {
  if (command.endsWith('.cmd')) return `@"${node}" "${program}" %*\r\n`;
  const quoted = (path: string) => `'${path.replaceAll("'", `'\\''`)}'`;
  return `#!/bin/sh\nexec ${quoted(node)} ${quoted(program)} "$@"\n`;
}

/** The command by which Portolan is called on this machine, as a shell takes it: that of the PATH, else that of the copy. */
export function commandOf(runtime: Runtime, variables: Readonly<Record<string, string | undefined>>): string {
  const name = process.platform === 'win32' ? 'portolan.cmd' : 'portolan';
  const folders = (variables.PATH ?? '').split(delimiter);
  // What npm and npx put into the PATH is gone when they end.
  const isThere = folders.some((folder) => !folder.includes('node_modules') && existsSync(join(folder, name)));
  if (isThere) return 'portolan';
  return /^[\w/.:\\-]+$/.test(runtime.command) ? runtime.command : `"${runtime.command}"`;
}

/** How many bytes `install` copies. */
export function sizeOfCopy(): number {
  const sizes = readdirSync(bundles(), { recursive: true, withFileTypes: true }).map((entry) =>
    entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0,
  );
  return sizes.reduce((sum, size) => sum + size, statSync(process.execPath).size);
}

export function uninstall(runtime: Runtime): void {
  rmSync(runtime.folder, { recursive: true, force: true });
  removeEmpty(dirname(runtime.folder));
}

/** Names and contents of all files below a folder. */
function stateOf(folder: string): string {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const lines = files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path.slice(folder.length)} ${hashOf(contentOf(path) ?? '')}`;
    });
    return lines.sort().join('\n');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}
