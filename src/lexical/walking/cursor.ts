import type { LengthReader } from '../segments/lengths.ts';

/** Comes after every passage. */
export const END = 0x7fffffff;

/** Walks the passages of a segment that match a part of a query, in the order of their ids. */
export interface Cursor {
  /** The passage it stands on; -1 before the first, `END` after the last. */
  readonly doc: number;
  /** About how many passages it will stand on. */
  readonly cost: number;
  /** Goes to the first match at or after a passage, which is not before the one it stands on; gives it. */
  next(target: number): number;
  /** The score of the passage it stands on. */
  score(): number;
  /** The most that any passage from one to before another can score. They rise from call to call. */
  bound(from: number, to: number): number;
  /**
   * Adds the score of each match before `to` to its place in a window that begins at `from`, and goes on behind it. Matches
   * that cannot score more than `least` here need no score: they are marked alone, or passed over, as the window says.
   */
  collect(from: number, to: number, window: Window, least: number): void;
}

/** What every cursor of a segment scores with. */
export interface Scorer {
  readonly norms: Float64Array;
  readonly lengths: LengthReader;
}

/** The scores of some passages in a row, and a bit for each that matches: most do not. */
export class Window {
  readonly scores: Float64Array;
  readonly matched: Uint32Array;
  readonly marksAll: boolean;
  hasPassedOver = false;

  /**
   * @param scores of as many passages as the window has: a multiple of 32
   * @param marksAll whether matches are marked that need no score; else they are passed over
   */
  constructor(scores: Float64Array, marksAll: boolean) {
    this.scores = scores;
    this.matched = new Uint32Array(scores.length >> 5);
    this.marksAll = marksAll;
  }

  add(at: number, score: number): void {
    this.scores[at]! += score;
    this.matched[at >> 5]! |= 1 << (at & 31);
  }
}

export function collectEach(cursor: Cursor, from: number, to: number, window: Window): void {
  for (let doc = cursor.next(from); doc < to; doc = cursor.next(doc + 1)) window.add(doc - from, cursor.score());
}
