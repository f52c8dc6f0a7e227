import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectedFor } from '../mcp/support.ts';
import { Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';

/** Eleven megabytes that are no JSON: each line is a failure of its own. */
const LINES = 110_000;
const FILLING = 'seaweed '.repeat(10);
const noJson = (from: number) =>
  Array.from({ length: LINES }, (_, i) => `{"no": json ${from + i} ${FILLING} \x1b[31m\n`).join('');

const spoilt = new Transcript('no json');
spoilt.prompt('Where is the gannet?');
let user: User;
let path: string;

beforeAll(() => {
  user = newUser([spoilt]);
  path = join(user.home, spoilt.file);
  appendFileSync(path, noJson(0));
});
afterAll(() => user.remove());

describe('a file with a hundred thousand lines that are no JSON', () => {
  it('is told of in a few lines, and all of them are counted', async () => {
    const { stdout, stderr, code } = await user.run('index');
    expect(code).toBe(0);
    expect(stdout.length + stderr.length).toBeLessThan(1000);
    expect(stdout).toContain('110,000 problems');
    const { document } = await user.json('doctor');
    const [first, ...others] = document.sources['claude-code'].failed;
    expect(first).toMatchObject({ path, line: 2 });
    expect(others).toHaveLength(7);
    expect(others.at(-1).more).toBe(LINES - 8);
    expect(JSON.stringify(document).length).toBeLessThan(30_000);
    expect((await user.run('doctor')).stdout).toContain('109,992 more lines of the file');
  });

  it('is still told of so when as many follow, in every door', async () => {
    appendFileSync(path, noJson(LINES));
    const { document: indexed } = await user.json('index');
    expect(indexed.sources['claude-code'].failed.at(-1).more).toBe(2 * LINES - 8);
    expect(JSON.stringify(indexed).length).toBeLessThan(10_000);
    const checked = await user.json('source', 'check', path, '--source', 'claude-code');
    expect(checked.document.checked[0].all.failed.at(-1).more).toBe(2 * LINES - 8);
    expect(JSON.stringify(checked.document).length).toBeLessThan(10_000);
    const { document: found } = await user.json('search', 'gannet');
    expect(found.total.turns).toBe(1);
    expect(JSON.stringify(found).length).toBeLessThan(10_000);
    const { call } = await connectedFor(user);
    for (const answer of [
      await call('search_history', { query: 'gannet' }),
      await call('read_turn', { id: `${spoilt.key}#1` }),
    ])
      expect(JSON.stringify(answer.document).length + answer.text.length).toBeLessThan(10_000);
  });
});
