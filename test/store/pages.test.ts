import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { PageFile } from '../../src/store/pages.ts';
import { temporaryFolder } from '../support/folders.ts';

const PAGE = 4096;
const SCHEMA = `CREATE TABLE planks (id INTEGER PRIMARY KEY, wood TEXT, length REAL, bark BLOB);
  CREATE TABLE nails (kind TEXT, n INTEGER, PRIMARY KEY (kind)) WITHOUT ROWID;`;
const WIDE = 2 ** 52 + 1;

function filled(): Database {
  const db = Database.forWriting(join(temporaryFolder(), 'a.db'), SCHEMA, 3);
  onTestFinished(() => db.close());
  for (let i = 1; i <= 500; i++) {
    const bark = new Uint8Array((i * 37) % 9000).fill(i);
    db.run('INSERT INTO planks VALUES (?, ?, ?, ?)', i, `wood ${i} 木`, i / 8, bark);
    db.run('INSERT INTO nails VALUES (?, ?)', `kind ${i}`, i % 2 === 0 ? WIDE + i : -i);
  }
  return db;
}

function rowsOf(path: string) {
  const file = new PageFile(path);
  const rows = [...file.rows()];
  file.close();
  const planks = rows.filter(({ rowid, values }) => rowid !== undefined && values.length === 4);
  const nails = rows.filter(({ rowid, values }) => rowid === undefined && values.length === 2);
  return { planks, nails };
}

it('the rows of a file are read without SQLite as SQLite reads them, with what stands in its log', () => {
  const db = filled();
  expect(statSync(`${db.path}-wal`).size).toBeGreaterThan(0);
  const { planks, nails } = rowsOf(db.path);
  const asRead = planks
    .map(({ rowid, values }) => [rowid, ...values.slice(1)])
    .sort((a, b) => Number(a[0]) - Number(b[0]));
  expect(asRead).toEqual(db.tuples('SELECT * FROM planks ORDER BY id'));
  expect(new Map(nails.map(({ values }) => values as [string, number]))).toEqual(
    new Map(db.tuples<[string, number]>('SELECT * FROM nails')),
  );
});

it('the rows of whole pages are read whatever became of the others', () => {
  const db = filled();
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const before = new Set(rowsOf(db.path).nails.map(({ values }) => String(values)));
  const bytes = readFileSync(db.path);
  // Its first page leads to all others, and every third is gone.
  for (let page = 0; page * PAGE < bytes.length; page += 3) bytes.fill(0, page * PAGE, (page + 1) * PAGE);
  writeFileSync(db.path, bytes);
  const { nails } = rowsOf(db.path);
  expect(nails.length).toBeGreaterThan(50);
  for (const { values } of nails) expect(before).toContain(String(values));
});

it('a log is read up to its first broken frame', () => {
  const db = filled();
  const all = rowsOf(db.path).nails.length;
  truncateSync(`${db.path}-wal`, Math.floor(statSync(`${db.path}-wal`).size / 2));
  const { nails } = rowsOf(db.path);
  expect(nails.length).toBeGreaterThan(0);
  expect(nails.length).toBeLessThan(all);
  rmSync(`${db.path}-wal`);
  expect(rowsOf(db.path).nails).toEqual([]);
});
