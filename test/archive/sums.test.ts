import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openArchive } from '../../src/archive/schema.ts';
import { isWhole, rowSum, SUMMED, SUMMED_TABLES } from '../../src/archive/sums.ts';
import type { Database, Value } from '../../src/store/database.ts';
import { temporaryFolder } from '../support/folders.ts';

/** Counted, or made again from what is summed: a salvage leaves them. */
const DERIVED = ['records', 'shares', 'spending', 'listings', 'listed', 'not_shown'];
/** With sums of their own, or with numbers alone that are taken as they are. */
const OTHERWISE = ['chunks', 'state'];
/** Columns of summed tables that say nothing to be shown, and those that carry the sum. */
const UNSUMMED = ['sessions.revision', 'turns.records'];

function opened(): Database {
  const db = openArchive(join(temporaryFolder(), 'archive.db'));
  onTestFinished(() => db.close());
  return db;
}

describe('the archive', () => {
  it('has a checksum for every row that nothing else could make again', () => {
    const tables = opened().rows<{ name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'",
    );
    const expected = [...SUMMED_TABLES, ...DERIVED, ...OTHERWISE].sort();
    expect(tables.map(({ name }) => name).sort()).toEqual(expected);
  });

  it.each(SUMMED_TABLES)('sums every column of %s', (table) => {
    const columns = opened()
      .rows<{ name: string }>('SELECT name FROM pragma_table_info(?)', table)
      .map(({ name }) => name)
      .filter((name) => name !== 'sum' && !UNSUMMED.includes(`${table}.${name}`));
    expect([...SUMMED[table]].sort()).toEqual(columns.sort());
  });

  it('sums a row when it is written, written again and replaced', () => {
    const db = opened();
    const row = () => db.row<Record<string, Value>>('SELECT * FROM summaries')!;
    db.run("INSERT INTO summaries (leaf, session, text) VALUES (1, 2, 'larch')");
    expect(isWhole('summaries', row())).toBe(true);
    db.run("UPDATE summaries SET text = 'tar'");
    expect(row().sum).toBe(rowSum('summaries', 1, 2, 'tar'));
    db.run("INSERT OR REPLACE INTO summaries (leaf, session, text) VALUES (1, 2, 'oak')");
    expect(isWhole('summaries', row())).toBe(true);
    expect(isWhole('summaries', { ...row(), text: 'elm' })).toBe(false);
  });
});

describe('a sum', () => {
  it.each<[Value[], Value[]]>([
    [[1], ['1']],
    [[null], ['']],
    [['a', 'b'], ['ab']],
    [
      ['a', null],
      [null, 'a'],
    ],
    [[new Uint8Array([1])], ['1']],
  ])('tells %j from %j', (one, other) => {
    expect(rowSum('turns', ...one)).not.toBe(rowSum('turns', ...other));
  });

  it('is that of its table', () => {
    expect(rowSum('turns', 1)).not.toBe(rowSum('units', 1));
  });
});
