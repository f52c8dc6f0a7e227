import type { Stores } from '../src/holdings/stores.ts';
import { search } from '../src/search/answers/search.ts';
import { parseQuery } from '../src/search/query/parse.ts';
import type { Kind, Question } from './ask.ts';
import type { Age } from './draw.ts';
import type { Corpus, Known } from './turns.ts';

/** Hits that somebody looks at. */
export const LOOKED_AT = 10;

/** A question for a turn, made from its own words. */
export interface Asked extends Question {
  readonly known: Known;
  readonly age: Age;
}

/** Where a turn came out when it was asked for. */
export interface Answer {
  /** Names the question: the same in every run over the same corpus. */
  readonly id: string;
  readonly kind: Kind;
  readonly text: string;
  readonly origin: string;
  readonly age: Age;
  /** Place of the turn or of a copy of it among the hits, from 1; absent where it is not among those looked at. */
  readonly rank?: number;
  /** Place of the first hit of its session, or of a copy. */
  readonly sessionRank?: number;
}

/** Asks Portolan's own search, as every door does. */
export function answerTo(stores: Stores, corpus: Corpus, asked: Asked, now: number): Answer {
  const { known, kind, text, age } = asked;
  const hits = search(stores, parseQuery(text, now), { limit: LOOKED_AT, now }).hits.slice(0, LOOKED_AT);
  const place = (isIt: (hit: (typeof hits)[number]) => boolean) => {
    const at = hits.findIndex(isIt);
    return at < 0 ? undefined : at + 1;
  };
  const isCopy = (id: string) => corpus.contentOf(id) === known.content;
  const rank = place((hit) => isCopy(hit.id));
  const sessionRank = place((hit) => hit.session === known.session.key || isCopy(hit.id));
  return {
    id: `${known.session.key}#${known.turn} ${kind}`,
    kind,
    text,
    origin: known.origin,
    age,
    ...(rank !== undefined && { rank }),
    ...(sessionRank !== undefined && { sessionRank }),
  };
}

/** What is measured of an answer, each from 0 to 1. */
export const MEASURES = {
  'S@1': ({ rank }: Answer) => (rank === 1 ? 1 : 0),
  'S@10': ({ rank }: Answer) => (rank === undefined ? 0 : 1),
  MRR: ({ rank }: Answer) => (rank === undefined ? 0 : 1 / rank),
  'session S@10': ({ sessionRank }: Answer) => (sessionRank === undefined ? 0 : 1),
} as const;
export type Measure = keyof typeof MEASURES;
export const MEASURE_NAMES: readonly Measure[] = ['S@1', 'S@10', 'MRR', 'session S@10'];
