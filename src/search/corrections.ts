import type { LexicalIndex } from '../lexical/lexical-index.ts';
import { wordTokens } from '../lexical/identifiers.ts';
import { eachRun } from '../lexical/tokens.ts';
import { isUnspaced } from '../lexical/unspaced.ts';
import { editDistance } from './edit-distance.ts';
import { kindOf } from './pasted.ts';
import type { Clause, Query, Word } from './query.ts';

/** A word that occurs nowhere, and the one that was looked for in addition. */
export interface Correction {
  readonly from: string;
  readonly to: string;
}

type Terms = Pick<LexicalIndex, 'terms' | 'documentFrequency'>;

/** Nobody types so many. */
const MOST_WORDS = 12;
const MOST_CORRECTIONS = 3;
/** Shorter words have too many neighbours. */
const SHORTEST = 4;
const LONGEST = 24;
/** Of the words that begin alike, the most frequent are compared. */
const MOST_COMPARED = 200;

/**
 * A query in which a word that occurs nowhere in the index is also looked for as its nearest word there. A word that is
 * found, a phrase, a beginning and an identifier stay as they are: those were meant so. What was pasted was not typed.
 */
export function corrected(
  query: Query,
  terms: Terms,
): { readonly query: Query; readonly corrections: readonly Correction[] } {
  const words = query.clauses.flatMap(wordsIn);
  if (words.length > MOST_WORDS || kindOf(query.text) !== 'query') return { query, corrections: [] };
  const known = new Map<string, Correction>();
  for (const { text } of words) {
    if (known.size === MOST_CORRECTIONS) break;
    const token = tokenOf(text);
    if (token === undefined || known.has(text) || terms.documentFrequency(token) > 0) continue;
    const to = nearest(token, terms);
    if (to !== undefined) known.set(text, { from: text, to });
  }
  if (known.size === 0) return { query, corrections: [] };
  const clauses = query.clauses.map((clause) => withCorrections(clause, known));
  return { query: { ...query, clauses }, corrections: [...known.values()] };
}

/** Words that were typed as such and are looked for. */
function wordsIn(clause: Clause): Word[] {
  if (clause.type === 'word') return clause.prefix ? [] : [clause];
  return clause.type === 'and' || clause.type === 'or' ? clause.of.flatMap(wordsIn) : [];
}

function withCorrections(clause: Clause, known: ReadonlyMap<string, Correction>): Clause {
  if (clause.type === 'and' || clause.type === 'or')
    return { ...clause, of: clause.of.map((one) => withCorrections(one, known)) };
  const correction = clause.type === 'word' && !clause.prefix ? known.get(clause.text) : undefined;
  return correction ? { type: 'or', of: [clause, { type: 'word', text: correction.to, prefix: false }] } : clause;
}

/** A plain word as the index would have it; undefined where it is none: an identifier, a number, a hash. */
function tokenOf(text: string): string | undefined {
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
export function nearest(token: string, terms: Terms): string | undefined {
  const most = token.length < 8 ? 1 : 2;
  const kept = Math.max(3, Math.ceil(token.length / 2));
  let best: { readonly term: string; readonly distance: number; readonly frequency: number } | undefined;
  const consider = (term: string, distance: number) => {
    if (distance > most || (best && distance > best.distance) || term.length < SHORTEST || term === token) return;
    const frequency = terms.documentFrequency(term);
    if (frequency === 0) return;
    // Letters are left out more often than put in.
    const isNearer =
      !best ||
      distance < best.distance ||
      frequency > best.frequency ||
      (frequency === best.frequency && term.length > best.term.length);
    if (isNearer) best = { term, distance, frequency };
  };
  for (const term of terms.terms(token.slice(0, kept), MOST_COMPARED))
    if (/^\p{L}/u.test(term)) consider(term, editDistance(token, term, best?.distance ?? most));
  for (const term of neighbours(token, kept)) consider(term, 1);
  return best?.term;
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
