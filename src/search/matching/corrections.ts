import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import { wordTokens } from '../../lexical/words/identifiers.ts';
import { eachRun } from '../../lexical/words/tokens.ts';
import { isUnspaced } from '../../lexical/words/unspaced.ts';
import { kindOf } from '../query/pasted.ts';
import type { Clause, Query, Word } from '../query/query.ts';
import { editDistance } from './edit-distance.ts';
import { termOf } from './lexical-query.ts';

/** A word that occurs nowhere, and what was looked for in addition: another word, or what begins so (`migr*`). */
export interface Correction {
  readonly from: string;
  readonly to: string;
}

type Terms = Pick<LexicalIndex, 'terms' | 'documentFrequencies' | 'search'>;

/** Nobody types so many. */
const MOST_WORDS = 12;
/** Who misspelt every word of many is not helped by the first ones. */
const MOST_CORRECTED = 3;
/** Shorter words have too many neighbours. */
const SHORTEST = 4;
const LONGEST = 24;
/** Of the words that begin alike, the most frequent are compared. */
const MOST_COMPARED = 200;
/** What was cut off shorter begins too many words. */
const SHORTEST_BEGINNING = 3;

/**
 * A query in which a word that occurs nowhere in the index is also looked for as its nearest word there, and the last
 * one as a beginning: a text may have been cut inside it. A word that is found, a phrase, a beginning and an identifier
 * stay as they are: those were meant so. What was pasted was not typed, but may have been cut.
 */
export function corrected(
  query: Query,
  terms: Terms,
): { readonly query: Query; readonly corrections: readonly Correction[] } {
  const known = new Map<string, Correction[]>();
  for (const [from, to] of [...nearestWords(query, terms), ...begunWord(query, terms)]) {
    const before = known.get(from) ?? [];
    if (!before.some((one) => one.to.startsWith(to.replace(/\*$/, '')))) known.set(from, [...before, { from, to }]);
  }
  if (known.size === 0) return { query, corrections: [] };
  const clauses = query.clauses.map((clause) => withCorrections(clause, known));
  return { query: { ...query, clauses }, corrections: [...known.values()].flat() };
}

type Pair = readonly [from: string, to: string];

function nearestWords(query: Query, terms: Terms): Pair[] {
  const words = query.clauses.flatMap(wordsIn);
  if (words.length > MOST_WORDS || kindOf(query.text) !== 'query') return [];
  const tokens = new Map(words.map(({ text }) => [text, plainToken(text)]));
  const plain = [...tokens].flatMap(([text, token]) => (token === undefined ? [] : [{ text, token }]));
  const frequencies = terms.documentFrequencies(plain.map(({ token }) => token));
  const unknown = plain.filter((_, i) => frequencies[i] === 0).slice(0, MOST_CORRECTED);
  return unknown.flatMap(({ text, token }): Pair[] => {
    const to = nearest(token, terms);
    return to === undefined ? [] : [[text, to]];
  });
}

/** The last word of a query, where it occurs nowhere but begins others. */
function begunWord({ clauses }: Query, terms: Terms): Pair[] {
  const last = clauses.findLast((clause) => clause.type === 'word');
  const term = last && termOf(last);
  const tokens = term?.alternatives.at(-1) ?? [];
  const begun = tokens.at(-1) ?? '';
  // Of the last name of a path less is enough: what stands before it says more.
  const isLong = begun.length >= (tokens.length > 1 ? 2 : SHORTEST_BEGINNING);
  if (!last || !term || term.prefix || !isLong || isUnspaced(begun)) return [];
  if (occurs(last, terms) || !occurs({ ...last, prefix: true }, terms)) return [];
  return [[last.text, `${last.text}*`]];
}

function occurs(word: Word, terms: Terms): boolean {
  const term = termOf(word);
  return term !== undefined && terms.search({ type: 'term', term }, undefined, 1).hits.length > 0;
}

/** Words that were typed as such and are looked for. */
function wordsIn(clause: Clause): Word[] {
  if (clause.type === 'word') return clause.prefix ? [] : [clause];
  return clause.type === 'and' || clause.type === 'or' ? clause.of.flatMap(wordsIn) : [];
}

function withCorrections(clause: Clause, known: ReadonlyMap<string, readonly Correction[]>): Clause {
  if (clause.type === 'and' || clause.type === 'or')
    return { ...clause, of: clause.of.map((one) => withCorrections(one, known)) };
  const corrections = clause.type === 'word' && !clause.prefix ? (known.get(clause.text) ?? []) : [];
  if (corrections.length === 0) return clause;
  const others = corrections.map(({ to }): Word => {
    const prefix = to.endsWith('*');
    return { type: 'word', text: prefix ? to.slice(0, -1) : to, prefix };
  });
  return { type: 'or', of: [clause, ...others] };
}

/** A plain word as the index would have it; undefined where it is none: an identifier, a number, a hash. */
function plainToken(text: string): string | undefined {
  const runs: string[] = [];
  eachRun(text, (start, end) => runs.push(text.slice(start, end)));
  const [run = '', ...others] = runs;
  if (others.length > 0 || isUnspaced(run) || !/^[\p{L}\p{M}]+$/u.test(run)) return undefined;
  const [token = '', ...parts] = wordTokens(run);
  return parts.length === 0 && token.length >= SHORTEST && token.length <= LONGEST ? token : undefined;
}

/**
 * The nearest word of the index, of those as near the most frequent. A mistake in the second half of a word leaves its
 * beginning, by which the index is asked; of a mistake in the first half every spelling is looked up.
 */
export function nearest(token: string, terms: Pick<LexicalIndex, 'terms' | 'documentFrequencies'>): string | undefined {
  const most = token.length < 8 ? 1 : 2;
  const kept = Math.max(3, Math.ceil(token.length / 2));
  const near = new Map<string, number>();
  for (const term of terms.terms(token.slice(0, kept), MOST_COMPARED)) {
    const distance = /^\p{L}/u.test(term) ? editDistance(token, term, most) : most + 1;
    if (distance <= most) near.set(term, distance);
  }
  for (const term of neighbours(token, kept)) near.set(term, 1);
  const candidates = [...near.keys()].filter((term) => term.length >= SHORTEST && term !== token);
  const frequencies = terms.documentFrequencies(candidates);
  const found = candidates.flatMap((term, i) => {
    const frequency = frequencies[i]!;
    return frequency === 0 ? [] : [{ term, frequency, distance: near.get(term)! }];
  });
  // Letters are left out more often than put in.
  found.sort((a, b) => a.distance - b.distance || b.frequency - a.frequency || b.term.length - a.term.length);
  return found[0]?.term;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Every spelling with one mistake among the first letters: swapped, left out, another, put in. */
function* neighbours(token: string, kept: number): Generator<string> {
  const letters = /^[a-z]+$/.test(token) ? LETTERS : '';
  for (let i = 0; i < kept; i++) {
    const [before, after] = [token.slice(0, i), token.slice(i + 1)];
    if (i + 1 < token.length && token[i] !== token[i + 1]) yield before + token[i + 1] + token[i] + token.slice(i + 2);
    yield before + after;
    for (const letter of letters) {
      if (letter !== token[i]) yield before + letter + after;
      yield before + letter + token.slice(i);
    }
  }
}
