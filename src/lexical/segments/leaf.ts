import { ByteReader, ByteWriter } from './bytes.ts';

/**
 * A leaf of the dictionary: some terms in order, each with what leads to its postings. Rows are keyed by the segment and
 * their first term, so the b-tree of SQLite is the dictionary, and a beginning is a range of it.
 *
 *   offsets of the first term's lists in the two streams
 *   each term   bytes it shares with the one before, bytes of its own, these; documents; bytes of its two lists
 */
export interface TermEntry {
  readonly term: Uint8Array;
  /** Documents that hold it. */
  readonly documents: number;
  readonly postingsAt: number;
  readonly postingsLength: number;
  readonly positionsAt: number;
  readonly positionsLength: number;
}

/** So that four leaves fit into a page: SQLite keeps larger rows of such a table in pages of their own. */
const FULL = 880;
/** Longer terms are cut: lengths are a byte. */
export const LONGEST_TERM = 255;

/** Collects terms until a leaf is full. */
export class LeafBuilder {
  first = new Uint8Array(0);
  private readonly last = new Uint8Array(LONGEST_TERM);
  private lastLength = 0;
  private readonly out = new ByteWriter(1024);
  private count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  get isFull(): boolean {
    return this.out.length >= FULL;
  }

  /** Adds a term, which comes after all others, with the places of its lists. */
  add({ term, documents, postingsAt, postingsLength, positionsAt, positionsLength }: TermEntry): void {
    const { out } = this;
    if (this.count === 0) {
      out.clear();
      out.varint(postingsAt);
      out.varint(positionsAt);
      this.first = term.slice();
      this.lastLength = 0;
    }
    let shared = 0;
    while (shared < this.lastLength && this.last[shared] === term[shared]) shared++;
    out.byte(shared);
    out.byte(term.length - shared);
    out.copy(term, shared);
    out.varint(documents);
    out.varint(postingsLength);
    out.varint(positionsLength);
    for (let i = shared; i < term.length; i++) this.last[i] = term[i]!;
    this.lastLength = term.length;
    this.count++;
  }

  /** The leaf; the next term begins another. */
  take(): Uint8Array {
    this.count = 0;
    return this.out.view();
  }
}

/** Walks the terms of a leaf. It is the entry that it stands on: what is kept of it has to be copied (`entry`). */
export class LeafReader implements TermEntry {
  documents = 0;
  postingsAt = 0;
  postingsLength = 0;
  positionsAt = 0;
  positionsLength = 0;
  private readonly letters = new Uint8Array(LONGEST_TERM);
  private length = 0;
  private readonly reader = new ByteReader(new Uint8Array(0));

  open(leaf: Uint8Array): void {
    const { reader } = this;
    reader.bytes = leaf;
    reader.at = 0;
    this.postingsAt = reader.varint();
    this.positionsAt = reader.varint();
    this.postingsLength = 0;
    this.positionsLength = 0;
    this.length = 0;
  }

  /** Goes to the next term, from before the first on; false where there is none. */
  next(): boolean {
    const { reader, letters } = this;
    const { bytes } = reader;
    if (reader.at >= bytes.length) return false;
    this.postingsAt += this.postingsLength;
    this.positionsAt += this.positionsLength;
    const shared = reader.byte();
    const own = reader.byte();
    for (let i = 0; i < own; i++) letters[shared + i] = bytes[reader.at + i]!;
    reader.at += own;
    this.length = shared + own;
    this.documents = reader.varint();
    this.postingsLength = reader.varint();
    this.positionsLength = reader.varint();
    return true;
  }

  /** The term, until the next. */
  get term(): Uint8Array {
    return this.letters.subarray(0, this.length);
  }

  /** Orders the term and another as their bytes are. */
  compare(other: Uint8Array, otherLength = other.length): number {
    const shorter = Math.min(this.length, otherLength);
    for (let i = 0; i < shorter; i++) {
      const difference = this.letters[i]! - other[i]!;
      if (difference !== 0) return difference;
    }
    return this.length - otherLength;
  }

  compareTo(other: LeafReader): number {
    return this.compare(other.letters, other.length);
  }

  startsWith(beginning: Uint8Array): boolean {
    return this.length >= beginning.length && this.compareStart(beginning) === 0;
  }

  /** A copy that stays as it is. */
  entry(): TermEntry {
    const { documents, postingsAt, postingsLength, positionsAt, positionsLength } = this;
    return { term: this.term.slice(), documents, postingsAt, postingsLength, positionsAt, positionsLength };
  }

  private compareStart(beginning: Uint8Array): number {
    for (let i = 0; i < beginning.length; i++) {
      const difference = this.letters[i]! - beginning[i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

/** The entry of one term in a leaf; undefined where it is not there. */
export function findInLeaf(leaf: Uint8Array, wanted: Uint8Array): TermEntry | undefined {
  const reader = new LeafReader();
  reader.open(leaf);
  while (reader.next()) {
    const order = reader.compare(wanted);
    if (order === 0) return reader.entry();
    if (order > 0) return undefined;
  }
  return undefined;
}
