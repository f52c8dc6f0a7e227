import type { Database } from '../../store/database.ts';
import type { SegmentRow } from '../schema.ts';
import { BLOCK } from './block.ts';
import { ByteReader } from './bytes.ts';
import { findInLeaf, type TermEntry } from './leaf.ts';
import { LengthReader } from './lengths.ts';
import { PostingList } from './posting-list.ts';
import { type RowCache, StreamReader } from './streams.ts';
import { TermLookup } from './term-lookup.ts';
import { TermWalk } from './term-walk.ts';

/** Terms of a segment that are remembered. */
const MOST_REMEMBERED = 500;

/** A segment as queries read it. What they read of it stays true for as long as nothing of it is removed. */
export class Segment {
  readonly row: SegmentRow;
  readonly lengths: LengthReader;
  private readonly db: Database;
  private readonly cache: RowCache;
  private readonly remembered = new Map<string, TermEntry | undefined>();

  constructor(db: Database, row: SegmentRow, cache: RowCache) {
    this.db = db;
    this.row = row;
    this.cache = cache;
    this.lengths = new LengthReader(db, row.id, row.first, row.last);
  }

  find(token: string): TermEntry | undefined {
    const { remembered } = this;
    if (remembered.has(token)) return remembered.get(token);
    const term = ENCODER.encode(token);
    const leaf = this.db.row<{ leaf: Uint8Array }>(
      'SELECT leaf FROM lexical_terms WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1',
      this.row.id,
      term,
    );
    const entry = leaf && findInLeaf(leaf.leaf, term);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(token, entry);
    return entry;
  }

  /** The terms with a beginning that pass, in their order. */
  beginningWith(prefix: Uint8Array, passes: (term: Uint8Array) => boolean = () => true): TermEntry[] {
    const entries: TermEntry[] = [];
    const walk = this.termsFrom(prefix);
    for (; walk.isOpen && walk.startsWith(prefix); walk.advance()) if (passes(walk.term)) entries.push(walk.entry());
    return entries;
  }

  /** The terms from one on. */
  termsFrom(term: Uint8Array): TermWalk {
    return new TermWalk(this.db, this.row.id, term);
  }

  /** Looks up terms that come in the order of their bytes. */
  lookup(): TermLookup {
    return new TermLookup(this.db, this.row.id);
  }

  /** Where a term's postings lie. Each list has readers of its own, so that each keeps its place. */
  list(entry: TermEntry): PostingList {
    const { id, first, last } = this.row;
    if (entry.documents > last - first + 1) throw new RangeError('a term in more passages than there are');
    return new PostingList(
      entry,
      first,
      new StreamReader(this.db, id, 'postings', this.cache),
      new StreamReader(this.db, id, 'positions', this.cache),
    );
  }

  /** Calls `found` for each block of the postings of some terms, which stand near each other. */
  eachBlock(
    entries: readonly TermEntry[],
    found: (bytes: Uint8Array, start: number, firstDoc: number, documents: number, entry: TermEntry) => void,
  ): void {
    const { id, first } = this.row;
    const postings = new StreamReader(this.db, id, 'postings', this.cache);
    for (const entry of entries) {
      if (entry.documents <= BLOCK) {
        const reader = new ByteReader(postings.bytes(entry.postingsAt, entry.postingsLength));
        const firstDoc = first + reader.varint();
        found(reader.bytes, reader.at, firstDoc, entry.documents, entry);
        continue;
      }
      const list = this.list(entry);
      for (let block = 0; block < list.blocks; block++)
        found(list.block(block), 0, list.firsts[block]!, list.counts[block]!, entry);
    }
  }
}

const ENCODER = new TextEncoder();
