import { existsSync } from 'node:fs';
import { Archive } from '../archive/archive.ts';
import { ARCHIVE_VERSION, openArchive } from '../archive/schema.ts';
import { Catalog } from '../catalog/catalog.ts';
import type { Home } from '../home/paths.ts';
import { SegmentedIndex } from '../lexical/segmented-index.ts';
import { Database } from '../store/database.ts';
import { currentGeneration } from '../store/generations.ts';
import { type Lease, takeLease } from '../store/lease.ts';
import { sealState } from '../store/seal.ts';
import type { Stores } from './stores.ts';

/** Opens what there is for reading; undefined where nothing was indexed yet. */
export function openForReading(home: Home): Stores | undefined {
  const index = currentGeneration(home.index);
  if (index === undefined || !existsSync(home.archive)) return undefined;
  const archive = archiveForReading(home);
  const db = Database.forReading(index);
  return {
    home,
    archive: new Archive(archive),
    catalog: new Catalog(db),
    lexical: new SegmentedIndex(db),
    close() {
      archive.close();
      db.close();
    },
  };
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
