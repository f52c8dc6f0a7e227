import { FIELDS, type Field } from '../../src/lexical/fields.ts';
import type { PassageTokens } from '../../src/lexical/lexical-index.ts';
import { Chance } from './chance.ts';

/** The words of a passage by field. */
export type Words = Readonly<Partial<Record<Field, readonly string[]>>>;

/** What one transaction adds and removes. */
export interface Batch {
  readonly added: readonly (readonly [passage: number, words: Words])[];
  readonly removed: readonly number[];
}

const PASSAGES_OF_A_BATCH = 40;
const VOCABULARY = 400;

/** A batch by its number: the same each time. It replaces one passage of the batch before, and removes some of an older one. */
export function batchOf(n: number): Batch {
  const chance = new Chance(n + 1);
  const idsOf = (batch: number) =>
    Array.from({ length: PASSAGES_OF_A_BATCH }, (_, i) => batch * PASSAGES_OF_A_BATCH + i + 1);
  const word = () => `w${Math.floor(VOCABULARY * chance.next() ** 3)}`;
  const words = (): Words => ({
    [chance.of(FIELDS)]: Array.from({ length: 1 + chance.below(30) }, word),
    [chance.of(FIELDS)]: Array.from({ length: chance.below(10) }, word),
  });
  const replaced = n > 0 ? [idsOf(n - 1).at(-1)!] : [];
  const old = n > 2 ? idsOf(n - 3).filter((id) => id % 3 === 0) : [];
  return {
    removed: [...replaced, ...old],
    added: [...replaced, ...idsOf(n)].map((id) => [id, words()] as const),
  };
}

/** The passages that are there after so many batches. */
export function passagesAfter(batches: number): Map<number, Words> {
  const passages = new Map<number, Words>();
  for (let n = 0; n < batches; n++) {
    const { added, removed } = batchOf(n);
    for (const id of removed) passages.delete(id);
    for (const [id, words] of added) passages.set(id, words);
  }
  return passages;
}

/** Words as an index is given them. */
export function tokensOfWords(words: Words): PassageTokens {
  const fields = FIELDS.map((field) => Buffer.from((words[field] ?? []).map((word) => `${word} `).join('')));
  return { bytes: Buffer.concat(fields), lengths: fields.map((field) => field.length) };
}
