import { dirname } from 'node:path';
import { Archive } from '../../src/archive/archive.ts';
import { Catalog } from '../../src/catalog/catalog.ts';
import type { Stores } from '../../src/holdings/stores.ts';
import { homeOf } from '../../src/home/paths.ts';
import type { LexicalIndex } from '../../src/lexical/lexical-index.ts';
import { LEXICAL_SCHEMA } from '../../src/lexical/schema.ts';
import { SegmentedIndex } from '../../src/lexical/segmented-index.ts';
import { Database } from '../../src/store/database.ts';
import { FTS5_SCHEMA, Fts5Index } from '../../test/support/fts5.ts';

/** A full-text engine by its tables and its constructor. */
export interface Engine {
  readonly name: string;
  readonly schema: string;
  open(db: Database): LexicalIndex;
}

/** Portolan's own, and SQLite's FTS5 beside it. */
export const ENGINES = {
  portolan: { name: 'Portolan', schema: LEXICAL_SCHEMA, open: (db: Database) => new SegmentedIndex(db) },
  fts5: { name: 'FTS5', schema: FTS5_SCHEMA, open: (db: Database) => new Fts5Index(db) },
} as const satisfies Record<string, Engine>;
export type EngineId = keyof typeof ENGINES;

/** Opens an archive and an index over it. */
export function openIndex(archivePath: string, path: string, engine: Engine): Stores {
  const archive = Database.forReading(archivePath);
  const db = Database.forReading(path);
  return {
    home: homeOf({ PORTOLAN_HOME: dirname(archivePath) }),
    archive: new Archive(archive),
    catalog: new Catalog(db),
    lexical: engine.open(db),
    close() {
      archive.close();
      db.close();
    },
  };
}
