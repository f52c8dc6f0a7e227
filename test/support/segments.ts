import { type SegmentRow, SegmentState } from '../../src/lexical/schema.ts';
import { readLengths } from '../../src/lexical/segments/lengths.ts';
import { Postings } from '../../src/lexical/segments/postings.ts';
import { Segment } from '../../src/lexical/segments/segment.ts';
import { RowCache } from '../../src/lexical/segments/streams.ts';
import type { Database } from '../../src/store/database.ts';

/** The segments in use. */
export function segmentsOf(db: Database): SegmentRow[] {
  return db.rows('SELECT * FROM lexical_segments WHERE state = ? ORDER BY first, id', SegmentState.used);
}

/** Calls `found` for each term and passage that the index holds, by segment; what was removed is left out. */
export function eachPosting(db: Database, found: (term: string, postings: Postings, index: number) => void): void {
  for (const row of segmentsOf(db)) {
    const lengths = readLengths(db, row.id, row.first, row.last);
    const segment = new Segment(db, row, new RowCache());
    for (const walk = segment.termsFrom(new Uint8Array(0)); walk.isOpen; walk.advance()) {
      const list = segment.list(walk.entry());
      const postings = new Postings();
      postings.clear();
      for (let block = 0; block < list.blocks; block++) list.read(block, postings);
      const term = Buffer.from(walk.term).toString();
      for (let i = 0; i < postings.length; i++)
        if (lengths[postings.docs[i]! - row.first] !== 0) found(term, postings, i);
    }
  }
}

/** How often each term stands in the index. */
export function wordsOf(db: Database): Record<string, number> {
  const words = new Map<string, number>();
  eachPosting(db, (term, postings, i) => words.set(term, (words.get(term) ?? 0) + postings.countAt(i)));
  return Object.fromEntries([...words].sort(([a], [b]) => (a < b ? -1 : 1)));
}
