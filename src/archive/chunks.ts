import { isDamage } from '../store/damage.ts';
import type { Database } from '../store/database.ts';
import { damagedBody, LOST, openBody } from './bodies.ts';
import type { ChunkBody } from './delta.ts';

/** A stored run of parts of a turn. */
export interface StoredChunk {
  readonly chunk: number;
  readonly first: number;
  readonly body: ChunkBody;
}

/**
 * A chunk; where it is damaged, a notice stands in the place of what it held. `onDamage` is told where that is news: what is
 * known to be lost, or is to be read again already, is none.
 */
export function chunkAt(
  db: Database,
  session: number,
  turn: number,
  chunk: number,
  onDamage: () => void,
): StoredChunk | undefined {
  let first = 0;
  let isLost = false;
  try {
    const row = db.row<{ first: number; body: Uint8Array }>(
      'SELECT first, body FROM chunks WHERE session = ? AND turn = ? AND chunk = ?',
      session,
      turn,
      chunk,
    );
    if (!row) return undefined;
    first = row.first;
    const body = openBody(row.body, { session, turn, chunk, first });
    if (body) return { chunk, first, body };
    isLost = row.body.length === LOST.length;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  if (!isLost && !isToBeRead(db, session)) onDamage();
  return { chunk, first, body: damagedBody() };
}

function isToBeRead(db: Database, session: number): boolean {
  const sql = 'SELECT 1 FROM sessions JOIN units ON units.id = unit WHERE sessions.id = ? AND read_to IS NULL';
  return db.row(sql, session) !== undefined;
}

/** The numbers of a turn's chunks, in order. From the index of their keys alone: that of a damaged one is known. */
export function chunkNumbers(db: Database, session: number, turn: number): number[] {
  const sql = 'SELECT chunk FROM chunks WHERE session = ? AND turn = ? ORDER BY chunk';
  return db.rows<{ chunk: number }>(sql, session, turn).map(({ chunk }) => chunk);
}

/** The number of a turn's last chunk, likewise. */
export function lastChunkOf(db: Database, session: number, turn: number): number | undefined {
  const sql = 'SELECT chunk FROM chunks WHERE session = ? AND turn = ? ORDER BY chunk DESC LIMIT 1';
  return db.row<{ chunk: number }>(sql, session, turn)?.chunk;
}
