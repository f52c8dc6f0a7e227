// What a clone needs before anything in it can run: its packages, its own Node, its bundles. Runs on Node 20.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['src', 'integrations', 'sample', 'scripts/build.mjs', 'package.json', 'package-lock.json'];

/** Installs and builds what is missing or older than its sources. */
export function prepareClone() {
  if (isInstallStale()) {
    report('installing packages ...');
    const [command, ...first] = npm();
    runQuietly(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  if (isBuildStale()) {
    report('building ...');
    runQuietly(cloneNode(), [join(root, 'scripts', 'build.mjs')]);
  }
}

/** The Node that the repository brings for this platform, else the one running. */
export function cloneNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'tools', 'node', 'package.json'), 'utf8'));
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = Object.keys(optionalDependencies).find((each) => each.endsWith(`-${platform}-${process.arch}`));
  const path = join(root, 'node_modules', name ?? '', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(path) ? path : process.execPath;
}

/** Whether dist/ is missing or older than what it is made from. */
export function isBuildStale() {
  const built = modified('dist/cli.mjs');
  return SOURCES.some((source) => newest(source) > built);
}

function isInstallStale() {
  return modified('package-lock.json') > modified('node_modules/.package-lock.json');
}

/** When a file, or the youngest in a folder, was modified. Folders count too: their time tells of deletions. */
function newest(path) {
  const stats = statSync(join(root, path));
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(join(root, path)).map((name) => newest(join(path, name))));
}

function modified(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The command for npm: the one that started us, else the one in the path. */
function npm() {
  const script = process.env.npm_execpath ?? '';
  return script.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
}

/** Runs a program in the clone and shows its output only if it fails; then this process ends too. */
function runQuietly(command, args) {
  const shell = command === 'npm' && process.platform === 'win32';
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status === 0) return;
  process.stderr.write(error ? `${error.message}\n` : Buffer.concat([stdout, stderr]));
  process.exit(1);
}

function report(line) {
  process.stderr.write(`portolan: ${line}\n`);
}
