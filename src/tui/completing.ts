import { edited, type LineEditor } from './line-editor.ts';

/** Something that the piece at the cursor may become. */
export interface Completion {
  readonly text: string;
  /** What it stands for, where the text does not say. */
  readonly label?: string;
  /** How many have it, where it was counted. */
  readonly count?: number;
}

/** Completions being gone through: which one stands in the line now, and what stood there before. */
export interface Completing {
  readonly before: LineEditor;
  /** UTF-16 offsets of the piece in the line before. */
  readonly from: number;
  readonly to: number;
  readonly options: readonly Completion[];
  readonly at: number;
}

/** The line with the completion in it that is chosen. */
export function completed({ before, from, to, options, at }: Completing): LineEditor {
  const { text } = options[at]!;
  return edited(before.text.slice(0, from) + text + before.text.slice(to), from + text.length);
}

/** The next completion, or the one before; round at the ends. */
export const turned = (completing: Completing, by: 1 | -1): Completing => ({
  ...completing,
  at: (completing.at + by + completing.options.length) % completing.options.length,
});
