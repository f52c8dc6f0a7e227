import { describe, expect, it } from 'vitest';
import { redactText } from '../../src/redact/redact.ts';
import type { InContext } from './contexts.ts';
import { apart, foreign } from './forms/apart.ts';
import { operated } from './forms/operated.ts';
import { seen } from './forms/seen.ts';
import { bare } from './forms/vendors.ts';
import { Maker, survivor } from './make.ts';

const SEEDS = [101, 102, 103];

/** A secret without what stands inside it in the text: colours, line ends, frames. */
const letters = (text: string) => text.replace(/\s/g, '');

describe.each<[string, (maker: Maker) => readonly InContext[]]>([
  ['secrets as terminals show them', seen],
  ['secrets apart from their names', apart],
  ['passwords beside words of other languages', foreign],
  ['secrets in commands and files', operated],
  ['tokens of vendors alone', bare],
])('%s', (_, formsOf) => {
  it.each(formsOf(new Maker(0)).map(({ id }) => id))(
    '%s: hidden in every draw, and nothing is found the second time',
    (id) => {
      for (const seed of SEEDS)
        for (const { value, text } of formsOf(new Maker(seed)).filter((form) => form.id === id)) {
          const out = redactText(text);
          expect(survivor(letters(value), letters(out.text), 6), out.text).toBeUndefined();
          expect(out.count).toBeGreaterThan(0);
          expect(redactText(out.text)).toEqual({ text: out.text, count: 0 });
        }
    },
  );
});
