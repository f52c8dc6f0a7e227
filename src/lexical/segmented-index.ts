import type { Database } from '../store/database.ts';
import { LENGTHS } from './bm25f.ts';
import { Inverter } from './inverter.ts';
import { PAGE, pageOf, readPage, writeLengths, writePage } from './lengths.ts';
import type { LexicalIndex, LexicalQuery, LexicalResult, PassageFilter, PassageTokens } from './lexical-index.ts';
import { type SegmentRow, SegmentState } from './schema.ts';
import { searchSegments } from './searching.ts';
import { Segment } from './segment.ts';
import { SegmentWriter } from './segment-writer.ts';

/** Occurrences that are held before they are written. */
const MOST_HELD = 2_000_000;

const USED = `SELECT id, first, last, documents, dead, length, terms, postings, positions FROM lexical_segments
  WHERE state = ${SegmentState.used} ORDER BY first, id`;

/** The full-text index as immutable segments in SQLite: see README.md. */
export class SegmentedIndex implements LexicalIndex {
  private readonly db: Database;
  private held = new Inverter();

  constructor(db: Database) {
    this.db = db;
  }

  add(passage: number, tokens: PassageTokens): void {
    this.held.add(passage, tokens);
    if (this.held.size >= MOST_HELD) this.flush();
  }

  remove(passages: readonly number[]): void {
    const stored = passages.filter((passage) => !this.held.remove(passage));
    if (stored.length > 0) this.removeStored(stored);
  }

  flush(): void {
    const { held } = this;
    if (held.passages.length === 0) return;
    this.held = new Inverter();
    this.write(held);
  }

  discard(): void {
    this.held = new Inverter();
  }

  search(query: LexicalQuery, filter: PassageFilter | undefined, k: number): LexicalResult {
    this.flush();
    return this.db.snapshot(() => searchSegments(this.db, this.db.rows<SegmentRow>(USED), query, filter, k));
  }

  terms(prefix: string, n: number): string[] {
    this.flush();
    const beginning = new TextEncoder().encode(prefix);
    const documents = new Map<string, number>();
    this.db.snapshot(() => {
      for (const segment of this.segments())
        for (const entry of segment.beginningWith(beginning)) {
          const term = Buffer.from(entry.term).toString();
          documents.set(term, (documents.get(term) ?? 0) + entry.documents);
        }
    });
    return [...documents]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, n)
      .map(([term]) => term);
  }

  documentFrequency(term: string): number {
    this.flush();
    const bytes = new TextEncoder().encode(term);
    return this.db.snapshot(() =>
      this.segments().reduce((sum, segment) => sum + (segment.find(bytes)?.documents ?? 0), 0),
    );
  }

  private segments(): Segment[] {
    return this.db.rows<SegmentRow>(USED).map((row) => new Segment(this.db, row));
  }

  private write(held: Inverter): void {
    const alive = held.passages.filter((_, i) => held.codes[i] !== 0);
    if (alive.length === 0) return;
    let first = Number.POSITIVE_INFINITY;
    let last = 0;
    for (const passage of alive) {
      first = Math.min(first, passage);
      last = Math.max(last, passage);
    }
    const codes = new Uint8Array(last - first + 1);
    for (const [i, passage] of held.passages.entries())
      if (held.codes[i] !== 0) codes[passage - first] = held.codes[i]!;
    const id = this.db.run(
      `INSERT INTO lexical_segments (state, first, last, documents, dead, length, terms, postings, positions)
       VALUES (?, ?, ?, ?, 0, ?, 0, 0, 0)`,
      SegmentState.used,
      first,
      last,
      alive.length,
      held.length,
    ).id;
    writeLengths(this.db, id, codes);
    const writer = new SegmentWriter(this.db, id, first, codes);
    for (const [term, postings] of held.terms()) writer.term(term, postings);
    writer.flush();
    this.db.run(
      'UPDATE lexical_segments SET terms = ?, postings = ?, positions = ? WHERE id = ?',
      writer.terms,
      writer.bytes.postings,
      writer.bytes.positions,
      id,
    );
  }

  private removeStored(passages: readonly number[]): void {
    const rows = this.db.rows<SegmentRow & { target: number | null }>(
      'SELECT * FROM lexical_segments WHERE state = ?',
      SegmentState.used,
    );
    for (const row of rows) {
      const here = passages.filter((passage) => passage >= row.first && passage <= row.last);
      if (here.length === 0) continue;
      const pages = new Map<number, Uint8Array>();
      let dead = 0;
      let length = 0;
      for (const passage of here) {
        const page = pageOf(row.first, passage);
        const codes = pages.get(page) ?? readPage(this.db, row.id, page);
        const at = passage - row.first - page * PAGE;
        if (codes[at] === 0) continue;
        dead++;
        length += LENGTHS[codes[at]!]!;
        codes[at] = 0;
        pages.set(page, codes);
      }
      for (const [page, codes] of pages) writePage(this.db, row.id, page, codes);
      if (dead > 0)
        this.db.run(
          'UPDATE lexical_segments SET documents = documents - ?, dead = dead + ?, length = length - ? WHERE id = ?',
          dead,
          dead,
          length,
          row.id,
        );
    }
  }
}
