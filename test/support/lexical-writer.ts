import { writeSync } from 'node:fs';
import { CATALOG_SCHEMA } from '../../src/catalog/schema.ts';
import { LEXICAL_SCHEMA } from '../../src/lexical/schema.ts';
import { SegmentedIndex } from '../../src/lexical/segmented-index.ts';
import { Database } from '../../src/store/database.ts';
import { type Batch, batchOf, tokensOfWords } from './lexical-batches.ts';

/** Writes batches to an index for as long as it lives, and says which it has committed: a process that is to be killed. */
const [path, most] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: lexical-writer.ts PATH BATCHES');
const db = Database.forWriting(path, `${CATALOG_SCHEMA}${LEXICAL_SCHEMA}`, 1);
// Merges are left in the middle, to be gone on with by the next batch.
const index = new SegmentedIndex(db, 1);
const done = () => db.row<{ n: number }>("SELECT value AS n FROM state WHERE name = 'batch'")?.n ?? 0;
for (let n = done(); n < Number(most); n++) {
  db.transaction(() => write(batchOf(n)));
  index.merge();
  writeSync(1, `${n + 1}\n`);
}
db.close();

function write({ added, removed }: Batch): void {
  index.remove(removed);
  for (const [id, words] of added) index.add(id, tokensOfWords(words));
  index.flush();
  db.run("INSERT OR REPLACE INTO state (name, value) VALUES ('batch', ?)", done() + 1);
}
