import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATALOG_SCHEMA } from '../../src/catalog/schema.ts';
import { describeChunk } from '../../src/holdings/passages.ts';
import type { LexicalIndex, LexicalQuery } from '../../src/lexical/lexical-index.ts';
import { LEXICAL_SCHEMA } from '../../src/lexical/schema.ts';
import { SegmentedIndex } from '../../src/lexical/segmented-index.ts';
import { Database } from '../../src/store/database.ts';
import { SHARED, shared } from '../oracle/product.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { FTS5_SCHEMA, Fts5Index } from '../support/fts5.ts';
import { Portolan } from '../support/portolan.ts';

const HISTORIES = ['corpus/natural/cli', 'corpus/homes/claude'];

/** Indexes the passages of a history anew, with both engines. */
async function both(history: string): Promise<readonly [SegmentedIndex, Fts5Index]> {
  const portolan = new Portolan({
    home: shared(...history.split('/')),
    platform: 'linux',
    variables: {},
    projects: [],
  });
  await portolan.index();
  const { archive } = portolan.read();
  const folder = temporaryFolder();
  const segments = Database.forWriting(join(folder, 'a.db'), `${CATALOG_SCHEMA}${LEXICAL_SCHEMA}`, 1);
  const fts5 = Database.forWriting(join(folder, 'b.db'), `${CATALOG_SCHEMA}${FTS5_SCHEMA}`, 1);
  const indexes = [new SegmentedIndex(segments), new Fts5Index(fts5)] as const;
  for (const db of [segments, fts5]) db.exec('BEGIN');
  let passage = 0;
  for (const { id } of archive.revisions())
    for (const { turn } of archive.turns(id))
      for (const { body } of archive.chunksOf(id, turn)) {
        const { passages, tokens } = describeChunk(body);
        for (const { tokenStart, tokenLengths } of passages) {
          passage++;
          for (const index of indexes)
            index.add(passage, { bytes: tokens.subarray(tokenStart), lengths: tokenLengths });
        }
        if (passage % 2000 < passages.length) indexes[0].flush();
      }
  indexes[0].flush();
  for (const db of [segments, fts5]) db.exec('COMMIT');
  indexes[0].merge();
  return indexes;
}

const found = (index: LexicalIndex, query: LexicalQuery) =>
  index
    .search(query, undefined, 100_000)
    .hits.map((hit) => hit.passage)
    .sort((a, b) => a - b);

describe.skipIf(SHARED === undefined).each(HISTORIES)('on %s', (history) => {
  it('finds what FTS5 finds: words, all of some, any of some, beginnings', { timeout: 600_000 }, async () => {
    const [segments, fts5] = await both(history);
    const chance = new Chance(17);
    const frequent = 'abcdefghijklmnopqrstuvwxyz0_é数'.split('').flatMap((letter) => fts5.terms(letter, 60));
    const rare = fts5.terms('s', 5000).concat(fts5.terms('m', 5000)).concat(fts5.terms('1', 2000));
    const term = (prefix: boolean): LexicalQuery => {
      const token = chance.of(chance.below(2) === 0 ? frequent : rare);
      const alternatives = [[prefix ? token.slice(0, 2 + chance.below(4)) : token]];
      return { type: 'term', term: { alternatives, prefix } };
    };
    for (let n = times(300, 3000); n > 0; n--) {
      const of = Array.from({ length: 1 + chance.below(4) }, () => term(chance.below(4) === 0));
      const query: LexicalQuery = of.length === 1 ? of[0]! : { type: chance.of(['all', 'any']), of };
      expect(found(segments, query), JSON.stringify(query)).toEqual(found(fts5, query));
    }
    for (const token of rare.slice(0, 500))
      expect(segments.documentFrequency(token)).toBe(fts5.documentFrequency(token));
    // Of equally frequent ones either may come first.
    const frequencies = (index: LexicalIndex) => index.terms('co', 50).map((token) => fts5.documentFrequency(token));
    expect(frequencies(segments)).toEqual(frequencies(fts5));
  });
});
