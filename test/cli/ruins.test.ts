import { cpSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectedFor } from '../mcp/support.ts';
import { Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';
import { temporaryFolder } from '../support/folders.ts';

const GARBAGE = 'garbage '.repeat(2000);
let user: User;
/** The home as it was before it was ruined. */
const whole = () => join(user.home, '.whole');
const transcript = new Transcript('ruins');

beforeAll(async () => {
  transcript.prompt('The kittiwake nests on the pier.');
  user = newUser([transcript]);
  await user.json('index');
  cpSync(user.kept, whole(), { recursive: true });
});
afterAll(() => user.remove());

function restore(): void {
  for (const name of readdirSync(user.kept)) rmSync(join(user.kept, name), { recursive: true });
  cpSync(whole(), user.kept, { recursive: true });
}

const kept = (name: string) => join(user.kept, name);
const index = () => join('index', readdirSync(kept('index')).find((name) => /^gen-\d+\.db$/.test(name))!);

const RUINS: readonly (readonly [string, () => void])[] = [
  ['an archive of garbage', () => writeFileSync(kept('archive.db'), GARBAGE)],
  ['an emptied archive', () => writeFileSync(kept('archive.db'), '')],
  ['no archive', () => rmSync(kept('archive.db'))],
];

describe.each(RUINS)('over %s', (_, ruin) => {
  beforeAll(async () => {
    restore();
    // A copy is not what its seal says: an indexing looks at it.
    await user.json('index');
    ruin();
    rmSync(kept('archive.db-wal'), { force: true });
  });

  it.each([[['search', 'kittiwake']], [['index']]])('portolan %j says so, and what helps', async (args) => {
    const { code, document } = await user.json(...args);
    expect(code).toBe(3);
    expect(document.error.message).toMatch(/^The archive is (damaged|empty|gone)/);
    expect(document.error.hint).toContain('portolan repair');
  });

  it('portolan doctor says what is what, and changes nothing', async () => {
    const { code, document } = await user.json('doctor');
    expect(code).toBe(3);
    expect(document.parts.archive.state).not.toBe('whole');
    expect(document.parts.archive.hint).toContain('portolan repair');
    expect(document.parts).toMatchObject({ index: { state: 'whole' }, lock: { state: 'whole' } });
  });

  it('an agent is told by its server', async () => {
    const { call } = await connectedFor(user);
    expect(await call('search_history', { query: 'kittiwake' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/archive is (damaged|empty|gone).*\n.*portolan repair/),
    });
  });

  it('portolan repair makes all as before', async () => {
    const { code, document } = await user.json('repair', '--yes');
    expect([code, document.repaired, document.sessions, document.lost]).toEqual([0, true, 1, []]);
    expect((await user.json('search', 'kittiwake')).document.hits).toHaveLength(1);
    expect((await user.json('doctor')).document).toMatchObject({ ok: true, problems: [] });
  });
});

describe('over a home of nothing but garbage', () => {
  beforeAll(() => {
    restore();
    for (const name of ['archive.db', 'lock.db', 'config.json', 'notes.jsonl', 'portolan.log', index()])
      writeFileSync(kept(name), GARBAGE);
  });

  it('what looks into it or takes Portolan away works', async () => {
    const { code, document } = await user.json('doctor');
    expect(code).toBe(3);
    const states = Object.fromEntries(
      Object.entries<{ state: string }>(document.parts).map(([name, { state }]) => [name, state]),
    );
    const damaged = { config: 'damaged', archive: 'damaged', index: 'damaged', lock: 'damaged', notes: 'damaged' };
    expect(states).toEqual({ ...damaged, log: 'whole' });
    expect((await user.run('config')).code).toBe(2);
    expect((await user.run('completions', 'bash')).code).toBe(0);
    expect((await user.json('uninstall')).code).toBe(0);
  });

  it('is repaired once the configuration is put right', async () => {
    expect((await user.json('repair', '--yes')).document.error).toMatchObject({ code: 'bad_config' });
    rmSync(kept('config.json'));
    expect((await user.json('repair', '--yes')).document).toMatchObject({ repaired: true, sessions: 1, lost: [] });
    expect((await user.json('search', 'kittiwake')).document.hits).toHaveLength(1);
  });
});

describe('portolan repair', () => {
  it('asks first, and says what is lost', async () => {
    restore();
    writeFileSync(kept('archive.db'), '');
    expect(await user.run('repair')).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
    expect((await user.json('repair')).document).toMatchObject({ repaired: false, archive: { state: 'empty' } });
    expect(readdirSync(user.kept).filter((name) => name.includes('damaged'))).toEqual([]);
    renameSync(join(user.home, '.claude'), join(user.home, '.away'));
    const { stdout } = await user.run('repair', '--yes');
    renameSync(join(user.home, '.away'), join(user.home, '.claude'));
    expect(stdout).toMatch(/Lost: parts of 1 session[\s\S]*kittiwake/);
    expect((await user.run('show', transcript.key)).stdout).toContain('damaged');
    // The file is back: it is read again.
    expect((await user.json('index')).document.sources['claude-code'].read).toBe(1);
    expect((await user.json('doctor')).document).toMatchObject({ ok: true, damaged: [] });
  });
});

describe('a lock of garbage', () => {
  it('keeps nobody from writing', async () => {
    restore();
    writeFileSync(kept('lock.db'), GARBAGE);
    expect((await user.json('index')).code).toBe(0);
    expect((await user.json('doctor')).document.parts.lock.state).toBe('whole');
  });
});

describe('a home that was copied or restored', () => {
  it.each<[string, (folder: string) => void]>([
    ['with all its files', () => {}],
    ['without its seals', (folder) => ['SEAL', 'index/SEAL'].forEach((name) => void rmSync(join(folder, name)))],
    ['without its lock', (folder) => rmSync(join(folder, 'lock.db'))],
    ['without its index', (folder) => rmSync(join(folder, 'index'), { recursive: true })],
  ])('%s is not called damaged', async (_, change) => {
    const folder = temporaryFolder();
    cpSync(whole(), folder, { recursive: true });
    change(folder);
    const env = { PORTOLAN_HOME: folder };
    const doctor = JSON.parse((await user.shell('portolan doctor --json', env)).stdout);
    expect(doctor.problems).toEqual([]);
    const indexed = JSON.parse((await user.shell('portolan index --json', env)).stdout);
    expect(indexed).toMatchObject({ sessions: 1, sources: { 'claude-code': { read: 0 } } });
    expect((await user.shell('portolan search kittiwake --json', env)).code).toBe(0);
    expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([]);
  });
});
