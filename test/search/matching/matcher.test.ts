import { describe, expect, it } from 'vitest';
import { positionsOf, tokensOfRun } from '../../../src/lexical/words/identifiers.ts';
import { eachRun } from '../../../src/lexical/words/tokens.ts';
import { Matcher } from '../../../src/search/matching/matcher.ts';
import { parseQuery } from '../../../src/search/query/parse.ts';
import { Chance } from '../../support/chance.ts';

const NOW = Date.parse('2026-11-30T00:00:00Z');

/** The runs of a text that hold a word of one token, or of several in a row, by their tokens alone. */
function bruteForce(text: string, words: readonly string[]): string[] {
  const wanted = words.flatMap((word) => {
    const { whole, parts } = tokensOfRun(word);
    const [first, ...rest] = parts;
    const tokens = parts.map(({ token }) => token);
    const isVersion = first?.token === `v${first?.number}` && rest.length > 0;
    const spellings = [tokens, ...(isVersion ? [[first!.number!, ...tokens.slice(1)]] : [])];
    return whole === undefined ? spellings : [[whole], ...spellings];
  });
  const found: string[] = [];
  eachRun(text, (start, end) => {
    const positions = positionsOf(tokensOfRun(text.slice(start, end)));
    const holds = (sequence: readonly string[]) =>
      positions.some((_, at) => sequence.every((token, i) => positions[at + i]?.includes(token)));
    if (wanted.some(holds)) found.push(text.slice(start, end));
  });
  return found;
}

describe('matches', () => {
  const pieces = ['user', 'User', 'get', 'Get', 'HTTP', 'Server', '2', 'v10', 'größe', 'ﬁle', 'a', 'id', 'ID', 'naïve'];
  const joiners = ['', '', '_', '-', '.', ' ', ' ', '/', '__'];

  it('are the runs whose tokens hold a word, whatever its spelling', () => {
    const chance = new Chance(7);
    const random = (length: number) => Array.from({ length }, () => chance.of(pieces) + chance.of(joiners)).join('');
    let matched = 0;
    for (let round = 0; round < 2000; round++) {
      const text = random(30);
      const words = Array.from({ length: 1 + chance.below(3) }, () => random(1 + chance.below(3)).trim())
        .flatMap((word) => word.split(/[\s/]+|__/))
        .map((word) => word.replace(/^[-_.]+|[-_.]+$/g, ''))
        .filter((word) => word !== '');
      if (words.length === 0) continue;
      const matches = new Matcher(parseQuery(words.join(' '), NOW)).matches(text);
      expect(
        matches.map(({ start, end }) => text.slice(start, end)),
        `${words.join(' ')} in ${text}`,
      ).toEqual(bruteForce(text, words));
      matched += matches.length;
    }
    expect(matched).toBeGreaterThan(5000);
  });

  it('are beginnings where the word is one', () => {
    const text = 'migrate the Migration, pre-migrated and immigrant';
    const matches = new Matcher(parseQuery('migrat*', NOW)).matches(text);
    expect(matches.map(({ start, end }) => text.slice(start, end))).toEqual(['migrate', 'Migration', 'pre-migrated']);
  });
});
