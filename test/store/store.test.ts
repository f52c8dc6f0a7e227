import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../src/store/database.ts';
import { currentGeneration, nextGeneration, useGeneration } from '../../src/store/generations.ts';
import { takeLease } from '../../src/store/lease.ts';
import { temporaryFolder, writeAt } from '../support/folders.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS planks (id INTEGER PRIMARY KEY, wood TEXT);';

function database(path = join(temporaryFolder(), 'a.db')): Database {
  const db = Database.forWriting(path, SCHEMA, 1);
  onTestFinished(() => db.close());
  return db;
}

describe('a database', () => {
  it('keeps all of a transaction, or nothing where its work throws', () => {
    const db = database();
    expect(db.transaction(() => db.run("INSERT INTO planks (wood) VALUES ('larch')").id)).toBe(1);
    expect(() =>
      db.transaction(() => {
        db.run("INSERT INTO planks (wood) VALUES ('oak')");
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(db.rows('SELECT wood FROM planks')).toEqual([{ wood: 'larch' }]);
  });

  it('gives back pages that are free, where they are many', () => {
    const db = database();
    const pages = () => db.row<{ page_count: number }>('PRAGMA page_count')!.page_count;
    const wood = 'larch '.repeat(1000);
    for (let i = 0; i < 100; i++) db.run('INSERT INTO planks (wood) VALUES (?)', wood);
    const full = pages();
    db.exec('DELETE FROM planks WHERE id <= 5');
    db.shrink();
    expect(pages()).toBe(full);
    db.exec('DELETE FROM planks WHERE id <= 60');
    db.shrink();
    expect(pages()).toBeLessThan(full / 2);
    expect(db.rows('SELECT id FROM planks')).toHaveLength(40);
  });

  it('is written from its log where that is long, behind a transaction and never inside a commit', () => {
    const db = database();
    const wood = 'larch '.repeat(1000);
    const plant = () => {
      for (let i = 0; i < 1200; i++) db.run('INSERT INTO planks (wood) VALUES (?)', wood);
    };
    const size = () => statSync(db.path).size;
    db.exec('BEGIN');
    plant();
    db.exec('COMMIT');
    const before = size();
    expect(before).toBeLessThan(wood.length * 10);
    db.checkpoint();
    expect(size()).toBeGreaterThan(wood.length * 1200);
    db.transaction(plant);
    expect(size()).toBeGreaterThan(wood.length * 2400);
    const written = size();
    db.transaction(() => db.run('INSERT INTO planks (wood) VALUES (?)', wood.repeat(20)));
    expect(size(), 'a short log waits').toBe(written);
  });

  it('is brought up to date step by step, and only so far as the steps lead', () => {
    const path = database().path;
    const steps = {
      2: 'ALTER TABLE planks ADD COLUMN age INTEGER;',
      3: 'UPDATE planks SET age = 7;',
    };
    const open = (version: number, given: Record<number, string>) => {
      const db = Database.forWriting(path, SCHEMA, version, given);
      db.run("INSERT INTO planks (wood) VALUES ('larch')");
      const { version: is } = db;
      db.close();
      return is;
    };
    expect(open(1, steps)).toBe(1);
    expect(open(4, steps)).toBe(3);
    expect(database(path).rows('SELECT age FROM planks ORDER BY id')).toEqual([{ age: 7 }, { age: null }]);
    expect(open(3, steps)).toBe(3);
    // A version without a step to it stays as it is.
    expect(open(5, { 5: 'DROP TABLE planks;' })).toBe(3);
  });

  it('cannot be written by who opened it for reading, and is not made by them', () => {
    const db = database();
    const reader = Database.forReading(db.path);
    onTestFinished(() => reader.close());
    expect(() => reader.run("INSERT INTO planks (wood) VALUES ('oak')")).toThrow();
    const none = join(temporaryFolder(), 'none.db');
    expect(() => Database.forReading(none)).toThrow();
    expect(existsSync(none)).toBe(false);
  });

  it('is its owner’s alone, with its log', () => {
    const db = database();
    db.run("INSERT INTO planks (wood) VALUES ('larch')");
    for (const path of [db.path, `${db.path}-wal`, `${db.path}-shm`]) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('can be walked row by row while the same statement runs', () => {
    const db = database();
    for (const wood of ['a', 'b', 'c']) db.run('INSERT INTO planks (wood) VALUES (?)', wood);
    const sql = 'SELECT wood FROM planks ORDER BY id';
    const walked = [...db.each<{ wood: string }>(sql)].map(({ wood }) => [wood, db.rows(sql).length]);
    expect(walked).toEqual([
      ['a', 3],
      ['b', 3],
      ['c', 3],
    ]);
  });
});

describe('generations', () => {
  it('are none in an empty folder, or where the one in use is missing', () => {
    const folder = temporaryFolder();
    expect(currentGeneration(folder)).toBeUndefined();
    expect(currentGeneration(join(folder, 'none'))).toBeUndefined();
    writeAt(join(folder, 'CURRENT'), 'gen-3.db\n');
    expect(currentGeneration(folder)).toBeUndefined();
  });

  it('have numbers that were never used', () => {
    const folder = temporaryFolder();
    expect(nextGeneration(folder)).toBe(join(folder, 'gen-1.db'));
    for (const name of ['gen-2.db', 'gen-10.db-wal', 'gen-x.db']) writeAt(join(folder, name), '');
    expect(nextGeneration(folder)).toBe(join(folder, 'gen-11.db'));
  });

  it('take the place of the others, whose files go, and touch nothing else', () => {
    const folder = temporaryFolder();
    for (const name of [
      'gen-1.db',
      'gen-1.db-wal',
      'gen-1.db-shm',
      'gen-10.db',
      'gen-2.db',
      'gen-2.db-wal',
      'notes.txt',
    ])
      writeAt(join(folder, name), name);
    useGeneration(folder, join(folder, 'gen-2.db'));
    expect(currentGeneration(folder)).toBe(join(folder, 'gen-2.db'));
    expect(readFileSync(join(folder, 'CURRENT'), 'utf8')).toBe('gen-2.db\n');
    expect(readdirSync(folder).sort()).toEqual(['CURRENT', 'gen-2.db', 'gen-2.db-wal', 'notes.txt']);
  });
});

describe('the writer’s lease', () => {
  it.each([
    ['garbage', 'garbage '.repeat(1000)],
    ['the head of a database and nothing behind it', `SQLite format 3\0${'x'.repeat(200)}`],
  ])('is taken over a file of %s, by one alone', (_, content) => {
    const path = writeAt(join(temporaryFolder(), 'lock.db'), content);
    const lease = takeLease(path)!;
    onTestFinished(() => lease.release());
    expect(statSync(path).size).toBe(0);
    expect(takeLease(path)).toBeUndefined();
    // What comes into the file later takes the lease from nobody.
    writeAt(path, content);
    expect(takeLease(path)).toBeUndefined();
  });

  it('is one holder’s, until it is given back', () => {
    const path = join(temporaryFolder(), 'lock.db');
    const lease = takeLease(path)!;
    expect(takeLease(path)).toBeUndefined();
    lease.release();
    const again = takeLease(path);
    expect(again).toBeDefined();
    again!.release();
  });

  it('is its owner’s file alone', () => {
    const path = join(temporaryFolder(), 'lock.db');
    const lease = takeLease(path)!;
    onTestFinished(() => lease.release());
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('cannot be taken where no file can be made', () => {
    expect(() => takeLease(join(temporaryFolder(), 'none', 'lock.db'))).toThrow();
  });

  it('is free when its holder was killed', async () => {
    const path = join(temporaryFolder(), 'lock.db');
    const module = pathToFileURL(join(import.meta.dirname, '../../src/store/lease.ts')).href;
    const code = `import { takeLease } from ${JSON.stringify(module)};
      globalThis.lease = takeLease(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    expect(takeLease(path)).toBeUndefined();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const lease = takeLease(path);
    expect(lease).toBeDefined();
    lease!.release();
  });
});
