import { Catalog } from '../src/catalog/catalog.ts';
import { CATALOG_SCHEMA, CATALOG_VERSION } from '../src/catalog/schema.ts';
import { Deriver } from '../src/ingest/derive.ts';
import type { Stores } from '../src/ingest/stores.ts';
import { Database } from '../src/store/database.ts';
import { FTS5_SCHEMA, Fts5Index } from '../test/support/fts5.ts';

/** The same archive under SQLite's FTS5: what the engine is to be no worse than. */
export function witnessOf({ home, archive }: Stores, path: string): Stores {
  const db = Database.forWriting(path, `${CATALOG_SCHEMA}${FTS5_SCHEMA}`, CATALOG_VERSION);
  const catalog = new Catalog(db);
  const lexical = new Fts5Index(db);
  const deriver = new Deriver(archive, catalog, lexical);
  db.transaction(() => {
    for (const { id } of archive.revisions()) deriver.rebuild(id);
    deriver.settle();
    catalog.noteTotals();
  });
  return { home, archive, catalog, lexical, close: () => db.close() };
}
