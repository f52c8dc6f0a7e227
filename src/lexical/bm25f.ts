import { FIELD_WEIGHTS, FIELDS, type Field } from './fields.ts';

/**
 * BM25F in its simple form (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
 * section 3.6): the frequencies of a word in the fields are weighed and summed before they saturate. The length is that
 * of the passage as it is: weighed too, a passage of prompts counts three times as long as one of output and sinks, which
 * costs known items four points of S@1 (docs/quality.md).
 *
 *   f = sum of weight(field) * frequency(word, field)
 *   l = words of all fields, of an identifier the whole and its parts
 *   score = idf * f / (f + k1 * (1 - b + b * l / average l))
 *
 * Frequencies are whole numbers of tenths of a weight.
 */
/** Lower than the usual 1.2: what a tool printed thirty times is not that much more about a word (docs/quality.md). */
const K1 = 0.9;
const B = 0.75;
const TENTHS = 10;

/** What one occurrence in each field adds to a frequency, in tenths. */
export const WEIGHTS: readonly number[] = FIELDS.map((field) => Math.round(FIELD_WEIGHTS[field] * TENTHS));

/** Bits of fields, in the order of `FIELDS`. */
export const ALL_FIELDS = (1 << FIELDS.length) - 1;

export function maskOf(fields: readonly Field[] | undefined): number {
  return fields ? fields.reduce((mask, field) => mask | (1 << FIELDS.indexOf(field)), 0) : ALL_FIELDS;
}

/**
 * A passage's length is kept in a byte: up to 96 words as it is, so that prompts of a line are told apart, then in steps
 * of a 24th of an octave (3 %), up to about 9,500. Code 0 is no length: the passage is not here any more.
 */
const EXACT = 96;
const STEPS = 24;
export const LENGTHS: readonly number[] = Array.from({ length: 256 }, (_, code) =>
  code <= EXACT ? code : Math.round(EXACT * 2 ** ((code - EXACT) / STEPS)),
);

/** The code of a length in words. */
export function lengthCode(words: number): number {
  if (words <= EXACT) return Math.max(1, words);
  return Math.min(255, EXACT + Math.round(STEPS * Math.log2(words / EXACT)));
}

/** For each length code what stands beside the frequency under the line: k1 * (1 - b + b * l / average). */
export function normsOf(averageLength: number): Float64Array {
  const average = averageLength > 0 ? averageLength : 1;
  return Float64Array.from(LENGTHS, (length) => TENTHS * K1 * (1 - B + (B * length) / average));
}

/** Never zero or below: a word that stands everywhere still counts for a little. */
export function idfOf(documents: number, frequency: number): number {
  const holding = Math.min(documents, frequency);
  return Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));
}
