import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { newestDatabase } from '../../../src/agents/codex/databases.ts';
import { codex } from '../../../src/agents/codex/source.ts';
import { ingest, ingestChanges } from '../../../src/ingest/run.ts';
import { search } from '../../../src/search/answers/search.ts';
import { parseQuery } from '../../../src/search/query/parse.ts';
import { stateOf, temporaryFolder } from '../../support/folders.ts';
import { Portolan, sessionsOf, turnsIn } from '../../support/portolan.ts';
import { CWD, ID, OTHER, rollout, Script } from './script.ts';

function openMemories(path: string) {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  database.exec(`CREATE TABLE stage1_outputs (thread_id TEXT PRIMARY KEY, source_updated_at INTEGER, raw_memory TEXT,
    rollout_summary TEXT, rollout_slug TEXT, generated_at INTEGER)`);
  return database;
}

function remember(database: DatabaseSync, thread: string, memory: string, summary = 'The pier was painted.') {
  database
    .prepare('INSERT OR REPLACE INTO stage1_outputs VALUES (?, 1, ?, ?, ?, 1796029074)')
    .run(thread, memory, summary, 'pier');
}

class Home {
  readonly home = temporaryFolder();
  readonly codex = join(this.home, '.codex');
  readonly portolan = new Portolan({ home: this.home, platform: 'linux', variables: {}, projects: [] });

  constructor() {
    mkdirSync(this.codex);
  }

  sessions() {
    return this.portolan.write(async (stores) => {
      const report = (await ingest(stores, this.portolan.env)).codex!;
      return { report, sessions: sessionsOf(stores) };
    });
  }

  /** The sessions where a word is found. */
  found(words: string): Promise<string[]> {
    const now = Date.parse('2026-11-30T12:00:00Z');
    return this.portolan.write((stores) =>
      search(stores, parseQuery(words, now), { limit: 5, now }).hits.map((hit) => hit.session),
    );
  }
}

describe('what Codex remembers of its sessions', () => {
  it('is found below them, is read again when it changes, and what it said before stays, marked', async () => {
    const home = new Home();
    rollout(new Script().meta().asked('Paint the pier.').answered('Done.'), ID, home.codex);
    const database = openMemories(join(home.codex, 'memories_1.sqlite'));
    remember(database, ID, 'Ultramarine is the colour of the harbour office.');
    const before = stateOf(home.codex);
    const first = await home.sessions();
    expect(stateOf(home.codex)).toEqual(before);
    const memory = first.sessions.find((one) => one.nativeId === `memory/${ID}`);
    expect(memory).toMatchObject({
      title: 'Memory: pier',
      started: 1_796_029_074_000,
      parent: { key: `codex:${ID}`, relation: 'subagent' },
    });
    expect(await home.found('ultramarine')).toEqual([`codex:memory/${ID}`]);
    expect((await home.sessions()).report.read).toBe(0);

    remember(database, ID, 'Vermilion it is now.');
    remember(database, OTHER, 'Nobody knows this session.');
    const second = await home.sessions();
    expect(second.report.read).toBe(1);
    expect(second.sessions.map((one) => one.nativeId).sort()).toEqual([ID, `memory/${ID}`, `memory/${OTHER}`].sort());
    expect(await home.found('ultramarine')).toEqual([`codex:memory/${ID}`]);
    expect(turnsIn(home.portolan.read(), `memory/${ID}`).map(({ superseded }) => superseded)).toEqual([
      undefined,
      true,
    ]);
    expect(await home.found('vermilion')).toEqual([`codex:memory/${ID}`]);
    database.close();
  });

  it('is read once where its file and its log both changed, and not at all where neither did', async () => {
    const home = new Home();
    const path = join(home.codex, 'memories_1.sqlite');
    const database = openMemories(path);
    remember(database, ID, 'Ultramarine is the colour of the harbour office.');
    await home.sessions();
    const root = { path: home.codex, layout: 'home' };
    const changes = [path, `${path}-wal`].map((each) => ({ source: codex, root, path: each }));
    const followed = () => home.portolan.write((stores) => ingestChanges(stores, home.portolan.env, changes));
    expect((await followed()).read).toBe(0);
    remember(database, ID, 'Vermilion it is now.');
    expect((await followed()).read).toBe(1);
    expect(await home.found('vermilion')).toEqual([`codex:memory/${ID}`]);
    database.close();
  });

  it('is a goal too, with how far it came', async () => {
    const home = new Home();
    const database = new DatabaseSync(join(home.codex, 'goals_1.sqlite'));
    database.exec('CREATE TABLE thread_goals (thread_id TEXT, objective TEXT, status TEXT, updated_at_ms INTEGER)');
    database
      .prepare('INSERT INTO thread_goals VALUES (?, ?, ?, ?)')
      .run(ID, 'Light every lamp', 'active', 1_796_029_074_000);
    database.prepare('INSERT INTO thread_goals VALUES (NULL, ?, NULL, NULL)').run('Whose?');
    database.close();
    const { report, sessions } = await home.sessions();
    expect(sessions).toMatchObject([{ nativeId: `goal/${ID}`, title: 'Goal', started: 1_796_029_074_000 }]);
    expect(report.unknownRecords).toEqual({ 'thread_goals without a thread': 1 });
    expect(await home.found('lamp active')).toEqual([`codex:goal/${ID}`]);
  });

  it('without its table is none, and one that is no database is told', async () => {
    const home = new Home();
    new DatabaseSync(join(home.codex, 'goals_1.sqlite')).exec('CREATE TABLE other (x)');
    writeFileSync(join(home.codex, 'memories_1.sqlite'), 'no database at all, but long enough to be looked at');
    const { report, sessions } = await home.sessions();
    expect(sessions).toEqual([]);
    expect(report.failed.map((failure) => failure.path)).toEqual([join(home.codex, 'memories_1.sqlite')]);
  });
});

it('the newest database is the one with the highest number, in the home or the desktop program’s folder', () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'sqlite'));
  for (const name of ['state_9.sqlite', 'state_10.sqlite-wal', 'sqlite/state_10.sqlite', 'memories_11.sqlite'])
    writeFileSync(join(home, name), CWD);
  expect(newestDatabase(home, 'state')).toBe(join(home, 'sqlite', 'state_10.sqlite'));
  expect(newestDatabase(home, 'goals')).toBeUndefined();
});
