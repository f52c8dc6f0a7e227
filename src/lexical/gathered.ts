import { BLOCK, readDocs, readWeighed } from './block.ts';
import { type Cursor, collectEach, END, type Scorer, type Window } from './cursor.ts';
import type { TermEntry } from './leaf.ts';
import type { Segment } from './segment.ts';

/** Passages that hold any of many terms, as if these were one: a beginning, or a pattern. All are read at once. */
export class GatheredCursor implements Cursor {
  doc = -1;
  readonly cost: number;
  private readonly docs: Int32Array;
  private readonly frequencies: Int32Array;
  private readonly scorer: Scorer;
  private readonly idf: number;
  private readonly most: number;
  private index = 0;

  constructor(
    segment: Segment,
    entries: readonly TermEntry[],
    weights: readonly number[],
    scorer: Scorer,
    idf: number,
  ) {
    const { first, last } = segment.row;
    const sums = new Int32Array(last - first + 1);
    let count = 0;
    const docs = new Int32Array(BLOCK);
    const weighed = new Int32Array(BLOCK);
    segment.eachBlock(entries, (bytes, start, firstDoc, documents) => {
      readWeighed(bytes, readDocs(bytes, start, firstDoc, documents, docs), documents, weights, weighed);
      for (let i = 0; i < documents; i++) {
        if (weighed[i] === 0) continue;
        const at = docs[i]! - first;
        if (sums[at] === 0) count++;
        sums[at]! += weighed[i]!;
      }
    });
    this.docs = new Int32Array(count);
    this.frequencies = new Int32Array(count);
    let at = 0;
    let most = 0;
    for (let i = 0; i < sums.length; i++)
      if (sums[i]! > 0) {
        this.docs[at] = first + i;
        this.frequencies[at++] = sums[i]!;
        most = Math.max(most, sums[i]!);
      }
    this.cost = count;
    this.most = most;
    this.scorer = scorer;
    this.idf = idf;
  }

  next(target: number): number {
    if (target <= this.doc) return this.doc;
    const { docs } = this;
    let low = this.index;
    let step = 1;
    let high = low;
    while (high < docs.length && docs[high]! < target) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    high = Math.min(high, docs.length);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (docs[middle]! < target) low = middle + 1;
      else high = middle;
    }
    this.index = low;
    this.doc = low < docs.length ? docs[low]! : END;
    return this.doc;
  }

  score(): number {
    const frequency = this.frequencies[this.index]!;
    return (this.idf * frequency) / (frequency + this.scorer.norms[this.scorer.lengths.code(this.doc)]!);
  }

  bound(_from: number, to: number): number {
    if (this.doc >= to) return 0;
    return (this.idf * this.most) / (this.most + this.scorer.norms[1]!);
  }

  collect(from: number, to: number, window: Window): void {
    collectEach(this, from, to, window);
  }
}
