import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser, type User } from '../search/program.ts';
import { writeAt } from '../support/folders.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/writing-a-source.md'), 'utf8');
const [, EXAMPLE = ''] = /```js\n([\s\S]*?)```/.exec(DOCUMENT) ?? [];
const HISTORY = [
  { role: 'user', text: 'Where does the dunlin nest?', at: '2026-11-20T09:00:00Z' },
  { role: 'assistant', text: 'On the saltmarsh.', at: '2026-11-20T09:00:05Z' },
  { role: 'constructor', text: 'nobody' },
];

let user: User;
let module: string;

beforeAll(async () => {
  user = newUser([]);
  writeAt(
    join(user.home, '.notebook', 'walk-1.jsonl'),
    [...HISTORY.map((one) => JSON.stringify(one)), '{"role":"us', ''].join('\n'),
  );
  module = writeAt(join(user.home, 'notebook.mjs'), EXAMPLE);
  const added = await user.run('config', 'add', 'sources.modules', module);
  expect(added.stderr).toContain('It is a program');
});
afterAll(() => user.remove());

describe('a source of the user’s own, as the document has it', () => {
  it('is short', () => {
    expect(EXAMPLE.split('\n').length).toBeLessThan(150);
  });

  it('is checked: what it understands, and what not', async () => {
    const { stdout } = await user.run('source', 'check', join(user.home, '.notebook'), '--source', 'notebook');
    expect(stdout).toContain('Notebook: 1 unit, 1 session, 1 turn');
    expect(stdout).toContain('a line that is not JSON');
    expect(stdout).toContain('constructor');
    const { document } = await user.json('source', 'check', join(user.home, '.notebook', 'walk-1.jsonl'));
    expect(document.checked).toMatchObject([
      { source: 'notebook', all: { units: 1, turns: 1, texts: 2, unknown_records: { constructor: 1 } } },
    ]);
  });

  it('is indexed, searched, shown and resumed like ours', async () => {
    await user.run('index');
    const { document } = await user.json('search', 'dunlin', 'source:notebook');
    expect(document.hits).toMatchObject([{ id: 'notebook:walk-1#1', label: 'Notebook' }]);
    expect((await user.run('show', 'notebook:walk-1')).stdout).toContain('On the saltmarsh.');
    expect((await user.run('resume', 'notebook:walk-1')).stdout).toContain('notebook open walk-1');
    expect((await user.json('doctor')).document.sources.notebook).toMatchObject({ state: 'searched', sessions: 1 });
  });

  it('stops nothing where it throws, or is none', async () => {
    const broken = writeAt(join(user.home, 'broken.mjs'), 'export default { id: "broken" };');
    const thrower = writeAt(
      join(user.home, 'thrower.mjs'),
      EXAMPLE.replaceAll("'notebook'", "'thrower'").replace(
        'async function* read(unit) {',
        '$& throw new Error("no ink");',
      ),
    );
    await user.run('config', 'add', 'sources.modules', broken, thrower, join(user.home, 'nowhere.mjs'));
    const { stdout, stderr, code } = await user.run('index');
    expect(stderr).toContain('broken.mjs: it exports no source');
    expect(stderr).toContain('nowhere.mjs');
    expect(stdout).toContain('no ink');
    expect(code, 'one source could not be read').toBe(4);
    expect((await user.json('search', 'dunlin')).document.hits.length).toBe(1);
  });
});

it('one that is changed to be ours is refused', async () => {
  const twin = newUser([]);
  try {
    const path = writeAt(join(twin.home, 'twin.mjs'), EXAMPLE.replaceAll("id: 'notebook'", "id: 'codex'"));
    await twin.run('config', 'add', 'sources.modules', path);
    expect((await twin.run('index')).stderr).toContain('there is a source “codex” already');
  } finally {
    twin.remove();
  }
});
