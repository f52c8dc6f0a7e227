import type { Field } from './fields.ts';

/**
 * One word of a query as tokens: any of the alternatives, each a sequence of tokens. In a token `*` stands for any run of
 * characters and `?` for any one.
 */
export interface Term {
  readonly alternatives: readonly (readonly string[])[];
  /** The last token is a beginning. */
  readonly prefix: boolean;
}

/** What is asked of the index, in its own words. */
export type LexicalQuery =
  | { readonly type: 'term'; readonly term: Term; readonly fields?: readonly Field[] }
  | { readonly type: 'all' | 'any'; readonly of: readonly LexicalQuery[] }
  | { readonly type: 'but'; readonly of: LexicalQuery; readonly not: LexicalQuery };

export interface LexicalHit {
  readonly passage: number;
  /** Higher is better. */
  readonly score: number;
}

export interface LexicalResult {
  readonly hits: readonly LexicalHit[];
  readonly total: number;
  readonly relation: 'eq' | 'gte';
}

/** What is asked for at best, and what will do. */
export interface Tiers {
  readonly all: LexicalQuery;
  readonly any: LexicalQuery;
}

export interface TieredResult extends LexicalResult {
  /** So many of the hits, the first ones, are all that was asked for. */
  readonly full: number;
}

/** A condition in SQL with its values. */
export interface Sql {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** SQL that a passage must hold for, over the catalog's tables `p` (passages) and `s` (sessions), with its values. */
export interface PassageFilter extends Sql {
  /**
   * What is known of it by the session alone, over `s`, which saves asking every passage.
   */
  readonly ofSessions?: {
    /** A session of which any passage passes holds for it. */
    readonly need: Sql;
    /** All passages of a session that holds for it too pass. */
    readonly enough?: Sql;
    /** What is left to be asked of the passages of a session that holds for `need`; absent: all of the filter. */
    readonly rest?: Sql;
    /** The passages that hold for `rest` are few, and found at once by an index of their own. */
    readonly areFew?: boolean;
  };
}

/** The tokens of a passage: UTF-8, each followed by a space (or by `SAME_POSITION`), field after field. */
export interface PassageTokens {
  readonly bytes: Uint8Array;
  /** Bytes of each field, in the order of `FIELDS`. */
  readonly lengths: readonly number[];
}

export interface LexicalIndex {
  /** Adds a passage of a session (0 where it is of none), inside the writer's transaction. */
  add(passage: number, tokens: PassageTokens, session?: number): void;
  remove(passages: readonly number[]): void;
  /** Writes what was added: before the transaction ends. */
  flush(): void;
  /** Forgets what was added and not written: the transaction was undone. */
  discard(): void;
  /** Keeps the index quick to search after what was written, in a transaction of its own: that is found before. */
  merge(): void;
  /**
   * At the end of a run: where much was written, merges what could not be merged beside it, so that a query looks into few
   * segments, in proportion to what was written. A run of a few lines leaves it to longer ones and to `rest`. Gives whether
   * nothing is due any more, as far as it looked.
   */
  settle(): boolean;
  /** Merges a little of what is due, where nobody waits; gives whether more is due. */
  rest(): boolean;
  /** The best `k` passages that match and pass the filter, and how many there are. */
  search(query: LexicalQuery, filter: PassageFilter | undefined, k: number): LexicalResult;
  /**
   * The best `k` passages that match all, then the best of those that match any; `total` counts the first alone where
   * they are `k`, and then is the least that there are.
   */
  searchTiers(asked: Tiers, filter: PassageFilter | undefined, k: number): TieredResult;
  /** The most frequent terms with that beginning. */
  terms(prefix: string, n: number): readonly string[];
  documentFrequency(term: string): number;
  /** In how many passages each of some terms stands: for many of them far quicker than one by one. */
  documentFrequencies(terms: readonly string[]): readonly number[];
}
