import { describe, expect, it } from 'vitest';
import { LiteralScanner } from '../../src/redact/literals.ts';
import { Maker } from './make.ts';

function scanned(literals: readonly { text: string; fold: boolean }[], text: string): string[] {
  const found: string[] = [];
  new LiteralScanner(literals).scan(text, (literal, at) => found.push(`${at} ${literals[literal]!.text}`));
  return found.sort();
}

describe('LiteralScanner', () => {
  it('finds what a search for each literal finds, in texts of all kinds', () => {
    for (let seed = 0; seed < 300; seed++) {
      const maker = new Maker(seed);
      const alphabet = maker.pick(['ab', 'abAB_', 'abcé☃', 'xyz-=:']);
      const literals = [
        ...new Set(
          Array.from({ length: 1 + maker.below(12) }, () =>
            maker.text(3 + maker.below(4), alphabet.replace(/[^ -~]/g, '')),
          ),
        ),
        ...(alphabet.includes('é') ? ['é', '☃b', 'éa☃'] : []),
      ].map((text) => {
        const fold = maker.below(2) === 0;
        return { text: fold ? text.toLowerCase() : text, fold };
      });
      const text = maker.text(maker.below(400), alphabet);
      const expected = literals.flatMap(({ text: literal, fold }) => {
        const within = fold ? text.toLowerCase() : text;
        return Array.from({ length: text.length }, (_, at) => at)
          .filter((at) => within.startsWith(literal, at))
          .map((at) => `${at} ${literal}`);
      });
      expect(scanned(literals, text)).toEqual(expected.sort());
    }
  });

  it('takes no literal that begins with fewer than three ASCII characters', () => {
    for (const text of ['ab', 'ab☃', 'abé'])
      expect(() => new LiteralScanner([{ text, fold: false }])).toThrow(/three ASCII/);
  });
});
