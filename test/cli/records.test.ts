import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Maker } from '../redact/make.ts';
import { newUser, type User } from '../search/program.ts';
import { jsonl, Script, SESSION } from '../support/claude-records.ts';
import { writeAt } from '../support/folders.ts';
import { ROLLOUT, rollout } from '../support/rollout.ts';

const someone = (): User => {
  const user = newUser();
  onTestFinished(() => user.remove());
  return user;
};

describe('portolan show --raw', () => {
  it('gives the records of a compressed file', async () => {
    const user = someone();
    const path = join(user.home, '.codex/sessions/2026/11/30', `rollout-2026-11-30T08-57-42-${ROLLOUT}.jsonl.zst`);
    writeAt(path, zstdCompressSync(rollout()));
    await user.run('index');
    expect((await user.run('show', ROLLOUT, '--raw')).stdout).toBe(rollout());
  });

  it('hides what a command printed that prints secrets, in whatever records it stands', async () => {
    const user = someone();
    const script = new Script();
    const words = 'correct horse battery staple';
    const records = [
      script.user('Which?'),
      script.call('toolu_1', 'Bash', { command: 'pass show web/quay' }),
      script.result('toolu_1', `${words}\n`, { stdout: `${words}\n`, stderr: '' }),
      script.call('toolu_2', 'Bash', { command: 'ls' }),
      script.result('toolu_2', 'notes.md', { stdout: 'notes.md', stderr: '' }),
    ];
    writeAt(join(user.home, '.claude/projects/-home-dev-pier', `${SESSION}.jsonl`), jsonl(records));
    await user.run('index');
    for (const flags of [['--raw'], ['--raw', '--json'], ['--full']]) {
      const { stdout } = await user.run('show', SESSION, ...flags);
      expect(stdout).not.toContain('horse');
      expect(stdout).toContain('[SECRET]');
      expect(stdout).toContain('notes.md');
    }
  });

  it('prints nothing that a terminal obeys, and records that are the same', async () => {
    const user = someone();
    const records = [new Script().user('A \x9b31m\u202elamp\u{e0041}\x7f.')];
    const path = join(user.home, '.claude/projects/-home-dev-pier', `${SESSION}.jsonl`);
    writeAt(path, `${jsonl(records)}no JSON \x1b[31m\n`);
    await user.run('index');
    const { stdout } = await user.run('show', SESSION, '--raw');
    expect(stdout).toMatch(/^[\n\x20-\x7e]*$/);
    const [first, second] = stdout.split('\n');
    expect(JSON.parse(first!)).toEqual(records[0]);
    expect(second).toBe(String.raw`no JSON \u001b[31m`);
  });

  it('finds a file in whose path something is hidden, and hides it in what it says', async () => {
    const user = someone();
    const secret = new Maker(41).text(24);
    const script = new Script();
    const records = [script.user('Paint the pier.'), script.answer('Painted.')];
    const path = join(user.home, '.claude/projects', `-home-dev-${secret}`, `${SESSION}.jsonl`);
    writeAt(path, jsonl(records));
    const ran = (line: string) => user.shell(line, { ACME_TOKEN: secret });
    await ran('portolan index');
    const raw = await ran(`portolan show ${SESSION} --raw`);
    expect(raw.stdout).toBe(jsonl(records));
    rmSync(path);
    expect(existsSync(path)).toBe(false);
    const gone = await ran(`portolan show ${SESSION} --raw`);
    expect(gone).toMatchObject({ code: 3, stderr: expect.stringContaining('[SECRET]') });
    expect(gone.stderr).toContain('is gone');
    expect(gone.stderr).not.toContain(secret);
  });
});
