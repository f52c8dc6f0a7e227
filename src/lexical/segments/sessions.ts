import type { Database } from '../../store/database.ts';
import type { SegmentRow } from '../schema.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

/**
 * Which session each passage of a segment belongs to, so that a filter is asked of sessions and not of passages. The
 * passages of a session mostly lie together: kept are runs of them, the passages from the end of the last run on, and
 * the session. 0 is no session.
 */
export function writeSessions(db: Database, segment: number, sessions: Int32Array): void {
  const out = new ByteWriter();
  for (let from = 0; from < sessions.length; ) {
    let to = from + 1;
    while (to < sessions.length && sessions[to] === sessions[from]) to++;
    out.varint(to - from);
    out.varint(sessions[from]!);
    from = to;
  }
  db.run('INSERT INTO lexical_sessions (segment, runs) VALUES (?, ?)', segment, out.view());
}

/** Calls `found` for each run of passages, counted from the segment's first; those of no session are left out. */
export function eachSessionRun(
  db: Database,
  { id, first, last }: SegmentRow,
  found: (from: number, to: number, session: number) => void,
): void {
  const row = db.row<{ runs: Uint8Array }>('SELECT runs FROM lexical_sessions WHERE segment = ?', id);
  if (!row) return;
  const reader = new ByteReader(row.runs);
  let from = 0;
  while (reader.at < row.runs.length) {
    const to = from + reader.varint();
    const session = reader.varint();
    if (to > last - first + 1) throw new RangeError('a run of passages beyond the segment');
    if (session !== 0) found(from, to, session);
    from = to;
  }
}
