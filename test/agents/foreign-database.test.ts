import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { askForeignDatabase, ForeignDatabaseError, readForeignDatabase } from '../../src/agents/foreign-database.ts';
import { stateOf, temporaryFolder, writeAt } from '../support/folders.ts';

const COUNT = 'SELECT count(*) AS n FROM t';

function opened(folder: string, mode: 'wal' | 'delete') {
  const path = join(folder, 'agent.db');
  const database = new DatabaseSync(path);
  database.exec(
    `PRAGMA journal_mode = ${mode}; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (x); INSERT INTO t VALUES (1)`,
  );
  return { path, database };
}

const count = (path: string) => readForeignDatabase(path, (rows) => rows(COUNT)[0]?.n);

describe('the database of an agent', () => {
  it.each(['wal', 'delete'] as const)('says what was written last (%s), and nothing appears beside it', (mode) => {
    const folder = temporaryFolder();
    const { path, database } = opened(folder, mode);
    const before = stateOf(folder);
    expect(count(path)).toBe(1);
    expect(stateOf(folder)).toEqual(before);
    database.exec('INSERT INTO t VALUES (2)');
    expect(count(path)).toBe(2);
    expect(readForeignDatabase(path, (rows) => [...rows.each('SELECT x FROM t WHERE x > ?', 1)])).toEqual([{ x: 2 }]);
    database.close();
  });

  it('is neither locked nor kept from cleaning up', () => {
    const folder = temporaryFolder();
    const { path, database } = opened(folder, 'wal');
    readForeignDatabase(path, (rows) => {
      for (const _ of rows.each('SELECT x FROM t')) {
        database.exec('INSERT INTO t VALUES (3)');
        break;
      }
    });
    expect(database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 });
    expect(count(path)).toBe(2);
    database.close();
    expect(readdirSync(folder)).toEqual(['agent.db']);
  });

  it('is not copied: its file gets no second one of its size', () => {
    const folder = temporaryFolder();
    const { path, database } = opened(folder, 'wal');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES (4)');
    const links = readForeignDatabase(path, (rows) => {
      rows(COUNT);
      return statSync(path).nlink;
    });
    expect(links).toBe(2);
    database.close();
  });

  it('that is torn, locked for good or none is an error that says so', () => {
    const folder = temporaryFolder();
    expect(() => count(join(folder, 'none.db'))).toThrow(ForeignDatabaseError);
    const torn = writeAt(join(folder, 'torn.db'), 'no database at all'.repeat(300));
    expect(() => count(torn)).toThrow(ForeignDatabaseError);
    expect(askForeignDatabase(torn, (rows) => rows(COUNT))).toBeUndefined();
  });

  it('leaves nothing in the folder for temporary files', async () => {
    const before = readdirSync(tmpdir()).filter((name) => /^portolan-\w{6}$/.test(name));
    const { path, database } = opened(temporaryFolder(), 'wal');
    count(path);
    await expect
      .poll(() => readdirSync(tmpdir()).filter((name) => /^portolan-\w{6}$/.test(name) && !before.includes(name)), {
        timeout: 5000,
      })
      .toEqual([]);
    database.close();
  });
});
