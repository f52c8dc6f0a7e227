import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATALOG_SCHEMA } from '../../src/catalog/schema.ts';
import type { LexicalQuery } from '../../src/lexical/lexical-index.ts';
import { LEXICAL_SCHEMA } from '../../src/lexical/schema.ts';
import { SegmentedIndex } from '../../src/lexical/segmented-index.ts';
import { Database } from '../../src/store/database.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { tokensOfWords } from '../support/lexical-batches.ts';
import { segmentsOf } from '../support/segments.ts';

const FILES = 20;
/** Passages of a chunk: an append replaces those of the last one. */
const PASSAGES_OF_A_CHUNK = 30;
const WORDS = 60;
const MOST_SEGMENTS = 24;

const word = (term: string): LexicalQuery => ({ type: 'term', term: { alternatives: [[term]], prefix: false } });

/** Milliseconds: what half, most, and all but few of them are below, and the worst. */
function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (p: number) => sorted[Math.floor((sorted.length - 1) * p)]!.toFixed(2);
  return `median ${at(0.5)}, 95th ${at(0.95)}, 99.9th ${at(0.999)}, worst ${at(1)} ms`;
}

/** Milliseconds by the clock, and of this process on a processor. */
function now() {
  const { user, system } = process.cpuUsage();
  return { clock: performance.now(), work: (user + system) / 1000 };
}

describe('single appends', () => {
  it('are each found at once, and leave few segments', { timeout: 7_200_000 }, () => {
    const chance = new Chance(3);
    const path = join(temporaryFolder(), 'index.db');
    const db = Database.forWriting(path, `${CATALOG_SCHEMA}${LEXICAL_SCHEMA}`, 1);
    const index = new SegmentedIndex(db);
    const reader = new SegmentedIndex(Database.forReading(path));
    const files: { texts: string[][]; ids: number[] }[] = Array.from({ length: FILES }, () => ({ texts: [], ids: [] }));
    const kept: number[] = [];
    const work: number[] = [];
    const behind: number[] = [];
    let next = 1;
    let most = 0;
    const appends = times(1500, 100_000);
    for (let n = 0; n < appends; n++) {
      const file = chance.of(files);
      if (file.texts.length === PASSAGES_OF_A_CHUNK) file.texts = file.ids = [];
      const mark = `mark${n}`;
      const words = Array.from({ length: WORDS }, () => `w${Math.floor(20_000 * chance.next() ** 4)}`);
      file.texts = [...file.texts, [...words, mark]];
      const begin = now();
      db.exec('BEGIN IMMEDIATE');
      index.remove(file.ids);
      file.ids = file.texts.map(() => next++);
      for (const [i, id] of file.ids.entries()) index.add(id, tokensOfWords({ answer: file.texts[i]! }));
      index.flush();
      db.exec('COMMIT');
      const { hits } = reader.search(word(mark), undefined, 10);
      const found = now();
      expect(hits.map((hit) => hit.passage)).toEqual([file.ids.at(-1)]);
      index.merge();
      const end = now();
      kept.push(found.clock - begin.clock);
      work.push(found.work - begin.work);
      behind.push(end.work - found.work);
      most = Math.max(most, segmentsOf(db).length);
    }
    const common: number[] = [];
    for (let n = 0; n < 50; n++) {
      const begin = performance.now();
      reader.search({ type: 'any', of: [word(`w${n}`), word(`w${n * 7}`)] }, undefined, 1000);
      common.push(performance.now() - begin);
    }
    console.log(
      `${appends} appends: kept and found in ${spread(kept)} by the clock, ${spread(work)} of a processor; ` +
        `merged behind each for ${spread(behind)} of a processor; ` +
        `segments at most ${most}, in the end ${segmentsOf(db).length}; two common words then ${spread(common)}`,
    );
    expect(most).toBeLessThanOrEqual(MOST_SEGMENTS);
    db.close();
  });
});
