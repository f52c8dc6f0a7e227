import type { Database } from '../store/database.ts';
import { BLOCK } from './block.ts';
import { ByteReader, compareBytes, startsWith } from './bytes.ts';
import { findInLeaf, type TermEntry, termsOfLeaf } from './leaf.ts';
import { LengthReader } from './lengths.ts';
import { PostingList } from './posting-list.ts';
import type { SegmentRow } from './schema.ts';
import { StreamReader } from './streams.ts';

/** A segment as a query reads it. */
export class Segment {
  readonly row: SegmentRow;
  readonly lengths: LengthReader;
  private readonly db: Database;

  constructor(db: Database, row: SegmentRow) {
    this.db = db;
    this.row = row;
    this.lengths = new LengthReader(db, row.id, row.first);
  }

  find(term: Uint8Array): TermEntry | undefined {
    const leaf = this.db.row<{ leaf: Uint8Array }>(
      'SELECT leaf FROM lexical_terms WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1',
      this.row.id,
      term,
    );
    return leaf && findInLeaf(leaf.leaf, term);
  }

  /** The terms with a beginning, in their order. */
  *beginningWith(prefix: Uint8Array): Generator<TermEntry> {
    for (const entry of this.termsFrom(prefix)) {
      if (startsWith(entry.term, prefix)) yield entry;
      else if (compareBytes(entry.term, prefix) > 0) return;
    }
  }

  /** All terms from one on, in their order; that one may be any. */
  *termsFrom(term: Uint8Array): Generator<TermEntry> {
    let at = this.db.row<{ first: Uint8Array; leaf: Uint8Array }>(
      'SELECT first, leaf FROM lexical_terms WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1',
      this.row.id,
      term,
    );
    at ??= this.leafAfter(term);
    while (at) {
      for (const entry of termsOfLeaf(at.leaf)) if (compareBytes(entry.term, term) >= 0) yield entry;
      at = this.leafAfter(at.first);
    }
  }

  /** Where a term's postings lie. Each list has readers of its own, so that each keeps its place. */
  list(entry: TermEntry): PostingList {
    const { id, first } = this.row;
    return new PostingList(
      entry,
      first,
      new StreamReader(this.db, id, 'postings'),
      new StreamReader(this.db, id, 'positions'),
    );
  }

  /** Calls `found` for each block of the postings of some terms, which stand near each other. */
  eachBlock(
    entries: readonly TermEntry[],
    found: (bytes: Uint8Array, start: number, firstDoc: number, documents: number) => void,
  ): void {
    const { id, first } = this.row;
    const postings = new StreamReader(this.db, id, 'postings');
    const positions = new StreamReader(this.db, id, 'positions');
    for (const entry of entries) {
      if (entry.documents <= BLOCK) {
        const reader = new ByteReader(postings.bytes(entry.postingsAt, entry.postingsLength));
        const firstDoc = first + reader.varint();
        found(reader.bytes, reader.at, firstDoc, entry.documents);
        continue;
      }
      const list = new PostingList(entry, first, postings, positions);
      for (let block = 0; block < list.blocks; block++)
        found(list.block(block), 0, list.firsts[block]!, list.counts[block]!);
    }
  }

  private leafAfter(first: Uint8Array): { first: Uint8Array; leaf: Uint8Array } | undefined {
    return this.db.row(
      'SELECT first, leaf FROM lexical_terms WHERE segment = ? AND first > ? ORDER BY first LIMIT 1',
      this.row.id,
      first,
    );
  }
}
