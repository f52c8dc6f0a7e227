import type { Reading } from './filters.ts';
import type { Piece } from './pieces.ts';
import { type Clause, not, type TimeFilter } from './query.ts';
import { sourcesAt } from './said-sources.ts';
import { type Place, rangeAt, timeWords } from './times/range.ts';
import { within } from './times.ts';

/** What words of a run say, as a clause, and how many they are. */
interface Said {
  readonly clause: Clause;
  readonly length: number;
}

type Reader = (words: readonly string[], i: number, place: Place) => Said | undefined;

/** Pieces in which words that speak of time and of sources are filters. */
export function plainLanguage(pieces: readonly Piece[], reading: Reading): readonly Piece[] {
  if (!pieces.some((piece) => piece.type === 'bare')) return pieces;
  const timed = replaced(pieces, (words, i, place) => {
    const range = rangeAt(words, i, reading.calendar, place);
    return range && { clause: timeClause(range.since, range.until), length: range.length };
  });
  return replaced(isPossible(timed) ? timed : pieces, (words, i, place) => {
    const said = sourcesAt(words, i, reading.names, place);
    if (!said) return undefined;
    const filter: Clause = { type: 'filter', field: 'source', values: said.ids };
    return { clause: said.isLeftOut ? not(filter) : filter, length: said.length };
  });
}

function timeClause(since: number | undefined, until: number | undefined): Clause {
  const of: TimeFilter[] = [];
  if (since !== undefined) of.push({ type: 'filter', field: 'since', at: within(since) });
  if (until !== undefined) of.push({ type: 'filter', field: 'until', at: within(until) });
  return of.length === 1 ? of[0]! : { type: 'and', of };
}

/** Each stretch of bare words, with what a reader finds in it replaced. */
function replaced(pieces: readonly Piece[], read: Reader): readonly Piece[] {
  const out: Piece[] = [];
  const first = pieces.findIndex((piece) => !isFilter(piece));
  const last = pieces.findLastIndex((piece) => !isFilter(piece));
  for (let at = 0; at < pieces.length; ) {
    const end = endOfRun(pieces, at);
    if (end === at) {
      out.push(pieces[at++]!);
      continue;
    }
    const words = timeWords(pieces.slice(at, end).map((piece) => (piece.type === 'bare' ? piece.word.text : '')));
    for (let i = 0; i < words.length; ) {
      const said = read(words, i, {
        isFirst: at + i === first,
        isLast: (length) => at + i + length === last + 1,
        ...(i > 0 && { previous: words[i - 1]! }),
      });
      out.push(said ? { type: 'clause', clause: said.clause, negated: false } : pieces[at + i]!);
      i += said?.length ?? 1;
    }
    at = end;
  }
  return out;
}

function endOfRun(pieces: readonly Piece[], begin: number): number {
  let end = begin;
  while (pieces[end]?.type === 'bare') end++;
  return end;
}

function isFilter(piece: Piece): boolean {
  return piece.type === 'clause' && timesOf(piece.clause) !== undefined;
}

/** The times of a clause that is made of filters alone. */
function timesOf(clause: Clause): readonly TimeFilter[] | undefined {
  if (clause.type === 'filter') return 'at' in clause ? [clause] : [];
  if (clause.type === 'not') return timesOf(clause.of) && [];
  return clause.type === 'and' ? clause.of.flatMap((one) => timesOf(one) ?? []) : undefined;
}

/** Whether there is a time that all times of a query hold for: "it worked yesterday but not today" names none. */
function isPossible(pieces: readonly Piece[]): boolean {
  if (pieces.some((piece) => piece.type === 'or' || piece.type === 'open')) return true;
  let [since, until] = [0, Number.MAX_VALUE];
  for (const piece of pieces) {
    if (piece.type !== 'clause' || piece.negated) continue;
    for (const { field, at } of timesOf(piece.clause) ?? []) {
      if (field === 'since') since = Math.max(since, at);
      else until = Math.min(until, at);
    }
  }
  return since < until;
}
