import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATALOG_SCHEMA } from '../../../src/catalog/schema.ts';
import { LEXICAL_SCHEMA } from '../../../src/lexical/schema.ts';
import { SegmentedIndex } from '../../../src/lexical/segmented-index.ts';
import { Database } from '../../../src/store/database.ts';
import { Chance } from '../../support/chance.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { tokensOfWords } from '../../support/lexical-batches.ts';

describe('a phrase that ends with a beginning', () => {
  it('finds the same where thousands of words begin so as each passage read by itself', () => {
    const chance = new Chance(7);
    const db = Database.forWriting(join(temporaryFolder(), 'index.db'), `${CATALOG_SCHEMA}${LEXICAL_SCHEMA}`, 1);
    const index = new SegmentedIndex(db);
    const word = () =>
      chance.below(4) === 0 ? chance.of(['the', 'red', 'buoy']) : `m${chance.below(3000).toString(36)}`;
    const texts = Array.from({ length: 2500 }, () => Array.from({ length: 1 + chance.below(12) }, word));
    for (let start = 0; start < texts.length; start += 500)
      db.transaction(() => {
        for (const [i, words] of texts.slice(start, start + 500).entries())
          index.add(start + i + 1, tokensOfWords({ prompt: words }));
        index.flush();
      });
    for (const tokens of [
      ['red', 'm'],
      ['red', 'm1'],
      ['the', 'red', 'm'],
      ['red', 'buoy', 'm2'],
      ['m1', 'm'],
    ]) {
      const holds = (words: readonly string[]) =>
        words.some((_, at) =>
          tokens.every((token, i) =>
            i === tokens.length - 1 ? words[at + i]?.startsWith(token) : words[at + i] === token,
          ),
        );
      const expected = texts.flatMap((words, i) => (holds(words) ? [i + 1] : []));
      const { hits, total } = index.search(
        { type: 'term', term: { alternatives: [tokens], prefix: true } },
        undefined,
        5000,
      );
      expect(
        hits.map((hit) => hit.passage).sort((a, b) => a - b),
        tokens.join(' '),
      ).toEqual(expected);
      expect(total).toBe(expected.length);
      if (tokens[0] !== 'm1') expect(expected.length, tokens.join(' ')).toBeGreaterThan(0);
    }
    db.close();
  });
});
