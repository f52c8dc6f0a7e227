import { copyFileSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { titlesOf } from '../../../src/agents/codex/sidecars.ts';
import { askForeignDatabase } from '../../../src/agents/foreign-database.ts';
import { stateOf, temporaryFolder, writeAt } from '../../support/folders.ts';
import { ID, OTHER, rollout, Script, told } from './script.ts';

const index = (home: string, ...names: [id: string, name: string][]) =>
  writeAt(
    join(home, 'session_index.jsonl'),
    names.map(([id, thread_name]) => `${JSON.stringify({ id, thread_name, updated_at: '2026-11-21' })}\n`).join(''),
  );

/** A database that its writer still has open: what is newest lies in its log. */
function openDatabase(path: string, threads: readonly (readonly [id: string, title: string, prompt: string])[]) {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  database.exec('CREATE TABLE threads (id TEXT PRIMARY KEY, title TEXT, first_user_message TEXT)');
  for (const thread of threads) database.prepare('INSERT INTO threads VALUES (?, ?, ?)').run(...thread);
  return database;
}

describe('titles', () => {
  it('are the last of the index: the first is the agent’s, a later one the user’s, an empty one none', () => {
    const home = temporaryFolder();
    index(home, [ID, 'Paint the pier'], [OTHER, 'Mend the lamp'], [ID, 'Pier in red'], [OTHER, '']);
    expect(titlesOf(home, ID)).toEqual({ user: 'Pier in red' });
    expect(titlesOf(home, OTHER)).toBeUndefined();
    index(home, [ID, 'Paint the pier']);
    utimesSync(join(home, 'session_index.jsonl'), 1, 1);
    expect(titlesOf(home, ID)).toEqual({ agent: 'Paint the pier' });
    expect(titlesOf(temporaryFolder(), ID)).toBeUndefined();
  });

  it('come from the newest database too, where they are more than the first prompt', () => {
    const home = temporaryFolder();
    openDatabase(join(home, 'state_4.sqlite'), [[ID, 'Old', 'Paint the pier.']]).close();
    openDatabase(join(home, 'state_5.sqlite'), [
      [ID, 'Pier works', 'Paint the pier.'],
      [OTHER, 'Mend the…', 'Mend the lamp, please.'],
    ]).close();
    expect(titlesOf(home, ID)).toEqual({ agent: 'Pier works' });
    expect(titlesOf(home, OTHER)).toBeUndefined();
  });

  it('are told at the beginning of each reading', async () => {
    const home = join(temporaryFolder(), '.codex');
    const path = rollout(new Script().meta().asked('Paint.'), ID, home);
    const first = await told(path);
    expect(first.facts(ID).titles).toBeUndefined();
    index(home, [ID, 'Paint the pier']);
    expect((await told(path, { from: first.last.checkpoint })).facts(ID).titles).toEqual({ agent: 'Paint the pier' });
  });
});

describe('a database of an agent', () => {
  const titles = (path: string) =>
    askForeignDatabase(path, (rows) => rows('SELECT title FROM threads').map((row) => row.title));

  it('is read with what lies in its log, and left as it was', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'state_5.sqlite');
    const database = openDatabase(path, [[ID, 'In the log', 'x']]);
    try {
      const before = stateOf(folder);
      expect(titles(path)).toEqual(['In the log']);
      expect(stateOf(folder)).toEqual(before);
      // Left behind by a program that was killed.
      const other = temporaryFolder();
      for (const name of ['state_5.sqlite', 'state_5.sqlite-wal']) copyFileSync(join(folder, name), join(other, name));
      expect(titles(join(other, 'state_5.sqlite'))).toEqual(['In the log']);
      expect(readdirSync(other).sort()).toEqual(['state_5.sqlite', 'state_5.sqlite-wal']);
    } finally {
      database.close();
    }
    expect(titles(path)).toEqual(['In the log']);
    expect(readdirSync(folder)).toEqual(['state_5.sqlite']);
  });

  it('that is none, torn or without the table gives nothing', () => {
    const folder = temporaryFolder();
    expect(titles(join(folder, 'none.sqlite'))).toBeUndefined();
    expect(titles(writeAt(join(folder, 'text.sqlite'), 'not a database'))).toBeUndefined();
    const empty = new DatabaseSync(join(folder, 'empty.sqlite'));
    empty.exec('CREATE TABLE other (id)');
    empty.close();
    expect(titles(join(folder, 'empty.sqlite'))).toBeUndefined();
  });
});
