import { Catalog, type PassageRow, TITLE_CHUNK } from '../src/catalog/catalog.ts';
import { CATALOG_SCHEMA, CATALOG_VERSION } from '../src/catalog/schema.ts';
import { describeChunk } from '../src/holdings/passages.ts';
import type { Stores } from '../src/holdings/stores.ts';
import { FIELDS } from '../src/lexical/fields.ts';
import type { PassageTokens } from '../src/lexical/lexical-index.ts';
import { TokenWriter } from '../src/lexical/words/tokens.ts';
import { Database } from '../src/store/database.ts';
import { FTS5_SCHEMA, Fts5Index } from '../test/support/fts5.ts';

const CHUNKS_A_TRANSACTION = 1000;

type Row = PassageRow & { readonly id: number };

/** The same passages under SQLite's FTS5: what the engine is to be no worse than. Makes the file where it is not there. */
export function witnessOf(stores: Stores, path: string): Stores {
  const db = Database.forWriting(path, `${CATALOG_SCHEMA}${FTS5_SCHEMA}`, CATALOG_VERSION);
  const lexical = new Fts5Index(db);
  copyCatalog(stores.catalog.db.path, db);
  const chunks = chunksIn(stores.catalog);
  for (let left = true; left; )
    db.transaction(() => {
      for (let i = 0; i < CHUNKS_A_TRANSACTION && left; i++) {
        const { value: rows, done } = chunks.next();
        left = !done;
        if (rows) for (const [id, tokens] of tokensOf(stores, rows)) lexical.add(id, tokens);
      }
    });
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  return { ...stores, catalog: new Catalog(db), lexical, close: () => db.close() };
}

/** Copies the derived tables of an index. */
function copyCatalog(from: string, db: Database): void {
  db.run('ATTACH ? AS original', from);
  const tables = [...CATALOG_SCHEMA.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)].map((found) => found[1]!);
  db.transaction(() => {
    for (const table of tables) db.exec(`INSERT OR REPLACE INTO main.${table} SELECT * FROM original.${table}`);
  });
  db.exec('DETACH original');
}

/** The passages of each chunk together, in their order. */
function* chunksIn(catalog: Catalog): Generator<Row[], undefined> {
  const rows = catalog.db.each<Row>(
    `SELECT id, session, turn, chunk, first_part AS firstPart, from_char AS "from", last_part AS lastPart, to_char AS "to",
       flags, bytes FROM passages ORDER BY session, turn, chunk, id`,
  );
  let chunk: Row[] = [];
  for (const row of rows) {
    const [first] = chunk;
    if (first && (first.session !== row.session || first.turn !== row.turn || first.chunk !== row.chunk)) {
      yield chunk;
      chunk = [];
    }
    chunk.push(row);
  }
  if (chunk.length > 0) yield chunk;
  return undefined;
}

function tokensOf(stores: Stores, rows: readonly Row[]): readonly (readonly [number, PassageTokens])[] {
  const { session, turn, chunk, id } = rows[0]!;
  if (chunk === TITLE_CHUNK) {
    const writer = new TokenWriter();
    writer.write(stores.catalog.titlePassage(session)?.title ?? '');
    const lengths = FIELDS.map((field) => (field === 'title' ? writer.length : 0));
    return [[id, { bytes: writer.bytes, lengths }]];
  }
  const body = stores.archive.chunk(session, turn, chunk)!.body;
  // Parts that another session shows stand in no passage.
  const isOwn = (part: number) => rows.some((row) => part >= row.firstPart && part <= row.lastPart);
  const { passages, tokens } = describeChunk(body, isOwn);
  return passages.flatMap((passage, i) => {
    const row = rows[i];
    return row
      ? [[row.id, { bytes: tokens.subarray(passage.tokenStart), lengths: passage.tokenLengths }] as const]
      : [];
  });
}
