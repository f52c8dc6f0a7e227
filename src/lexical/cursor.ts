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
  /** Adds the score of each match before `to` to its place in an array that begins at `from`; goes to `to`. */
  collect(from: number, to: number, scores: Float64Array): void;
}

/** What every cursor of a segment scores with. */
export interface Scorer {
  readonly norms: Float64Array;
  readonly lengths: { code(passage: number): number };
}

export function collectEach(cursor: Cursor, from: number, to: number, scores: Float64Array): void {
  for (let doc = cursor.next(from); doc < to; doc = cursor.next(doc + 1)) scores[doc - from]! += cursor.score();
}
