import { dirname } from 'node:path';
import { Archive } from '../../src/archive/archive.ts';
import { Catalog } from '../../src/catalog/catalog.ts';
import { CATALOG_SCHEMA, CATALOG_VERSION } from '../../src/catalog/schema.ts';
import { homeOf } from '../../src/home/paths.ts';
import { Deriver } from '../../src/ingest/derive.ts';
import type { Stores } from '../../src/ingest/stores.ts';
import * as own from '../../src/lexical/fts5.ts';
import type { LexicalIndex } from '../../src/lexical/lexical-index.ts';
import { Database } from '../../src/store/database.ts';
import * as witness from '../../test/support/fts5.ts';

/** A full-text engine by its tables and its constructor. */
export interface Engine {
  readonly name: string;
  readonly schema: string;
  open(db: Database): LexicalIndex;
}

/** Portolan's own, and SQLite's FTS5 beside it. */
export const ENGINES = {
  portolan: { name: 'Portolan', schema: own.FTS5_SCHEMA, open: (db: Database) => new own.Fts5Index(db) },
  fts5: { name: 'FTS5', schema: witness.FTS5_SCHEMA, open: (db: Database) => new witness.Fts5Index(db) },
} as const satisfies Record<string, Engine>;
export type EngineId = keyof typeof ENGINES;

const SESSIONS_A_TRANSACTION = 50;

/** Derives an index with an engine from an archive, as Portolan does when it makes its own anew. */
export function deriveIndex(archivePath: string, path: string, engine: Engine): void {
  const archive = new Archive(Database.forReading(archivePath));
  const db = Database.forWriting(path, `${CATALOG_SCHEMA}${engine.schema}`, CATALOG_VERSION);
  try {
    const catalog = new Catalog(db);
    const deriver = new Deriver(archive, catalog, engine.open(db));
    const sessions = archive.revisions();
    for (let start = 0; start < sessions.length; start += SESSIONS_A_TRANSACTION)
      db.transaction(() => {
        for (const { id } of sessions.slice(start, start + SESSIONS_A_TRANSACTION)) deriver.rebuild(id);
        deriver.settle();
        catalog.noteTotals();
      });
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
    archive.db.close();
  }
}

/** Opens an archive and an index that was derived from it. */
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
