import type { Field } from '../../lexical/fields.ts';
import { fold } from '../../lexical/words/folding.ts';
import { positionsOf, type RunTokens, tokensOfRun } from '../../lexical/words/identifiers.ts';
import { seen } from '../../lexical/words/runs.ts';
import { eachRun, eachWord } from '../../lexical/words/tokens.ts';
import { isUnspaced } from '../../lexical/words/unspaced.ts';
import { type Query, type Word, wanted } from '../query/query.ts';
import { phraseTokens, spellingsOf } from './lexical-query.ts';

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
}

/** A word's tokens inside a run. */
interface Within extends Sequence {
  /** Stands in every ASCII run that holds the tokens, in lower case. */
  readonly sign: string;
}

/** What stands at each place of a text: any of its tokens finds it. */
type Positions = readonly (readonly string[])[];

/** A run of a text, with its tokens. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly positions: Positions;
}

/** Finds in a text what the index found in it: the words and phrases of a query, by the same tokens. */
export class Matcher {
  /** The fields that the query speaks of; undefined for all. */
  readonly fields: readonly Field[] | undefined;
  private readonly sequences: Within[] = [];
  private readonly phrases: Sequence[] = [];
  private readonly unspaced: { readonly word: number; readonly text: string }[] = [];
  /** Whether a sign may be part of what is looked for: then each run is looked at together with what stands beside it. */
  private hasSigns = false;

  constructor({ clauses }: Pick<Query, 'clauses'>, fields?: readonly Field[]) {
    this.fields = fields;
    for (const [index, one] of wanted(clauses).entries())
      if (one.type === 'word') this.learn(one, index);
      else this.learnPhrase(one.text, index);
  }

  /** Whether nothing is looked for. */
  get isEmpty(): boolean {
    return this.sequences.length === 0 && this.phrases.length === 0 && this.unspaced.length === 0;
  }

  private learn({ text, prefix }: Pick<Word, 'text' | 'prefix'>, word: number): void {
    eachWord(text, (tokens, start, end) => {
      const run = text.slice(start, end);
      if (isUnspaced(run)) this.unspaced.push({ word, text: fold(seen(run)) });
      else if (tokens.parts.length > 0) this.learnRun(tokens, prefix, word);
    });
  }

  private learnRun(run: RunTokens, prefix: boolean, word: number): void {
    for (const tokens of spellingsOf(run, prefix)) this.expect({ word, tokens, prefix });
    this.hasSigns ||= run.signed !== undefined;
  }

  private expect(sequence: Sequence): void {
    // A token is a stretch of its run, but that all joiners are one, and signs stand beside it.
    const stretches = sequence.tokens.flatMap((token) => token.split(/[_.#+]/));
    const sign = stretches.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
    this.sequences.push({ ...sequence, sign });
  }

  private learnPhrase(text: string, word: number): void {
    // Text without spaces is found inside runs, where it is no sequence of tokens.
    if (isUnspaced(text)) for (const part of text.split(/\s+/)) this.learn({ text: part, prefix: false }, word);
    else {
      const tokens = phraseTokens(text);
      if (tokens.length > 0) this.phrases.push({ word, tokens, prefix: false });
    }
  }

  /** The matches in a text, in order. */
  matches(text: string): Match[] {
    const runs: Run[] = [];
    const found: (Match | undefined)[] = [];
    const inside: Match[] = [];
    const look = (tokens: RunTokens, start: number, end: number) => {
      const positions = positionsOf(tokens);
      const hit = this.sequences.find((sequence) => holdsAt(positions, sequence) >= 0);
      runs.push({ start, end, positions });
      found.push(hit && { start, end, word: hit.word });
      if (!hit && this.unspaced.length > 0) inside.push(...this.inUnspaced(text.slice(start, end), start));
    };
    if (this.phrases.length > 0 || this.hasSigns) eachWord(text, look);
    else
      eachRun(text, (start, end, kind) => {
        const run = text.slice(start, end);
        // Most runs hold nothing that was asked for, and tokens take far longer than a look.
        if (kind === 'wide' || this.mayHold(run)) look(tokensOfRun(run), start, end);
      });
    if (this.phrases.length > 0) this.markPhrases(runs, found);
    const matches = found.filter((match) => match !== undefined);
    return inside.length === 0 ? matches : [...matches, ...inside].sort((a, b) => a.start - b.start);
  }

  /** Marks the runs that hold a phrase between them, each as a match of its own. */
  private markPhrases(runs: readonly Run[], found: (Match | undefined)[]): void {
    const positions = runs.flatMap((run) => run.positions);
    const runOf = runs.flatMap((run, index) => run.positions.map(() => index));
    for (const phrase of this.phrases)
      for (let at = holdsAt(positions, phrase); at >= 0; at = holdsAt(positions, phrase, at + 1))
        for (let run = runOf[at]!; run <= runOf[at + phrase.tokens.length - 1]!; run++)
          found[run] ??= { start: runs[run]!.start, end: runs[run]!.end, word: phrase.word };
  }

  private mayHold(run: string): boolean {
    const lower = run.toLowerCase();
    return this.sequences.some(({ sign }) => lower.includes(sign));
  }

  /** A text without spaces is one run: the matches inside it. */
  private inUnspaced(run: string, base: number): Match[] {
    let folded = '';
    const offsets: number[] = [];
    let offset = 0;
    for (const character of run) {
      const shape = fold(seen(character));
      for (let i = 0; i < shape.length; i++) offsets.push(offset);
      folded += shape;
      offset += character.length;
    }
    offsets.push(offset);
    const found = this.unspaced.flatMap(({ word, text }) => {
      const places: Match[] = [];
      for (let at = folded.indexOf(text); at >= 0; at = folded.indexOf(text, at + text.length))
        places.push({ start: base + offsets[at]!, end: base + offsets[at + text.length]!, word });
      return places;
    });
    found.sort((a, b) => a.start - b.start);
    return found.filter((match, i) => i === 0 || match.start >= found[i - 1]!.end);
  }
}

/** Where positions hold a sequence, one after the other, from a place on; -1 where they do not. */
function holdsAt(positions: Positions, { tokens: wanted, prefix }: Sequence, from = 0): number {
  const last = wanted.length - 1;
  for (let start = from; start + last < positions.length; start++) {
    const isHere = wanted.every((token, i) => {
      const here = positions[start + i]!;
      return i === last && prefix ? here.some((one) => one.startsWith(token)) : here.includes(token);
    });
    if (isHere) return start;
  }
  return -1;
}
