import { BLOCK, readDocs, readWeighed } from '../segments/block.ts';
import type { TermEntry } from '../segments/leaf.ts';
import type { Segment } from '../segments/segment.ts';
import { type Cursor, END, type Scorer, type Window } from './cursor.ts';

/** Passages that hold any of many terms, as if these were one: a beginning, or a pattern. All are read at once. */
export class GatheredCursor implements Cursor {
  doc = -1;
  readonly cost: number;
  private readonly first: number;
  /** The frequencies of all terms together, by passage from the segment's first on; 0 where none stands. */
  private readonly frequencies: Int32Array;
  private readonly scorer: Scorer;
  private readonly idf: number;
  private readonly most: number;

  constructor(
    segment: Segment,
    entries: readonly TermEntry[],
    weights: readonly number[],
    scorer: Scorer,
    idf: number,
  ) {
    const { first, last } = segment.row;
    const frequencies = new Int32Array(last - first + 1);
    let count = 0;
    let most = 0;
    const docs = new Int32Array(BLOCK);
    const weighed = new Int32Array(BLOCK);
    segment.eachBlock(entries, (bytes, start, firstDoc, documents) => {
      readWeighed(bytes, readDocs(bytes, start, firstDoc, documents, docs), documents, weights, weighed);
      for (let i = 0; i < documents; i++) {
        const at = docs[i]! - first;
        const before = frequencies[at]!;
        const after = before + weighed[i]!;
        frequencies[at] = after;
        if (before === 0 && after > 0) count++;
        if (after > most) most = after;
      }
    });
    this.first = first;
    this.frequencies = frequencies;
    this.cost = count;
    this.most = most;
    this.scorer = scorer;
    this.idf = idf;
  }

  next(target: number): number {
    if (target <= this.doc) return this.doc;
    const { frequencies, first } = this;
    let at = Math.max(0, target - first);
    while (at < frequencies.length && frequencies[at] === 0) at++;
    this.doc = at < frequencies.length ? first + at : END;
    return this.doc;
  }

  score(): number {
    const frequency = this.frequencies[this.doc - this.first]!;
    return (this.idf * frequency) / (frequency + this.scorer.norms[this.scorer.lengths.code(this.doc)]!);
  }

  bound(_from: number, to: number): number {
    if (this.doc >= to) return 0;
    return (this.idf * this.most) / (this.most + this.scorer.norms[1]!);
  }

  collect(from: number, to: number, { scores, matched }: Window): void {
    const { frequencies, first, idf } = this;
    const { norms, lengths } = this.scorer;
    const codes = lengths.between(from, to);
    const end = Math.min(to - first, frequencies.length);
    for (let at = Math.max(0, from - first); at < end; at++) {
      const frequency = frequencies[at]!;
      if (frequency === 0) continue;
      const i = at - (from - first);
      scores[i]! += (idf * frequency) / (frequency + norms[codes[at]!]!);
      matched[i >> 5]! |= 1 << (i & 31);
    }
    this.doc = Math.max(this.doc, to - 1);
  }
}
