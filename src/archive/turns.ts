import type { Database } from '../store/database.ts';
import type { TurnDelta } from './delta.ts';
import { recordsOf } from './rows.ts';

/** A piece that is as long is not written again for a record more. */
const PIECE = 4096;

/** A turn may be as long as a session: its own row holds the first piece of its records, what comes later lies here. */
export const LATER_RECORDS = `
CREATE TABLE IF NOT EXISTS later_records (
  session INTEGER NOT NULL, turn INTEGER NOT NULL, piece INTEGER NOT NULL,
  records BLOB NOT NULL,            -- as those of the turn, which these follow
  PRIMARY KEY (session, turn, piece)
) WITHOUT ROWID;
`;

/** Keeps what a reading gave of a turn: its beginning, or how it goes on. */
export function keepTurn(db: Database, session: number, turn: TurnDelta): void {
  if (turn.begun) {
    const records = new Uint8Array(turn.records.buffer, turn.records.byteOffset, turn.records.byteLength);
    db.run(
      'INSERT OR REPLACE INTO turns (session, turn, anchor, started, ended, after, prompt, records) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      session,
      turn.turn,
      turn.begun.anchor,
      turn.started ?? null,
      turn.ended ?? null,
      turn.begun.after ?? null,
      turn.begun.prompt ?? null,
      records,
    );
  } else {
    const stored = db.row<{ started: number | null; ended: number | null }>(
      'SELECT started, ended FROM turns WHERE session = ? AND turn = ?',
      session,
      turn.turn,
    );
    if (!stored) return;
    db.run(
      'UPDATE turns SET started = ?, ended = ? WHERE session = ? AND turn = ?',
      earlier(stored.started ?? undefined, turn.started) ?? null,
      later(stored.ended ?? undefined, turn.ended) ?? null,
      session,
      turn.turn,
    );
    addRecords(db, session, turn.turn, turn.records);
  }
}

/** Adds records to those of a turn, as pairs of hash and time. */
function addRecords(db: Database, session: number, turn: number, records: Float64Array): void {
  if (records.length === 0) return;
  const bytes = new Uint8Array(records.buffer, records.byteOffset, records.byteLength);
  const last = db.row<{ piece: number; bytes: number }>(
    `SELECT piece, length(records) AS bytes FROM later_records WHERE session = ? AND turn = ?
     ORDER BY piece DESC LIMIT 1`,
    session,
    turn,
  );
  if (last && last.bytes < PIECE) {
    const { records: before } = db.row<{ records: Uint8Array }>(
      'SELECT records FROM later_records WHERE session = ? AND turn = ? AND piece = ?',
      session,
      turn,
      last.piece,
    )!;
    db.run(
      'UPDATE later_records SET records = ? WHERE session = ? AND turn = ? AND piece = ?',
      Buffer.concat([before, bytes]),
      session,
      turn,
      last.piece,
    );
  } else
    db.run(
      'INSERT INTO later_records (session, turn, piece, records) VALUES (?, ?, ?, ?)',
      session,
      turn,
      (last?.piece ?? 0) + 1,
      bytes,
    );
}

/** The records of a turn in order, as pairs of hash and time. */
export function recordsOfTurn(db: Database, session: number, turn: number): Float64Array {
  const pieces = db.rows<{ records: Uint8Array }>(
    `SELECT records, 0 AS piece FROM turns WHERE session = ?1 AND turn = ?2
     UNION ALL SELECT records, piece FROM later_records WHERE session = ?1 AND turn = ?2 ORDER BY piece`,
    session,
    turn,
  );
  return recordsOf(new Uint8Array(Buffer.concat(pieces.map(({ records }) => records))));
}

/** The hashes of records, of which each comes with its time. */
export function hashesOf(records: Float64Array): number[] {
  const hashes: number[] = [];
  for (let i = 0; i < records.length; i += 2) hashes.push(records[i]!);
  return hashes;
}

/** The earlier of two times, where they are known. */
export function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** The later one. */
export function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
