import type { BodyPlace } from '../../src/archive/bodies.ts';
import { SUMMED_TABLES } from '../../src/archive/sums.ts';
import type { Database } from '../../src/store/database.ts';

/** Bytes of a body's seal. */
const SEAL = 5;

/** Makes an archive as it was before there were checksums. */
export function asVersion4(db: Database): void {
  for (const { name } of db.rows<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'trigger'"))
    db.exec(`DROP TRIGGER ${name}`);
  for (const table of SUMMED_TABLES) db.exec(`ALTER TABLE ${table} DROP COLUMN sum`);
  for (const { body, ...at } of db.rows<BodyPlace & { body: Uint8Array }>('SELECT * FROM chunks'))
    db.run(
      'UPDATE chunks SET body = ? WHERE session = ? AND turn = ? AND chunk = ?',
      body.subarray(SEAL),
      at.session,
      at.turn,
      at.chunk,
    );
  const later = db.rows<{ session: number; turn: number; records: Uint8Array }>(
    'SELECT session, turn, records FROM later_records ORDER BY session, turn, piece',
  );
  for (const { session, turn, records } of later) {
    const where = 'WHERE session = ? AND turn = ?';
    const first = db.row<{ records: Uint8Array }>(`SELECT records FROM turns ${where}`, session, turn)!;
    db.run(`UPDATE turns SET records = ? ${where}`, Buffer.concat([first.records, records]), session, turn);
  }
  for (const table of ['later_records', 'spending', 'listings', 'listed', 'not_shown']) db.exec(`DROP TABLE ${table}`);
  db.exec('DROP INDEX IF EXISTS units_failed; PRAGMA user_version = 4;');
}
