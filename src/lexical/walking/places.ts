import { FIELDS } from '../fields.ts';

/** Where a term stands in one passage: the positions in each field, rising. */
export class Places {
  mask = 0;
  positions = new Int32Array(16);
  /** Where the positions of each field begin; one more for the end. */
  readonly starts = new Int32Array(FIELDS.length + 1);

  reserve(count: number): void {
    if (count <= this.positions.length) return;
    const larger = new Int32Array(Math.max(count, this.positions.length * 2));
    larger.set(this.positions);
    this.positions = larger;
  }

  /** Takes the number of positions of each field of a mask from an array. */
  set(mask: number, counts: Int32Array, from: number): void {
    this.mask = mask;
    let start = 0;
    let at = from;
    for (let field = 0; field < FIELDS.length; field++) {
      this.starts[field] = start;
      if (mask & (1 << field)) start += counts[at++]!;
    }
    this.starts[FIELDS.length] = start;
  }

  /** Takes over the places of several terms together. */
  join(all: readonly Places[]): void {
    this.mask = all.reduce((mask, { mask: other }) => mask | other, 0);
    this.reserve(all.reduce((sum, { starts }) => sum + starts[FIELDS.length]!, 0));
    let end = 0;
    for (let field = 0; field < FIELDS.length; field++) {
      const start = end;
      this.starts[field] = start;
      for (const { positions, starts } of all)
        for (let i = starts[field]!; i < starts[field + 1]!; i++) this.positions[end++] = positions[i]!;
      this.positions.subarray(start, end).sort();
    }
    this.starts[FIELDS.length] = end;
  }
}

/** Walks passages and tells where in them its term stands. */
export interface PlacesCursor {
  readonly doc: number;
  readonly cost: number;
  next(target: number): number;
  /** The fields that the term stands in, of the passage it stands on. */
  mask(): number;
  places(): Places;
}
