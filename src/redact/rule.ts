/** A stretch of a text, in UTF-16 offsets: `end` is the first that is not in it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What stands in the place of a secret, in square brackets: a label for each of the formats that have one of their own. */
export const LABELS = [
  'AWS_KEY',
  'GH_TOKEN',
  'GL_TOKEN',
  'API_KEY',
  'SLACK_TOKEN',
  'GOOGLE_KEY',
  'JWT',
  'PEM_BLOCK',
  'SECRET',
] as const;
/** `SECRET` is for all that has no label of its own. */
export type Label = (typeof LABELS)[number];

/** Finds the labels that stand in a text. */
export const LABEL = new RegExp(`\\[(?:${LABELS.join('|')})\\]`, 'g');

/** What one kind of secret looks like. Rules are data: the engine (`redactor.ts`) knows none of them. */
export interface Rule {
  readonly label: Label;
  /** A text without any of these holds no such secret; the pattern is tried where one of them stands, nowhere else. */
  readonly literals: readonly string[];
  /** Whether the literals, in lower case, are found in any case. */
  readonly fold?: boolean;
  /**
   * Sticky: tried where a literal begins. What stands before that is looked at from behind, and is hidden too where
   * that is named `head`. Where the match ends in a group named `secret`, that alone is hidden, else all of it. Linear:
   * no loop inside a loop, no two open ones side by side that can share characters; with `secret` each is bounded,
   * since a match that turns out to be none is not skipped.
   */
  readonly pattern: RegExp;
  /** Takes what belongs to the secret beyond a bound of the pattern; sticky. */
  readonly rest?: RegExp;
  /**
   * Whether what was found can be a secret: it gets the group named `body`, else what is to be hidden. It must not turn
   * false by characters being added, or text glued to a secret would shield it.
   */
  readonly plausible?: (body: string, match: RegExpExecArray) => boolean;
  /** Where a pattern finds only a marker: the stretches that are secret. They replace the match's own. */
  readonly reach?: (text: string, marker: Span) => Span | readonly Span[] | undefined;
}
