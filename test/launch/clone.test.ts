import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyOfTree, freshEnvironment, installedCopy, repository, run, succeed, temporaryFolder } from './support.ts';

const MINUTES = 60_000;

test('npm start on a fresh clone installs, builds, runs and ends well without a terminal', {
  timeout: 5 * MINUTES,
}, async () => {
  const cwd = copyOfTree();
  const env = freshEnvironment(temporaryFolder());
  const first = await run(['npm', 'start'], { cwd, env });
  expect(first.code, first.stderr).toBe(0);
  expect(first.stderr.match(/^portolan: .*/gm)).toContain('portolan: installing packages ...');

  const second = await run(['npm', 'start'], { cwd, env });
  expect(second.code, second.stderr).toBe(0);
  expect(second.stderr).not.toContain('installing');
  expect(second.stderr).not.toContain('building');
});

test('npm start names the command start unless another is given', async () => {
  const cwd = installedCopy();
  writeFileSync(join(cwd, 'src', 'cli', 'main.ts'), 'console.log(JSON.stringify(process.argv.slice(2)));');
  const env = freshEnvironment(temporaryFolder());
  const started = async (...args: string[]) => {
    const output = await succeed(['npm', 'start', '--silent', '--', ...args], { cwd, env });
    return JSON.parse(output);
  };
  expect(await started()).toEqual(['start']);
  expect(await started('--demo')).toEqual(['start', '--demo']);
  expect(await started('search', 'x y')).toEqual(['search', 'x y']);
});

test('a build is redone when a source changed, and a failed one leaves the last', async () => {
  const cwd = installedCopy();
  const main = join(cwd, 'src', 'cli', 'main.ts');
  const bundle = () => readFileSync(join(cwd, 'dist', 'cli.mjs'), 'utf8');
  const build = () => run([process.execPath, 'scripts/build.mjs', '--if-needed'], { cwd });

  writeFileSync(main, 'console.log("first")');
  expect((await build()).code).toBe(0);
  const first = bundle();
  expect(first).toContain('first');

  writeFileSync(join(cwd, 'dist', 'mark'), '');
  expect((await build()).code).toBe(0);
  expect(existsSync(join(cwd, 'dist', 'mark')), 'nothing changed, nothing is built').toBe(true);

  appendFileSync(main, '\nimport "a-package-that-is-not-there";');
  expect(await build()).toMatchObject({ code: 1, stderr: expect.stringContaining('a-package-that-is-not-there') });
  expect(bundle()).toBe(first);

  writeFileSync(main, 'console.log("second")');
  expect((await build()).code).toBe(0);
  expect(bundle()).toContain('second');
  expect(readdirSync(cwd).filter((name) => name.startsWith('.build-'))).toEqual([]);
});

test('an install without development packages is left alone by prepare', async () => {
  const cwd = copyOfTree();
  expect(await run([process.execPath, 'scripts/build.mjs', '--if-needed'], { cwd })).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(existsSync(join(cwd, 'dist'))).toBe(false);
});

test('.ci/run ends at once, with its closing line, where the corpus is missing', async () => {
  const cwd = copyOfTree();
  const { code, stdout, stderr } = await run(['bash', '.ci/run'], { cwd, env: freshEnvironment(temporaryFolder()) });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '0 passed, 1 failed\n' });
  expect(stderr).toContain('shared');
  expect(existsSync(join(cwd, 'node_modules'))).toBe(false);
});

test('a test run closes with its counts', async () => {
  const folder = temporaryFolder();
  const vitest = join(repository, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', `--reporter=${join(repository, 'scripts', 'reporter.mjs')}`];
  const closing = async () => {
    const { stdout, code } = await run([process.execPath, vitest, 'run', '--globals', ...reporters], { cwd: folder });
    return [code, stdout.slice(stdout.trimEnd().lastIndexOf('\n') + 1)];
  };

  writeFileSync(join(folder, 'a.test.js'), 'test("a", () => {}); test("b", () => {});');
  expect(await closing()).toEqual([0, '2 passed, 0 failed\n']);
  writeFileSync(join(folder, 'b.test.js'), 'test("c", () => { throw new Error(); }); test.skip("d", () => {});');
  expect(await closing()).toEqual([1, '2 passed, 1 failed, 1 skipped\n']);
  writeFileSync(join(folder, 'b.test.js'), 'throw new Error("cannot be loaded");');
  expect(await closing()).toEqual([1, '2 passed, 1 failed\n']);
  rmSync(join(folder, 'a.test.js'));
  writeFileSync(join(folder, 'b.test.js'), 'test("e", () => void Promise.reject(new Error("unheard")));');
  expect(await closing()).toEqual([1, '1 passed, 1 failed\n']);
});
