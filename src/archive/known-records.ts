import type { Archive } from './archive.ts';
import type { TurnDelta } from './delta.ts';
import { hashesOf } from './turns.ts';

/**
 * Puts the records of turns among those by which forks are known; gives whether other sessions have them too. Those of a
 * session of which another file leads are not there: copies are no forks.
 */
export function listRecords(
  { db }: Archive,
  session: number,
  turns: Iterable<Pick<TurnDelta, 'turn' | 'records'>>,
): boolean {
  let areShared = false;
  for (const { turn, records } of turns) {
    const hashes = JSON.stringify(hashesOf(records));
    // All in one statement: there are more of them than of anything else.
    db.run(
      'INSERT OR IGNORE INTO records (hash, session, turn) SELECT value, ?, ? FROM json_each(?)',
      session,
      turn,
      hashes,
    );
    const others = db.rows<{ session: number }>(
      'SELECT DISTINCT session FROM json_each(?) CROSS JOIN records ON hash = value WHERE session <> ?',
      hashes,
      session,
    );
    for (const other of others) {
      db.run('INSERT OR IGNORE INTO shares (session, other) VALUES (?, ?)', session, other.session);
      db.run('INSERT OR IGNORE INTO shares (session, other) VALUES (?, ?)', other.session, session);
    }
    areShared ||= others.length > 0;
  }
  return areShared;
}

/** The same for all turns of a session. */
export function listSession(archive: Archive, session: number): void {
  for (const { turn } of archive.turns(session))
    listRecords(archive, session, [{ turn, records: archive.recordsWithTimes(session, turn) }]);
}

/** Takes the records of a session out again. Those that hold them too show them now, so they changed. */
export function unlistSession(archive: Archive, session: number): void {
  const { db } = archive;
  for (const { other } of db.rows<{ other: number }>('SELECT other FROM shares WHERE session = ?', session)) {
    db.run('UPDATE sessions SET revision = revision + 1 WHERE id = ?', other);
    db.run('DELETE FROM shares WHERE session = ? AND other = ?', other, session);
  }
  db.run('DELETE FROM shares WHERE session = ?', session);
  for (const { turn } of archive.turns(session)) unlistTurn(archive, session, turn);
}

/** Takes the records of a turn out. By their hashes: there is no other way to them. */
export function unlistTurn(archive: Archive, session: number, turn: number): void {
  archive.db.run(
    'DELETE FROM records WHERE session = ? AND turn = ? AND hash IN (SELECT value FROM json_each(?))',
    session,
    turn,
    JSON.stringify(archive.recordsIn(session, turn)),
  );
}
