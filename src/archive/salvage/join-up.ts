import type { Database } from '../../store/database.ts';
import { openBody } from '../bodies.ts';
import { keepPlace, unitAt } from './placeholders.ts';

/**
 * Makes one whole of rows that were saved apart: what names a row that is lost is given another in its place. `pathOf` says
 * where a session's file lay, where a witness knows.
 */
export function joinUp(db: Database, pathOf: (session: number) => string | undefined): void {
  const homeless = db.rows<{ session: number }>(
    'SELECT session FROM (SELECT session FROM turns UNION SELECT session FROM chunks) WHERE session NOT IN (SELECT id FROM sessions)',
  );
  for (const { session } of homeless)
    db.run(
      `INSERT INTO sessions (id, key, source, native_id, unit, kind, facts, turns, revision) VALUES (?1, ?2, 'lost', ?3, ?4, 'transcript', '{}', 0, 0)`,
      session,
      `lost:${session}`,
      String(session),
      unitAt(db, 'lost', `lost/${session}`),
    );
  const unplaced = db.rows<{ id: number; source: string; unit: number }>(
    'SELECT id, source, unit FROM sessions WHERE unit NOT IN (SELECT id FROM units)',
  );
  for (const { id, source, unit } of unplaced)
    db.run('UPDATE sessions SET unit = ? WHERE id = ?', unitAt(db, source, pathOf(id) ?? `lost/${unit}`, unit), id);
  const untold = db.rows<{ session: number; turn: number }>(
    'SELECT DISTINCT session, turn FROM chunks WHERE NOT EXISTS (SELECT 1 FROM turns WHERE turns.session = chunks.session AND turns.turn = chunks.turn)',
  );
  for (const { session, turn } of untold) {
    const records = recordsOfBodies(db, session, turn);
    db.run(
      'INSERT INTO turns (session, turn, anchor, records) VALUES (?, ?, ?, ?)',
      session,
      turn,
      `lost-${turn}`,
      new Uint8Array(records.buffer),
    );
  }
  keepPlacesBetween(db);
  deriveRecords(db);
  db.exec(`UPDATE sessions SET turns = max(turns, coalesce((SELECT max(turn) + 1 FROM turns WHERE session = id), 0))`);
}

/** The records that the parts of a turn stand in, their times unknown. */
function recordsOfBodies(db: Database, session: number, turn: number): Float64Array<ArrayBuffer> {
  const rows = db.rows<{ chunk: number; first: number; body: Uint8Array }>(
    'SELECT chunk, first, body FROM chunks WHERE session = ? AND turn = ? ORDER BY chunk',
    session,
    turn,
  );
  const hashes = rows.flatMap(({ body, ...place }) => openBody(body, { session, turn, ...place })?.records ?? []);
  return new Float64Array([...new Set(hashes)].filter((hash) => hash !== 0).flatMap((hash) => [hash, Number.NaN]));
}

/** Chunks of a turn are numbered from 0, and a turn that began with a prompt has one: the places of those that are missing. */
function keepPlacesBetween(db: Database): void {
  const turns = db.rows<{ session: number; turn: number; last: number | null; n: number; prompt: string | null }>(
    `SELECT turns.session, turns.turn, max(chunk) AS last, count(chunk) AS n, prompt FROM turns
     LEFT JOIN chunks ON chunks.session = turns.session AND chunks.turn = turns.turn
     GROUP BY turns.session, turns.turn HAVING n <> coalesce(last + 1, 0) OR (n = 0 AND prompt IS NOT NULL)`,
  );
  for (const { session, turn, last } of turns)
    for (let chunk = 0; chunk <= (last ?? 0); chunk++) keepPlace(db, session, turn, chunk);
}

/** Fills the tables that are made from the turns: which records stand where, and which sessions share some. */
function deriveRecords(db: Database): void {
  const turns = db.each<{ session: number; turn: number; records: Uint8Array }>(
    'SELECT session, turn, records FROM turns UNION ALL SELECT session, turn, records FROM later_records',
  );
  for (const { session, turn, records } of turns) {
    const values = new Float64Array(records.slice().buffer);
    const hashes = JSON.stringify(Array.from(values.filter((value, i) => i % 2 === 0 && Number.isSafeInteger(value))));
    db.run(
      'INSERT OR IGNORE INTO records (hash, session, turn) SELECT value, ?, ? FROM json_each(?)',
      session,
      turn,
      hashes,
    );
  }
  db.exec(`INSERT OR IGNORE INTO shares (session, other)
    SELECT DISTINCT a.session, b.session FROM records a JOIN records b ON b.hash = a.hash AND b.session <> a.session`);
}
