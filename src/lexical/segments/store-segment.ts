import type { Database } from '../../store/database.ts';
import { LENGTHS } from '../bm25f.ts';
import { type SegmentRow, SegmentState } from '../schema.ts';
import type { Inverter } from './inverter.ts';
import { PAGE, pageOf, readPage, writeLengths, writePage } from './lengths.ts';
import { SegmentWriter } from './segment-writer.ts';
import { writeSessions } from './sessions.ts';

/** Writes what was collected as a segment; gives its bytes. */
export function writeSegment(db: Database, collected: Inverter): number {
  const { passages, codes, sessions } = collected;
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  let documents = 0;
  let length = 0;
  for (const [i, passage] of passages.entries()) {
    if (codes[i] === 0) continue;
    first = Math.min(first, passage);
    last = Math.max(last, passage);
    documents++;
    length += LENGTHS[codes[i]!]!;
  }
  if (documents === 0) return 0;
  const lengths = new Uint8Array(last - first + 1);
  const owners = new Int32Array(lengths.length);
  for (const [i, passage] of passages.entries()) {
    if (codes[i] === 0) continue;
    lengths[passage - first] = codes[i]!;
    owners[passage - first] = sessions[i]!;
  }
  const { id } = db.run(
    `INSERT INTO lexical_segments (state, first, last, documents, dead, length, terms, postings, positions)
     VALUES (?, ?, ?, ?, 0, ?, 0, 0, 0)`,
    SegmentState.used,
    first,
    last,
    documents,
    length,
  );
  writeLengths(db, id, lengths);
  writeSessions(db, id, owners);
  const writer = new SegmentWriter(db, id, first, (passage) => lengths[passage - first]!);
  collected.writeTo(writer);
  writer.flush();
  const { postings, positions } = writer.bytes;
  db.run(
    'UPDATE lexical_segments SET terms = ?, postings = ?, positions = ? WHERE id = ?',
    writer.terms,
    postings,
    positions,
    id,
  );
  return postings + positions;
}

/** Marks passages as removed, in the segments that hold them and in those that are being made of these. */
export function markRemoved(db: Database, passages: readonly number[]): void {
  const rows = db.rows<SegmentRow & { readonly target: number | null }>(
    'SELECT * FROM lexical_segments WHERE state = ?',
    SegmentState.used,
  );
  for (const row of rows) {
    const here = passages.filter((passage) => passage >= row.first && passage <= row.last);
    if (here.length === 0) continue;
    const { removed, length } = clear(db, row.id, row.first, here);
    if (removed.length === 0) continue;
    db.run(
      `UPDATE lexical_segments SET documents = documents - ?1, dead = dead + ?1, length = length - ?2 WHERE id = ?3`,
      removed.length,
      length,
      row.id,
    );
    if (row.target === null) {
      if (removed.length === row.documents)
        db.run('UPDATE lexical_segments SET state = ? WHERE id = ?', SegmentState.dropped, row.id);
      continue;
    }
    const target = db.row<SegmentRow>('SELECT * FROM lexical_segments WHERE id = ?', row.target);
    if (target) clear(db, target.id, target.first, removed);
  }
}

/** Sets the lengths of passages to nothing; gives those that were there. */
function clear(db: Database, segment: number, first: number, passages: readonly number[]) {
  const pages = new Map<number, Uint8Array>();
  const removed: number[] = [];
  let length = 0;
  for (const passage of passages) {
    const page = pageOf(first, passage);
    const codes = pages.get(page) ?? readPage(db, segment, page);
    const at = passage - first - page * PAGE;
    const code = codes[at] ?? 0;
    if (code === 0) continue;
    removed.push(passage);
    length += LENGTHS[code]!;
    codes[at] = 0;
    pages.set(page, codes);
  }
  for (const [page, codes] of pages) writePage(db, segment, page, codes);
  return { removed, length };
}
