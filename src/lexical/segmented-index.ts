import type { Database } from '../store/database.ts';
import type {
  LexicalIndex,
  LexicalQuery,
  LexicalResult,
  PassageFilter,
  PassageTokens,
  TieredResult,
  Tiers,
} from './lexical-index.ts';
import { type SegmentRow, SegmentState } from './schema.ts';
import { Inverter } from './segments/inverter.ts';
import { beginMerge, clearDropped, type MergeRow, stepMerge } from './segments/merge.ts';
import { dueMerge } from './segments/merge-policy.ts';
import { Segment } from './segments/segment.ts';
import { markRemoved, writeSegment } from './segments/store-segment.ts';
import { ROW, RowCache } from './segments/streams.ts';
import { eachTerm } from './segments/term-walk.ts';
import { Searching } from './walking/searching.ts';

/** Bytes of segments that are merged for each writing: in proportion to what was written, but not too few. */
const LEAST_MERGED = 256 << 10;
const MERGED_FOR_ONE = 4;
/** A run that wrote as much takes its time anyway: at its end it may merge so many bytes more, and some for each that it wrote. */
const MUCH = 1 << 20;
const LEAST_SETTLED = 64 << 20;
const SETTLED_FOR_ONE = 4;
/** Of these so many in a transaction. */
const SLICE = 8 << 20;
/** Who waits for something to happen meanwhile merges less at a time: some thirty milliseconds. */
const SLICE_AT_REST = 1 << 20;
/** Occurrences that are held before they are written. */
const MOST_HELD = 2_000_000;

const ENCODER = new TextEncoder();
const USED = `SELECT id, first, last, documents, dead, length, terms, postings, positions FROM lexical_segments
  WHERE state = ${SegmentState.used} ORDER BY first, id`;

/** The full-text index as immutable segments in SQLite: see README.md. */
export class SegmentedIndex implements LexicalIndex {
  private readonly db: Database;
  private readonly leastMerged: number;
  /** Made when the first passage is added: who only reads has none. */
  private held: Inverter | undefined;
  /** Bytes that are to be merged for what was written. */
  private owed = 0;
  /** Bytes that were written since all was merged. */
  private written = 0;
  private open: readonly Segment[] = [];
  private readonly cache = new RowCache();

  /** @param leastMerged bytes of segments that are merged for each writing at least */
  constructor(db: Database, leastMerged = LEAST_MERGED) {
    this.db = db;
    this.leastMerged = leastMerged;
  }

  add(passage: number, tokens: PassageTokens, session = 0): void {
    this.held ??= new Inverter();
    this.held.add(passage, tokens, session);
    if (this.held.size >= MOST_HELD) this.flush();
  }

  remove(passages: readonly number[]): void {
    const stored = passages.filter((passage) => !this.held?.remove(passage));
    if (stored.length > 0) markRemoved(this.db, stored);
  }

  flush(): void {
    const { held } = this;
    if (!held || held.passages.length === 0) return;
    this.writing(() => {
      const bytes = writeSegment(this.db, held);
      held.clear();
      this.written += bytes;
      this.owed += Math.max(this.leastMerged, MERGED_FOR_ONE * bytes);
    });
  }

  discard(): void {
    this.held?.clear();
    this.owed = 0;
  }

  merge(): void {
    const { owed } = this;
    if (owed === 0) return;
    this.owed = 0;
    this.db.transaction(() => this.maintain(owed));
  }

  settle(): boolean {
    const { written } = this;
    this.written = 0;
    if (written < MUCH) return false;
    const most = LEAST_SETTLED + SETTLED_FOR_ONE * written;
    for (let done = 0; done < most; done += SLICE) if (this.isMergedBy(SLICE)) return true;
    return false;
  }

  rest(): boolean {
    return !this.isMergedBy(SLICE_AT_REST);
  }

  /** Merges so many bytes, in a transaction of its own; gives whether nothing is due any more. */
  private isMergedBy(bytes: number): boolean {
    return this.db.transaction(() => this.maintain(bytes)) > 0;
  }

  search(query: LexicalQuery, filter: PassageFilter | undefined, k: number): LexicalResult {
    return this.reading((segments) => new Searching(this.db, segments, filter).search(query, k));
  }

  searchTiers(asked: Tiers, filter: PassageFilter | undefined, k: number): TieredResult {
    return this.reading((segments) => new Searching(this.db, segments, filter).searchTiers(asked, k));
  }

  terms(prefix: string, n: number): string[] {
    const beginning = ENCODER.encode(prefix);
    const most: { readonly term: string; readonly documents: number }[] = [];
    this.reading((segments) => {
      const walks = segments.map((segment) => segment.termsFrom(beginning));
      eachTerm(walks, (same) => {
        if (!same[0]!.startsWith(beginning)) return false;
        const documents = same.reduce((sum, walk) => sum + walk.documents, 0);
        if (most.length < n || documents > most.at(-1)!.documents) {
          const at = most.findLastIndex((one) => one.documents >= documents) + 1;
          most.splice(at, 0, { term: Buffer.from(same[0]!.term).toString(), documents });
          if (most.length > n) most.pop();
        }
        return true;
      });
    });
    return most.map(({ term }) => term);
  }

  documentFrequency(term: string): number {
    return this.reading((segments) => segments.reduce((sum, segment) => sum + (segment.find(term)?.documents ?? 0), 0));
  }

  documentFrequencies(terms: readonly string[]): number[] {
    const ordered = terms.map((term, at) => ({ bytes: ENCODER.encode(term), at }));
    ordered.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
    const sums = terms.map(() => 0);
    this.reading((segments) => {
      for (const segment of segments) {
        const lookup = segment.lookup();
        for (const { bytes, at } of ordered) sums[at]! += lookup.documentsOf(bytes);
      }
    });
    return sums;
  }

  /**
   * Merges segments, for about so many bytes of them, inside the writer's transaction; gives what is left of these.
   * Merges go on where the last call left them; the small ones come first.
   */
  maintain(bytes: number): number {
    let left = bytes;
    while (left > 0) {
      for (let due = this.dueMerge(); due.length > 0; due = this.dueMerge()) beginMerge(this.db, due);
      const merge = this.db.row<MergeRow>(
        'SELECT * FROM lexical_segments WHERE state = ? ORDER BY documents LIMIT 1',
        SegmentState.making,
      );
      if (!merge) break;
      left = stepMerge(this.db, merge, left);
    }
    const rows = clearDropped(this.db, Math.ceil(bytes / ROW));
    return Math.max(0, Math.min(left, rows * ROW));
  }

  private dueMerge(): readonly SegmentRow[] {
    return dueMerge(
      this.db.rows<SegmentRow & { readonly target: number | null }>(
        'SELECT * FROM lexical_segments WHERE state = ? ORDER BY first, id',
        SegmentState.used,
      ),
    );
  }

  /** Writes in the transaction that is open, or in one of its own. */
  private writing(work: () => void): void {
    if (this.db.isInTransaction) work();
    else this.db.transaction(work);
  }

  /**
   * Reads at one moment of the index.
   * @throws the errors of SQLite; that the file is malformed, where what it holds cannot be read
   */
  private reading<T>(work: (segments: readonly Segment[]) => T): T {
    this.flush();
    // What is not committed yet may be undone, and its ids be given again: nothing of it is remembered.
    const isKept = !this.db.isInTransaction;
    try {
      return this.db.snapshot(() => work(this.segments(isKept)));
    } catch (error) {
      // Bytes that are not as they were written lead to numbers that nothing can be done with.
      if (error instanceof RangeError || error instanceof TypeError)
        throw new Error('database disk image is malformed: the lexical index cannot be read', { cause: error });
      throw error;
    }
  }

  /** The segments in use; those that are as they were stay open, with what is remembered of them. */
  private segments(isKept: boolean): readonly Segment[] {
    const rows = this.db.rows<SegmentRow>(USED);
    if (!isKept) {
      const cache = new RowCache();
      return rows.map((row) => new Segment(this.db, row, cache));
    }
    this.open = rows.map((row) => {
      const known = this.open.find((segment) => segment.row.id === row.id);
      return known?.row.dead === row.dead ? known : new Segment(this.db, row, this.cache);
    });
    return this.open;
  }
}
