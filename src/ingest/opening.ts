import { existsSync } from 'node:fs';
import { Archive } from '../archive/archive.ts';
import { Catalog } from '../catalog/catalog.ts';
import type { Home } from '../home/paths.ts';
import { SegmentedIndex } from '../lexical/segmented-index.ts';
import { Database } from '../store/database.ts';
import { currentGeneration } from '../store/generations.ts';
import { sealState } from '../store/seal.ts';
import type { Stores } from './stores.ts';

/** Opens what there is for reading; undefined where nothing was indexed yet. */
export function openForReading(home: Home): Stores | undefined {
  const index = currentGeneration(home.index);
  if (index === undefined || !existsSync(home.archive)) return undefined;
  const archive = Database.forReading(home.archive);
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

/** Whether the index in use was changed from outside since its writer left it. */
export function isIndexChanged(home: Home): boolean {
  const index = currentGeneration(home.index);
  return index !== undefined && sealState(home.index, index) === 'changed';
}
