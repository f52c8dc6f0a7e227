import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

export const repository = fileURLToPath(new URL('../..', import.meta.url));
export const version: string = readJson(join(repository, 'package.json')).version;

/** The npm package with Node for this platform, and the version that the repository brings. */
export const [nodePackage, nodeVersion] = platformPackage();

/** The path without what npm puts before it: there `node` is the machine's own, not the repository's. */
const machinePath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

const machineVersion = execFileSync('node', ['-p', 'process.versions.node'], { env: { PATH: machinePath } });

/** The machine's own Node: its version, and whether Portolan cannot run on it. */
export const machineNode = {
  version: `${machineVersion}`.trim(),
  isOld: Number.parseInt(`${machineVersion}`, 10) < 24,
};

/** A command line that starts a script on a Node that Portolan cannot run on: the machine's, else one without SQLite. */
export const oldNode = machineNode.isOld ? ['node'] : [process.execPath, '--no-experimental-sqlite'];

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A program that was started, and what comes of it. */
export function launch(command: string[], options: SpawnOptions) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  const outcome = new Promise<Outcome>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => done({ code, signal, ...said }));
  });
  return { child, outcome };
}

/** Runs a program without a terminal, to its end. */
export function run(command: string[], options: SpawnOptions): Promise<Outcome> {
  return launch(command, options).outcome;
}

/** Runs a program that must succeed, and gives what it printed. */
export async function succeed(command: string[], options: SpawnOptions): Promise<string> {
  const { code, stdout, stderr } = await run(command, options);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

/**
 * The environment of someone who never ran Portolan nor npm: an empty home and the machine's own programs. Kept are the
 * machine's npm settings (a registry, a proxy) and the packages that npm fetched before.
 */
export function freshEnvironment(home: string, ...firstInPath: string[]): NodeJS.ProcessEnv {
  const ours = /^(npm_|PORTOLAN_|XDG_|VITEST|NODE_OPTIONS$|NODE_PATH$|NODE_ENV$|FORCE_COLOR$|INIT_CWD$)/i;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    LOCALAPPDATA: join(home, 'AppData', 'Local'),
    PATH: [...firstInPath, machinePath].join(delimiter),
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
    npm_config_cache: npmCache(),
    // A word about a newer npm would stand in what is said on stderr.
    npm_config_update_notifier: 'false',
  };
}

const temporaryFolders: string[] = [];
afterAll(() => {
  for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that goes when the tests of the file are over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-launch-'));
  temporaryFolders.push(folder);
  return folder;
}

/** A copy of the work tree as git sees it, uncommitted changes and all, without node_modules and dist. */
export function copyOfTree(): string {
  const copy = join(temporaryFolder(), 'portolan');
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
  });
  for (const file of `${list}`.split('\0')) {
    const source = join(repository, file);
    if (file && existsSync(source)) cpSync(source, join(copy, file));
  }
  return copy;
}

/**
 * A copy of the work tree with our packages. Each is a link of its own in a folder of the copy's, so that an npm that cleans
 * up there never reaches ours.
 */
export function installedCopy(): string {
  const copy = copyOfTree();
  const ours = join(repository, 'node_modules');
  const its = join(copy, 'node_modules');
  mkdirSync(its);
  for (const name of readdirSync(ours).filter((each) => !each.startsWith('.')))
    symlinkSync(join(ours, name), join(its, name));
  cpSync(join(ours, '.package-lock.json'), join(its, '.package-lock.json'));
  return copy;
}

/** A folder for npm's cache: the downloads are the machine's, all else is new. */
function npmCache(): string {
  const machines = process.env.npm_config_cache ?? `${execFileSync('npm', ['config', 'get', 'cache'])}`.trim();
  const cache = temporaryFolder();
  mkdirSync(join(machines, '_cacache'), { recursive: true });
  symlinkSync(join(machines, '_cacache'), join(cache, '_cacache'));
  return cache;
}

function platformPackage(): [name: string, version: string] {
  const { optionalDependencies } = readJson(join(repository, 'tools', 'node', 'package.json'));
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = Object.keys(optionalDependencies).find((each) => each.endsWith(`-${platform}-${process.arch}`));
  if (!name) throw new Error(`no Node package for ${platform}-${process.arch}`);
  return [name, optionalDependencies[name]];
}

export function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
