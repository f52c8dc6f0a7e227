import { Archive } from '../archive/archive.ts';
import { Keeper } from '../archive/keeper.ts';
import { ARCHIVE_VERSION, openArchive } from '../archive/schema.ts';
import { expectNoArchive, isFileEmpty } from '../holdings/lost.ts';
import { openForReading } from '../holdings/opening.ts';
import type { Stores } from '../holdings/stores.ts';
import { type Home, makeHome } from '../home/paths.ts';
import type { Database } from '../store/database.ts';
import { type Lease, takeLease } from '../store/lease.ts';
import { Sealing } from '../store/seal.ts';
import type { Deriver } from './deriving/derive.ts';
import { LAST_INGEST, type OnRebuild, openIndex } from './deriving/index-file.ts';

export interface WritableStores extends Stores {
  readonly keeper: Keeper;
  readonly deriver: Deriver;
  /** Whether the archive is as its last writer left it. Where not, it is looked at before a reading of everything. */
  readonly archiveSeal: Sealing;
  /** Begins to keep things; `commit` keeps all of them, the archive first, or none where it throws. */
  begin(): void;
  commit(): void;
  rollback(): void;
  /** Notes that the index is up to date now, and writes the logs into the databases. */
  finish(): void;
  /** Does a little of what was left for when nobody waits; gives whether more is left. */
  rest(): boolean;
}

/** Pages that a run of a few lines gives back to the disk at most. */
const SHRUNK_AT_ONCE = 1024;

/**
 * Opens both for writing, under the lease: undefined where another process has it. `index` says whether one that seems
 * fit may be gone on with.
 * @throws Damage where the archive is damaged, or gone while the index still knows what it held
 */
export function openForWriting(
  home: Home,
  onRebuild: OnRebuild = () => {},
  index: 'kept' | 'anew' = 'kept',
): WritableStores | undefined {
  makeHome(home);
  const lease = takeLease(home.lock);
  if (!lease) return undefined;
  try {
    return opened(home, lease, onRebuild, index);
  } catch (error) {
    lease.release();
    throw error;
  }
}

/** Makes the index anew from the archive. Where another process writes, it is left to that one. */
export function remakeIndex(home: Home, onRebuild: OnRebuild): void {
  openForWriting(home, onRebuild, 'anew')?.close();
}

/** Whether the index was made before the archive was cleaned by the redactor of today. */
export function isIndexUnclean(home: Home): boolean {
  const stores = openForReading(home);
  if (!stores) return false;
  const stamp = stores.archive.state('redactor') ?? 0;
  const isUnclean = stamp !== 0 && stores.catalog.state('redactor') !== stamp;
  stores.close();
  return isUnclean;
}

function opened(home: Home, lease: Lease, onRebuild: OnRebuild, wanted: 'kept' | 'anew'): WritableStores {
  const archiveDb = archiveOf(home);
  // What is replaced by its redacted form, or forgotten, must not stay behind in unused pages.
  archiveDb.exec('PRAGMA secure_delete = 1');
  if (archiveDb.version > ARCHIVE_VERSION) {
    archiveDb.close();
    throw new Error(`${home.archive} was made by a newer Portolan`);
  }
  const archive = new Archive(archiveDb);
  const { path, db, catalog, lexical, deriver } = indexOf(home, archive, onRebuild, wanted);
  const keeper = new Keeper(archive);
  const archiveSeal = new Sealing(home.path, home.archive);
  if (archive.isEmpty()) archiveSeal.trust();
  const seals = [archiveSeal, new Sealing(home.index, path).trust()];
  const unseal = () => {
    for (const seal of seals) seal.break();
  };
  return {
    home,
    archive,
    catalog,
    lexical,
    keeper,
    deriver,
    archiveSeal,
    begin() {
      unseal();
      archiveDb.exec('BEGIN IMMEDIATE');
      db.exec('BEGIN IMMEDIATE');
    },
    commit() {
      deriver.settle();
      deriver.projects.settle();
      keeper.noteChange();
      catalog.noteChanges(archive.changes());
      // Where the process dies between the two, the index catches up with the archive when it is opened.
      archiveDb.exec('COMMIT');
      db.exec('COMMIT');
      lexical.merge();
      for (const one of [archiveDb, db]) one.checkpoint();
    },
    rollback() {
      lexical.discard();
      deriver.discard();
      for (const one of [archiveDb, db]) if (one.isInTransaction) one.exec('ROLLBACK');
      deriver.projects.rolledBack();
    },
    finish() {
      unseal();
      const now = Date.now();
      // In the archive too: an index that is made anew knows it from there.
      keeper.setState(LAST_INGEST, now);
      catalog.note(LAST_INGEST, now);
      db.shrink(lexical.settle() ? undefined : SHRUNK_AT_ONCE);
      for (const one of [archiveDb, db]) one.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    rest() {
      unseal();
      const isMore = lexical.rest();
      if (!isMore) db.shrink();
      return isMore;
    },
    close() {
      archiveDb.close();
      db.close();
      for (const seal of seals) seal.end();
      lease.release();
    },
  };
}

/** The archive for its writer: a new one only where nothing tells of an older one. */
function archiveOf(home: Home): Database {
  if (isFileEmpty(home.archive)) expectNoArchive(home);
  const db = openArchive(home.archive);
  try {
    if (new Archive(db).isEmpty()) expectNoArchive(home);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function indexOf(home: Home, archive: Archive, onRebuild: OnRebuild, wanted: 'kept' | 'anew') {
  try {
    return openIndex(home, archive, onRebuild, wanted);
  } catch (error) {
    archive.db.close();
    throw error;
  }
}
