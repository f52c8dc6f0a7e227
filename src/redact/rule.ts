/** A stretch of a text, in UTF-16 offsets: `end` is the first that is not in it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What one kind of secret looks like. Rules are data: the engine (`redactor.ts`) knows none of them. */
export interface Rule {
  /** What stands in the secret's place, without its brackets: `GH_TOKEN`. */
  readonly label: string;
  /**
   * A text without any of these (as they are spelled) holds no such secret. The scan for all rules' literals is the
   * only work done on most texts. None means that the pattern is tried on every text.
   */
  readonly literals: readonly string[];
  /** Global, and linear: no loop inside a loop, no two loops side by side that can share characters. */
  readonly pattern: RegExp;
  /** The group to hide where the match also holds what may stay; without it the whole match is hidden. */
  readonly group?: number;
  /**
   * Whether what was found can be a secret: it gets the group named `body`, or else the match. It must not turn false
   * by characters being added, or text glued to a secret would shield it.
   */
  readonly plausible?: (body: string) => boolean;
  /** Where a pattern finds only a marker: the stretch that is secret, or nothing. It replaces the match's own. */
  readonly reach?: (text: string, marker: Span) => Span | undefined;
}
