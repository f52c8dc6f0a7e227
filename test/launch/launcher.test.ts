import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshEnvironment, launch, nodePackage, nodeVersion, oldNode, repository, temporaryFolder } from './support.ts';

const fitNode = [process.execPath];

/** A program in place of the bundle: it does what its first argument says. */
const PROGRAM = `
const [command, value] = process.argv.slice(2);
if (command === 'exit') process.exitCode = Number(value);
else if (command === 'echo') console.log(JSON.stringify(process.argv.slice(2)));
else {
  let caught = 0;
  if (command === 'catch') process.on(value, () => ++caught && setTimeout(() => process.exit(6 + caught), 200));
  setInterval(() => {}, 1000);
  console.log('ready');
}`;

type Npm = 'works' | 'fails' | 'brings a broken Node' | 'is killed, and we with it';

/** The source of an npm that notes its runs and, instead of fetching, links our own Node, or fails in the way named. */
const npmThat = (what: Npm) => `
const { appendFileSync, mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
appendFileSync(__dirname + '/runs', process.argv.at(-1) + '\\n');
const bin = 'node_modules/${nodePackage}/bin';
mkdirSync(bin, { recursive: true });
if ('${what}' === 'works') symlinkSync(${JSON.stringify(process.execPath)}, bin + '/node');
else writeFileSync(bin + '/node', 'half of it', { mode: 0o755 });
console.log('npm talks');
if ('${what}' === 'fails') process.exitCode = 1;
if ('${what}' === 'is killed, and we with it') process.kill(process.ppid, 'SIGKILL');`;

/** Portolan installed in a folder of its own, as a clone or as a package, by a user with an empty home. */
function installation(kind: 'clone' | 'package' = 'package') {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  const npm = join(folder, 'npm', 'npm-cli.js');
  for (const each of ['bin', 'dist', 'home', 'npm']) mkdirSync(join(folder, each));
  cpSync(join(repository, 'bin', 'portolan.mjs'), join(folder, 'bin', 'portolan.mjs'));
  writeFileSync(join(folder, 'dist', 'cli.mjs'), PROGRAM);
  if (kind === 'clone') {
    mkdirSync(join(folder, 'src'));
    linkNode(join(folder, 'node_modules', nodePackage));
  }
  const env = { ...freshEnvironment(home), npm_execpath: npm, PORTOLAN_HOME: join(home, 'kept') };
  const start = (node: string[], ...args: string[]) =>
    launch([...node, join(folder, 'bin', 'portolan.mjs'), ...args], { env, cwd: home });
  return {
    folder,
    bin: join(home, 'kept', 'bin'),
    start,
    run: (node: string[], ...args: string[]) => start(node, ...args).outcome,
    useNpmThat: (what: Npm) => writeFileSync(npm, npmThat(what)),
    fetched: () => (existsSync(join(folder, 'npm', 'runs')) ? lines(join(folder, 'npm', 'runs')) : []),
  };
}

/** Lays our own Node where a platform package would have it. */
function linkNode(folder: string) {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'bin', 'node'));
}

function lines(path: string): string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}

describe.each([
  ['a Node that fits', fitNode],
  ['an old Node, in a clone that brings its own', oldNode],
])('started by %s', (_, node) => {
  test('the program gets the arguments, and its exit code is ours', async () => {
    const { run } = installation('clone');
    expect(await run(node, 'echo', 'a b', '--json', '')).toMatchObject({
      code: 0,
      stdout: '["echo","a b","--json",""]\n',
    });
    expect((await run(node, 'exit', '4')).code).toBe(4);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s reaches the program, once', async (signal) => {
    const { child, outcome } = installation('clone').start(node, 'catch', signal);
    child.stdout?.once('data', () => child.kill(signal));
    expect((await outcome).code).toBe(7);
  });

  test('a signal that ends the program ends us', async () => {
    const { child, outcome } = installation('clone').start(node, 'wait');
    child.stdout?.once('data', () => child.kill('SIGTERM'));
    expect((await outcome).signal).toBe('SIGTERM');
  });

  test('--yes before the command is for the launcher, after it for the command too', async () => {
    const { run } = installation('clone');
    expect((await run(node, '--yes', 'echo', '--yes')).stdout).toBe('["echo","--yes"]\n');
  });

  test('without bundles a clone says to run npm start', async () => {
    const { folder, run } = installation('clone');
    rmSync(join(folder, 'dist'), { recursive: true });
    expect(await run(node)).toMatchObject({ code: 2, stderr: expect.stringContaining('npm start') });
  });
});

describe('an old Node where no other is', () => {
  test('explains, and fetches nothing unasked', async () => {
    const { bin, run, fetched, useNpmThat } = installation();
    useNpmThat('works');
    const { code, stdout, stderr } = await run(oldNode, 'echo');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(3);
    for (const told of ['Node 24 or newer', `Node ${nodeVersion}`, bin, '--yes']) expect(stderr).toContain(told);
    expect(fetched()).toEqual([]);
    expect(existsSync(bin)).toBe(false);
  });

  test('fetches once if the offer is accepted, for this user alone', async () => {
    const { bin, run, fetched, useNpmThat } = installation();
    useNpmThat('works');
    expect(await run(oldNode, '--yes', 'echo', 'x')).toMatchObject({ code: 0, stdout: '["echo","x"]\n' });
    expect(await run(oldNode, 'exit', '4')).toMatchObject({ code: 4, stderr: '' });
    expect(fetched()).toEqual([`${nodePackage}@${nodeVersion}`]);
    expect(readdirSync(bin)).toEqual([`node-${nodeVersion}`]);
    for (const folder of [join(bin, '..'), bin, join(bin, `node-${nodeVersion}`)]) {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  test.each(['fails', 'brings a broken Node'] as const)('says so and leaves nothing if npm %s', async (what) => {
    const { bin, run, useNpmThat } = installation();
    useNpmThat(what);
    expect(await run(oldNode, '--yes', 'echo')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/fetched/),
    });
    expect(readdirSync(bin)).toEqual([]);
  });

  test('never takes half a fetch for a whole one', async () => {
    const { bin, run, useNpmThat } = installation();
    useNpmThat('is killed, and we with it');
    expect((await run(oldNode, '--yes', 'echo')).signal).toBe('SIGKILL');
    expect(readdirSync(bin)).toHaveLength(1);
    expect((await run(oldNode, 'echo')).code).toBe(2);
    useNpmThat('works');
    expect((await run(oldNode, '--yes', 'echo')).code).toBe(0);
    expect(readdirSync(bin)).toEqual([`node-${nodeVersion}`]);
  });

  test('takes the newest of the Nodes fetched before, if it is new enough', async () => {
    const { bin, run } = installation();
    mkdirSync(join(bin, 'node-22.0.0', 'bin'), { recursive: true });
    writeFileSync(join(bin, 'node-22.0.0', 'bin', 'node'), '');
    expect((await run(oldNode, 'exit', '4')).code).toBe(2);
    mkdirSync(join(bin, 'node-24.9.0', 'bin'), { recursive: true });
    writeFileSync(join(bin, 'node-24.9.0', 'bin', 'node'), '');
    linkNode(join(bin, 'node-24.10.0'));
    expect((await run(oldNode, 'exit', '4')).code).toBe(4);
  });
});
