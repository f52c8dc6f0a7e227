import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Maker } from '../redact/make.ts';
import { newUser, type User } from '../search/program.ts';
import { writeAt } from '../support/folders.ts';

const token = `gh${'p'}_${new Maker(5).text(36)}`;
let user: User;
let file: string;

beforeAll(() => {
  user = newUser();
  file = writeAt(join(user.home, 'notes.txt'), `use ${token} here\nand ${token}\n`);
});
afterAll(() => user.remove());

describe('portolan redact', () => {
  it('prints a file with its secrets replaced, and says on stderr how many', async () => {
    expect(await user.run('redact', file)).toEqual({
      code: 0,
      stdout: 'use [GH_TOKEN] here\nand [GH_TOKEN]\n',
      stderr: '2 secrets hidden.\n',
    });
  });

  it('reads stdin, and says nothing but the text on stdout', async () => {
    const ran = await user.shell(`printf 'x ${token}' | portolan redact -`);
    expect(ran).toEqual({ code: 0, stdout: 'x [GH_TOKEN]', stderr: '1 secret hidden.\n' });
    expect((await user.shell("printf '' | portolan redact -")).stderr).toBe('0 secrets hidden.\n');
  });

  it('gives one document', async () => {
    const { document, code } = await user.json('redact', file);
    expect(code).toBe(0);
    expect(document).toEqual({ text: 'use [GH_TOKEN] here\nand [GH_TOKEN]\n', secrets: 2 });
  });

  it('hides what the user’s patterns find, and not what the user allows', async () => {
    await user.run('config', 'add', 'redaction.patterns', 'QUAY-[0-9]{5}');
    await user.run('config', 'add', 'redaction.allow', 'QUAY-00000');
    const ran = await user.shell("echo 'QUAY-12345 QUAY-00000' | portolan redact -");
    expect(ran.stdout).toBe('[SECRET] QUAY-00000\n');
  });

  it.each<[args: string[], exit: number, code: string]>([
    [[], 2, 'no_file'],
    [['nowhere.txt'], 3, 'no_file'],
    [['.'], 2, 'no_file'],
  ])('tells what is wrong with %j', async (args, exit, code) => {
    const ran = await user.json('redact', ...args);
    expect(ran).toMatchObject({ code: exit, document: { error: { code } } });
  });
});
