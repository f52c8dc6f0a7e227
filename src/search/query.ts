/** What a person looks for. */
export interface Query {
  readonly text: string;
  /** Any of these may match; passages with all of them come first. */
  readonly words: readonly Word[];
  /** All of these must match, word for word. */
  readonly phrases: readonly string[];
  /** None of these may match. */
  readonly excluded: readonly Word[];
  readonly filters: Filters;
  /** What must not be: `-source:codex`. */
  readonly without: Pick<Filters, NamedFilter>;
}

export interface Word {
  readonly text: string;
  /** The word is a beginning: `migrat*`. */
  readonly prefix: boolean;
}

/** Filters that take any name. */
export type NamedFilter = 'source' | 'project' | 'session' | 'tool' | 'path';

export type Role = 'user' | 'assistant' | 'tool';

export interface Filters {
  readonly source?: readonly string[];
  readonly project?: readonly string[];
  readonly session?: readonly string[];
  readonly role?: readonly Role[];
  readonly tool?: readonly string[];
  readonly path?: readonly string[];
  readonly is?: readonly 'error'[];
  /** Epoch milliseconds, inclusive. */
  readonly since?: number;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number;
}
