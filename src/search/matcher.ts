import type { Field } from '../lexical/fields.ts';
import { eachRun, fold, isCjk, wordTokens } from '../lexical/tokens.ts';
import { fieldsOf } from './lexical-query.ts';
import type { Query, Word } from './query.ts';

/** A match in a text: UTF-16 offsets, and which of the query's words it is. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly word: number;
}

interface Sequence {
  readonly word: number;
  readonly tokens: readonly string[];
  readonly prefix: boolean;
  /** Stands in every ASCII run that holds the tokens, in lower case. */
  readonly sign: string;
}

/** Finds in a text what the index found in it: the words of a query, by the same tokens. */
export class Matcher {
  /** The fields that the query speaks of; undefined for all. */
  readonly fields: readonly Field[] | undefined;
  private readonly sequences: Sequence[] = [];
  private readonly cjk: { readonly word: number; readonly text: string }[] = [];

  constructor(query: Query) {
    this.fields = fieldsOf(query.filters);
    const phrases = query.phrases.flatMap((text) => text.split(/\s+/).map((word) => ({ text: word, prefix: false })));
    for (const [index, word] of [...query.words, ...phrases].entries()) this.learn(word, index);
  }

  private learn({ text, prefix }: Word, word: number): void {
    eachRun(text, (start, end) => {
      const run = text.slice(start, end);
      if (isCjk(run)) {
        this.cjk.push({ word, text: fold(run) });
        return;
      }
      const [first, ...rest] = wordTokens(run);
      if (first === undefined) return;
      this.expect({ word, tokens: [first], prefix: prefix && rest.length === 0 });
      if (rest.length > 0) this.expect({ word, tokens: rest, prefix });
    });
  }

  private expect(sequence: Omit<Sequence, 'sign'>): void {
    // A token is a stretch of its run, but that all joiners are one.
    const stretches = sequence.tokens.flatMap((token) => token.split('_'));
    const sign = stretches.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
    this.sequences.push({ ...sequence, sign });
  }

  /** The matches in a text, in order. */
  matches(text: string): Match[] {
    const found: Match[] = [];
    eachRun(text, (start, end, kind) => {
      const run = text.slice(start, end);
      // Most runs hold nothing that was asked for, and tokens take far longer than a look.
      if (kind !== 'wide' && !this.mayHold(run)) return;
      const tokens = wordTokens(run);
      const hit = this.sequences.find((sequence) => holds(tokens, sequence));
      if (hit) found.push({ start, end, word: hit.word });
      else if (kind === 'wide' && this.cjk.length > 0) found.push(...this.inCjk(run, start));
    });
    return found;
  }

  private mayHold(run: string): boolean {
    const lower = run.toLowerCase();
    return this.sequences.some(({ sign }) => lower.includes(sign));
  }

  /** A text without spaces is one run: the matches inside it. */
  private inCjk(run: string, base: number): Match[] {
    let folded = '';
    const offsets: number[] = [];
    let offset = 0;
    for (const character of run) {
      const shape = fold(character);
      for (let i = 0; i < shape.length; i++) offsets.push(offset);
      folded += shape;
      offset += character.length;
    }
    offsets.push(offset);
    const found = this.cjk.flatMap(({ word, text }) => {
      const places: Match[] = [];
      for (let at = folded.indexOf(text); at >= 0; at = folded.indexOf(text, at + text.length))
        places.push({ start: base + offsets[at]!, end: base + offsets[at + text.length]!, word });
      return places;
    });
    found.sort((a, b) => a.start - b.start);
    return found.filter((match, i) => i === 0 || match.start >= found[i - 1]!.end);
  }
}

/** Whether tokens hold a sequence, one after the other. */
function holds(tokens: readonly string[], { tokens: wanted, prefix }: Sequence): boolean {
  const last = wanted.length - 1;
  for (let start = 0; start + last < tokens.length; start++) {
    const isHere = wanted.every((token, i) =>
      i === last && prefix ? tokens[start + i]!.startsWith(token) : tokens[start + i] === token,
    );
    if (isHere) return true;
  }
  return false;
}
