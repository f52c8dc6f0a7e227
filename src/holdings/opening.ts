import { Archive } from '../archive/archive.ts';
import { ARCHIVE_VERSION, openArchive } from '../archive/schema.ts';
import { Catalog } from '../catalog/catalog.ts';
import type { Home } from '../home/paths.ts';
import { SegmentedIndex } from '../lexical/segmented-index.ts';
import { Database } from '../store/database.ts';
import { currentGeneration } from '../store/generations.ts';
import { type Lease, takeLease } from '../store/lease.ts';
import { breakSeal, sealState } from '../store/seal.ts';
import { expectNoArchive, isFileEmpty } from './lost.ts';
import type { Stores } from './stores.ts';

/**
 * Opens what there is for reading; undefined where nothing was indexed yet.
 * @throws Damage where archive or index are damaged, or the archive is gone while the index still knows what it held
 */
export function openForReading(home: Home): Stores | undefined {
  const index = currentGeneration(home.index);
  if (index === undefined) return undefined;
  if (isFileEmpty(home.archive)) {
    expectNoArchive(home);
    return undefined;
  }
  const archive = archiveForReading(home);
  let db: Database;
  try {
    if (new Archive(archive).isEmpty()) expectNoArchive(home);
    db = Database.forReading(index);
  } catch (error) {
    archive.close();
    throw error;
  }
  return {
    home,
    archive: new Archive(archive, () => tryToBreakSeal(home)),
    catalog: new Catalog(db),
    lexical: new SegmentedIndex(db),
    close() {
      archive.close();
      db.close();
    },
  };
}

/** What is damaged is looked into by the next indexing, and read again. */
function tryToBreakSeal(home: Home): void {
  try {
    breakSeal(home.path);
  } catch {
    // Nothing may be written here.
  }
}

/** One of an older version is brought up to date first, where that can be done: what reads it asks for all its tables. */
function archiveForReading(home: Home): Database {
  const archive = Database.forReading(home.archive);
  if (archive.version >= ARCHIVE_VERSION) return archive;
  archive.close();
  let lease: Lease | undefined;
  try {
    lease = takeLease(home.lock);
    if (lease) openArchive(home.archive).close();
  } catch {
    // Nothing may be written: it is read as it is.
  } finally {
    lease?.release();
  }
  return Database.forReading(home.archive);
}

/** Whether the index in use was changed from outside since its writer left it. */
export function isIndexChanged(home: Home): boolean {
  const index = currentGeneration(home.index);
  return index !== undefined && sealState(home.index, index) === 'changed';
}
