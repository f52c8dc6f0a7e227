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

/** Walks the terms of a leaf in order. */
export function* termsOfLeaf(leaf: Uint8Array): Generator<TermEntry> {
  const reader = new ByteReader(leaf);
  let postingsAt = reader.varint();
  let positionsAt = reader.varint();
  let term = new Uint8Array(0);
  while (reader.at < leaf.length) {
    const shared = reader.byte();
    const own = reader.byte();
    const next = new Uint8Array(shared + own);
    for (let i = 0; i < shared; i++) next[i] = term[i]!;
    for (let i = 0; i < own; i++) next[shared + i] = leaf[reader.at + i]!;
    reader.at += own;
    term = next;
    const documents = reader.varint();
    const postingsLength = reader.varint();
    const positionsLength = reader.varint();
    yield { term, documents, postingsAt, postingsLength, positionsAt, positionsLength };
    postingsAt += postingsLength;
    positionsAt += positionsLength;
  }
}

/** The entry of one term in a leaf, without a copy of those before it; undefined where it is not there. */
export function findInLeaf(leaf: Uint8Array, wanted: Uint8Array): TermEntry | undefined {
  const reader = new ByteReader(leaf);
  let postingsAt = reader.varint();
  let positionsAt = reader.varint();
  // How many bytes the term before has in common with the wanted one.
  let matched = 0;
  while (reader.at < leaf.length) {
    const shared = reader.byte();
    const own = reader.byte();
    const start = reader.at;
    reader.at += own;
    const documents = reader.varint();
    const postingsLength = reader.varint();
    const positionsLength = reader.varint();
    if (shared < matched) return undefined;
    if (shared === matched) {
      let i = 0;
      while (i < own && matched < wanted.length && leaf[start + i] === wanted[matched]) {
        i++;
        matched++;
      }
      if (i === own && matched === wanted.length)
        return { term: wanted, documents, postingsAt, postingsLength, positionsAt, positionsLength };
      if (i < own && (matched === wanted.length || leaf[start + i]! > wanted[matched]!)) return undefined;
    }
    postingsAt += postingsLength;
    positionsAt += positionsLength;
  }
  return undefined;
}
