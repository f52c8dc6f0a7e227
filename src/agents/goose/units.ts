import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Fields, number, text } from '../fields.ts';
import { databaseUnit, filesBelow, fileUnit } from '../folders.ts';
import { readForeignDatabase } from '../foreign-database.ts';
import { fileOf, rowKey, rowUnit } from '../rows.ts';
import type { Encounters, Environment, Root, Unit } from '../source.ts';
import { utcTime } from './times.ts';

const DATABASE = 'sessions.db';
/** So much is as long as a message mostly is. */
const MESSAGE = 4096;

/** Where Goose keeps sessions: below `GOOSE_PATH_ROOT`, else in the user's data folder. */
export function roots({ home, platform, variables }: Environment): Root[] {
  const named = variables.GOOSE_PATH_ROOT?.trim();
  const data = variables.XDG_DATA_HOME?.trim();
  const roaming = variables.APPDATA?.trim() || join(home, 'AppData', 'Roaming');
  const folders = new Set([
    ...(named ? [join(named, 'data', 'sessions')] : []),
    ...(data ? [join(data, 'goose', 'sessions')] : []),
    join(home, '.local', 'share', 'goose', 'sessions'),
    ...(platform === 'win32' ? [join(roaming, 'Block', 'goose', 'data', 'sessions')] : []),
  ]);
  return [...folders].map((path) => ({ path, layout: 'home' }));
}

export async function* units(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  for (const path of filesBelow(root.path, root.path, { depth: 1 }, met)) {
    const unit = path.endsWith('-wal') ? undefined : unitUnder(root, path, met);
    if (unit) yield unit;
  }
}

export function places(root: Root): { folders: string[]; files: string[] } {
  return { folders: [root.path], files: [] };
}

/** The database, for itself and for the log beside it; or a session's own file. */
export function unitUnder(root: Root, path: string, met?: Encounters): Unit | undefined {
  if (dirname(path) !== root.path) return undefined;
  const name = basename(path);
  if (name === DATABASE || name === `${DATABASE}-wal`) {
    return databaseUnit({ source: 'goose', path: join(root.path, DATABASE), layout: 'database' }, met);
  }
  if (!name.endsWith('.jsonl') || name.startsWith('.')) return undefined;
  return fileUnit({ source: 'goose', path, layout: 'jsonl', format: 'append', isOneSession: true }, met);
}

/** The sessions that have messages: how many, and how long the last one is, tell besides the session's own time. */
const SESSIONS = `
SELECT s.id, s.updated_at, length(last.content_json) AS last_length, last.id AS last_id,
  (SELECT count(*) FROM messages m WHERE m.session_id = s.id) AS messages
FROM sessions s JOIN messages last
  ON last.id = (SELECT m.id FROM messages m WHERE m.session_id = s.id ORDER BY m.id DESC LIMIT 1)`;

/** The sessions of the database, each a unit. @throws ForeignDatabaseError */
export function rows(listing: Unit): Unit[] {
  return readForeignDatabase(listing.path, (ask) => ask(SESSIONS).flatMap((row) => sessionUnit(listing, row) ?? []));
}

function sessionUnit(listing: Unit, row: Fields): Unit | undefined {
  const id = text(row.id);
  if (id === undefined) return undefined;
  const size = (number(row.messages) ?? 0) * MESSAGE + (number(row.last_length) ?? 0) + (number(row.last_id) ?? 0);
  return rowUnit(listing, id, { size, modified: utcTime(row.updated_at) ?? 0 });
}

/** The messages of a session as they stand in the database, or the lines of its file. */
export function records(unit: Unit): string[] {
  if (unit.layout === 'jsonl') return readFileSync(unit.path, 'utf8').split('\n');
  const found = readForeignDatabase(fileOf(unit), (ask) =>
    ask('SELECT * FROM messages WHERE session_id = ? ORDER BY id', rowKey(unit)),
  );
  return found.map((row) => JSON.stringify(row));
}
