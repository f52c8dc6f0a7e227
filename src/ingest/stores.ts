import { existsSync } from 'node:fs';
import { Archive } from '../archive/archive.ts';
import { Keeper } from '../archive/keeper.ts';
import { ARCHIVE_SCHEMA } from '../archive/schema.ts';
import { Catalog } from '../catalog/catalog.ts';
import { CATALOG_SCHEMA, CATALOG_VERSION } from '../catalog/schema.ts';
import { type Home, makeHome } from '../home/paths.ts';
import { FTS5_SCHEMA, Fts5Index } from '../lexical/fts5.ts';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import { Database } from '../store/database.ts';
import { currentGeneration, nextGeneration, useGeneration } from '../store/generations.ts';
import { type Lease, takeLease } from '../store/lease.ts';
import { Deriver } from './derive.ts';

/** The archive and the index made from it. */
export interface Stores {
  readonly archive: Archive;
  readonly catalog: Catalog;
  readonly lexical: LexicalIndex;
  close(): void;
}

export interface WritableStores extends Stores {
  readonly keeper: Keeper;
  readonly deriver: Deriver;
  /** Begins to keep things; `commit` keeps all of them, the archive first, or none where it throws. */
  begin(): void;
  commit(): void;
  rollback(): void;
  /** Notes that the index is up to date now, and writes the logs into the databases. */
  finish(): void;
}

/** Opens what there is for reading; undefined where nothing was indexed yet. */
export function openForReading(home: Home): Stores | undefined {
  const index = currentGeneration(home.index);
  if (index === undefined || !existsSync(home.archive)) return undefined;
  const archive = Database.forReading(home.archive);
  const db = Database.forReading(index);
  return {
    archive: new Archive(archive),
    catalog: new Catalog(db),
    lexical: new Fts5Index(db),
    close() {
      archive.close();
      db.close();
    },
  };
}

/**
 * Opens both for writing, under the lease: undefined where another process has it. An index of another version, or
 * one that cannot be opened, is made anew from the archive; one that lags behind the archive catches up.
 */
export function openForWriting(
  home: Home,
  onRebuild: (done: number, total: number) => void = () => {},
): WritableStores | undefined {
  makeHome(home);
  const lease = takeLease(home.lock);
  if (!lease) return undefined;
  try {
    return opened(home, lease, onRebuild);
  } catch (error) {
    lease.release();
    throw error;
  }
}

function opened(home: Home, lease: Lease, onRebuild: (done: number, total: number) => void): WritableStores {
  const archiveDb = Database.forWriting(home.archive, ARCHIVE_SCHEMA);
  const archive = new Archive(archiveDb);
  const current = currentGeneration(home.index);
  const index =
    (current === undefined ? undefined : keptIndex(current, archive, onRebuild)) ?? newIndex(home, archive, onRebuild);
  const { db, catalog, lexical, deriver } = index;
  const keeper = new Keeper(archive);
  return {
    archive,
    catalog,
    lexical,
    keeper,
    deriver,
    begin() {
      archiveDb.exec('BEGIN IMMEDIATE');
      db.exec('BEGIN IMMEDIATE');
    },
    commit() {
      deriver.settle();
      keeper.noteChange();
      catalog.noteTotals();
      catalog.noteChanges(archive.changes());
      // Where the process dies between the two, the index catches up with the archive when it is opened.
      archiveDb.exec('COMMIT');
      db.exec('COMMIT');
    },
    rollback() {
      for (const one of [archiveDb, db]) if (one.isInTransaction) one.exec('ROLLBACK');
    },
    finish() {
      catalog.noteIngest(Date.now());
      for (const one of [archiveDb, db]) one.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    close() {
      archiveDb.close();
      db.close();
      lease.release();
    },
  };
}

const INDEX_SCHEMA = `${CATALOG_SCHEMA}${FTS5_SCHEMA}`;

interface Index {
  readonly db: Database;
  readonly catalog: Catalog;
  readonly lexical: LexicalIndex;
  readonly deriver: Deriver;
}

type OnRebuild = (done: number, total: number) => void;

function indexOver(db: Database, archive: Archive): Index {
  const catalog = new Catalog(db);
  const lexical = new Fts5Index(db);
  return { db, catalog, lexical, deriver: new Deriver(archive, catalog, lexical) };
}

function newIndex(home: Home, archive: Archive, onRebuild: OnRebuild): Index {
  const path = nextGeneration(home.index);
  const db = Database.forWriting(path, INDEX_SCHEMA);
  db.exec(`PRAGMA user_version = ${CATALOG_VERSION}`);
  const index = indexOver(db, archive);
  catchUp(archive, index.catalog, index.deriver, onRebuild);
  useGeneration(home.index, path);
  return index;
}

/** The index in use, brought up to the archive; undefined where it is of another version or damaged: it is derived, so another one is made. */
function keptIndex(path: string, archive: Archive, onRebuild: OnRebuild): Index | undefined {
  let db: Database | undefined;
  try {
    db = Database.forWriting(path, '');
    if (db.row<{ user_version: number }>('PRAGMA user_version')?.user_version === CATALOG_VERSION) {
      const index = indexOver(db, archive);
      catchUp(archive, index.catalog, index.deriver, onRebuild);
      return index;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  db?.close();
  return undefined;
}

/** SQLite's words for a file that is no database, or a broken one. */
function isDamage(error: unknown): boolean {
  return (
    error instanceof Error &&
    /malformed|not a database|corrupt|no such table|vtable constructor failed/i.test(error.message)
  );
}

/** Derives again what the index does not hold as the archive does. */
function catchUp(
  archive: Archive,
  catalog: Catalog,
  deriver: Deriver,
  onRebuild: (done: number, total: number) => void,
): void {
  const changes = archive.changes();
  if (catalog.changes() === changes && changes > 0) return;
  const held = new Map(
    catalog.db
      .rows<{ id: number; revision: number }>('SELECT id, revision FROM sessions')
      .map((row) => [row.id, row.revision]),
  );
  const lagging: number[] = [];
  for (const { id, revision } of archive.revisions()) {
    if (held.get(id) !== revision) lagging.push(id);
    held.delete(id);
  }
  for (let start = 0; start < lagging.length || start === 0; start += 50) {
    catalog.db.transaction(() => {
      if (start === 0) for (const id of held.keys()) deriver.drop(id);
      for (const id of lagging.slice(start, start + 50)) deriver.rebuild(id);
      deriver.settle();
      catalog.noteTotals();
    });
    if (lagging.length > 0) onRebuild(Math.min(start + 50, lagging.length), lagging.length);
  }
  catalog.noteChanges(changes);
}
