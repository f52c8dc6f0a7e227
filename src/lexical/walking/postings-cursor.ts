import { BLOCK, FrequencyWalk, kindAt, readDocs, readPositions, readWeighed, SEVERAL } from '../segments/block.ts';
import { boundOf } from '../segments/impacts.ts';
import type { PostingList } from '../segments/posting-list.ts';
import { type Cursor, END, type Scorer, type Window } from './cursor.ts';
import type { PlacesCursor } from './places.ts';
import { Places } from './places.ts';

/** Walks the postings of one term, a block at a time; passes over blocks without reading them. */
export class PostingsCursor implements Cursor, PlacesCursor {
  doc = -1;
  readonly cost: number;
  private readonly list: PostingList;
  private readonly weights: readonly number[];
  /** Some fields count for nothing: a passage that holds the term in these alone is none. */
  private readonly isScoped: boolean;
  private readonly scorer: Scorer;
  private readonly idf: number;

  private block = -1;
  private bytes: Uint8Array = new Uint8Array(0);
  private count = 0;
  private index = 0;
  private readonly docs = new Int32Array(BLOCK);
  private kindsAt = 0;
  private readonly weighed = new Int32Array(BLOCK);
  private isWeighed = false;

  private nextBound = 0;
  private readonly bounds: Float64Array;

  private readonly walk = new FrequencyWalk();
  private walkedBlock = -1;
  private positions: Uint8Array = new Uint8Array(0);
  private positionsBlock = -1;
  private readonly held = new Places();

  constructor(list: PostingList, documents: number, weights: readonly number[], scorer: Scorer, idf: number) {
    this.list = list;
    this.cost = documents;
    this.weights = weights;
    this.isScoped = weights.includes(0);
    this.scorer = scorer;
    this.idf = idf;
    this.bounds = new Float64Array(list.blocks).fill(-1);
  }

  next(target: number): number {
    if (target <= this.doc) return this.doc;
    let from = target;
    for (;;) {
      const isInBlock = this.block >= 0 && from <= this.docs[this.count - 1]!;
      if (!isInBlock && !(this.readFrom(from) && from <= this.docs[this.count - 1]!)) {
        this.doc = END;
        return END;
      }
      const { docs } = this;
      let { index } = this;
      while (docs[index]! < from) index++;
      this.index = index;
      this.doc = docs[index]!;
      if (!this.isScoped || this.frequency() > 0) return this.doc;
      from = this.doc + 1;
    }
  }

  /** The weighed frequency in the passage it stands on. */
  frequency(): number {
    if (!this.isWeighed) {
      // Most stand once in one field: that is known without what stands before them in the block.
      const kind = kindAt(this.bytes, this.kindsAt, this.index);
      if (kind < SEVERAL) return this.weights[kind]!;
      this.weigh();
    }
    return this.weighed[this.index]!;
  }

  score(): number {
    const frequency = this.frequency();
    return (this.idf * frequency) / (frequency + this.scorer.norms[this.scorer.lengths.code(this.doc)]!);
  }

  bound(from: number, to: number): number {
    if (this.doc >= to) return 0;
    const { firsts, blocks } = this.list;
    let bound = 0;
    for (let block = this.blockFrom(from); block < blocks && firsts[block]! < to; block++)
      bound = Math.max(bound, this.blockBound(block));
    return bound;
  }

  collect(from: number, to: number, window: Window, least: number): void {
    const { firsts, blocks } = this.list;
    for (let block = this.blockFrom(from); block < blocks && firsts[block]! < to; block++) {
      const counts = this.blockBound(block) > least;
      if (!counts && !window.marksAll) {
        window.hasPassedOver = true;
        continue;
      }
      if (block !== this.block) this.read(block);
      if (counts || this.isScoped) this.collectBlock(from, to, window);
      else this.markBlock(from, to, window);
      if (this.docs[this.count - 1]! >= to) break;
    }
    this.doc = Math.max(this.doc, to - 1);
  }

  mask(): number {
    const kind = kindAt(this.bytes, this.kindsAt, this.index);
    return kind === SEVERAL ? this.frequencies().mask : 1 << (kind & SEVERAL);
  }

  places(): Places {
    const { mask, counts, before, own } = this.frequencies();
    const places = this.held;
    places.reserve(own);
    if (this.positionsBlock !== this.block) {
      this.positions = this.list.positionsOf(this.block);
      this.positionsBlock = this.block;
    }
    readPositions(this.positions, 0, before, own, places.positions);
    places.set(mask, counts, 0);
    return places;
  }

  /** The frequencies in the passage it stands on, field by field. */
  private frequencies(): FrequencyWalk {
    if (this.walkedBlock !== this.block) {
      this.walk.open(this.bytes, this.kindsAt, this.count);
      this.walkedBlock = this.block;
    }
    this.walk.to(this.index);
    return this.walk;
  }

  /** Reads the first block from here on that reaches to a passage; false where there is none. */
  private readFrom(target: number): boolean {
    const { lasts, blocks } = this.list;
    let low = this.block + 1;
    // Mostly it is one of the next few; then twice as far, and twice.
    let step = 1;
    let high = low;
    while (high < blocks && lasts[high]! < target) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    high = Math.min(high, blocks);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lasts[middle]! < target) low = middle + 1;
      else high = middle;
    }
    if (low >= blocks) return false;
    this.read(low);
    return true;
  }

  private read(block: number): void {
    const { list, docs } = this;
    this.block = block;
    this.bytes = list.block(block);
    this.count = list.counts[block]!;
    this.kindsAt = readDocs(this.bytes, 0, list.firsts[block]!, this.count, docs);
    list.lasts[block] = docs[this.count - 1]!;
    this.index = 0;
    this.isWeighed = false;
  }

  /** Adds the scores of the block it is in, from where it stands. */
  private collectBlock(from: number, to: number, { scores, matched }: Window): void {
    if (!this.isWeighed) this.weigh();
    const { docs, weighed, count, idf } = this;
    const { norms, lengths } = this.scorer;
    const { first } = lengths;
    const codes = lengths.between(from, to);
    let { index } = this;
    while (docs[index]! < from) index++;
    for (; index < count; index++) {
      const doc = docs[index]!;
      if (doc >= to) break;
      const frequency = weighed[index]!;
      if (frequency === 0) continue;
      const at = doc - from;
      scores[at]! += (idf * frequency) / (frequency + norms[codes[doc - first]!]!);
      matched[at >> 5]! |= 1 << (at & 31);
    }
    this.index = Math.min(index, count - 1);
  }

  /** Marks the matches of the block it is in, from where it stands. */
  private markBlock(from: number, to: number, { matched }: Window): void {
    const { docs, count } = this;
    let { index } = this;
    while (docs[index]! < from) index++;
    for (; index < count && docs[index]! < to; index++) {
      const at = docs[index]! - from;
      matched[at >> 5]! |= 1 << (at & 31);
    }
    this.index = Math.min(index, count - 1);
  }

  /** The first block that reaches to a passage. */
  private blockFrom(passage: number): number {
    const { lasts, blocks } = this.list;
    let block = this.nextBound;
    while (block < blocks && lasts[block]! < passage) block++;
    this.nextBound = block;
    return block;
  }

  private weigh(): void {
    readWeighed(this.bytes, this.kindsAt, this.count, this.weights, this.weighed);
    this.isWeighed = true;
  }

  private blockBound(block: number): number {
    let bound = this.bounds[block]!;
    if (bound < 0) {
      const { table, pairs } = this.list;
      bound = this.idf * (table ? boundOf(table, pairs[block]!, this.scorer.norms) : 1);
      this.bounds[block] = bound;
    }
    return bound;
  }
}
