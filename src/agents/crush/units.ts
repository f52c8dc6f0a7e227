import { join } from 'node:path';
import { type Fields, number, text, time } from '../fields.ts';
import { databaseUnit } from '../folders.ts';
import { readForeignDatabase } from '../foreign-database.ts';
import { fileOf, rowKey, rowUnit } from '../rows.ts';
import type { Encounters, Root, Unit } from '../source.ts';

const DATABASE = 'crush.db';
/** So much is as long as a message mostly is. */
const MESSAGE = 4096;

export async function* units(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  const unit = databaseIn(root, met);
  if (unit) yield unit;
}

export function places(root: Root): { folders: string[]; files: string[] } {
  const path = join(root.path, DATABASE);
  return { folders: [], files: [path, `${path}-wal`] };
}

/** The database, for itself and for the log beside it. */
export function unitUnder(root: Root, path: string): Unit | undefined {
  const own = join(root.path, DATABASE);
  return path === own || path === `${own}-wal` ? databaseIn(root) : undefined;
}

function databaseIn({ path: folder, layout, inside }: Root, met?: Encounters): Unit | undefined {
  const unit = databaseUnit({ source: 'crush', path: join(folder, DATABASE), layout }, met);
  return unit && { ...unit, ...(inside !== undefined && { inside }) };
}

/**
 * The sessions of a database. What is written on is a session's last message, whose session is not touched then: so
 * that one is looked at too, and no other.
 */
const SESSIONS = `
SELECT s.id, s.updated_at, s.message_count, last.updated_at AS last_at, length(last.parts) AS last_length
FROM sessions s LEFT JOIN messages last
  ON last.rowid = (SELECT m.rowid FROM messages m WHERE m.session_id = s.id ORDER BY m.rowid DESC LIMIT 1)`;

/** The sessions of a database, each a unit. @throws ForeignDatabaseError */
export function rows(listing: Unit): Unit[] {
  return readForeignDatabase(listing.path, (ask) => ask(SESSIONS).flatMap((row) => sessionUnit(listing, row) ?? []));
}

function sessionUnit(listing: Unit, row: Fields): Unit | undefined {
  const id = text(row.id);
  const count = number(row.message_count) ?? 0;
  // A request for a title is a session without messages.
  if (id === undefined || count <= 0) return undefined;
  const size = count * MESSAGE + (number(row.last_length) ?? 0);
  const modified = Math.max(time(row.updated_at) ?? 0, time(row.last_at) ?? 0);
  return rowUnit(listing, id, { size, modified });
}

/** The messages of a session as they stand in the database. */
export function records(unit: Unit): string[] {
  const rows = readForeignDatabase(fileOf(unit), (ask) =>
    ask('SELECT * FROM messages WHERE session_id = ? ORDER BY rowid', rowKey(unit)),
  );
  return rows.map((row) => JSON.stringify(row));
}
