import { basename, dirname, join, relative, sep } from 'node:path';
import { type Fields, number, text, time } from '../fields.ts';
import { databaseUnit, entriesOf, filesBelow, fileUnit, statOf } from '../folders.ts';
import { readForeignDatabase } from '../foreign-database.ts';
import { rowUnit } from '../rows.ts';
import type { Encounters, Root, Unit } from '../source.ts';
import { messagesOf } from './messages.ts';

/** So much is as long as a message and a part mostly are. */
const MESSAGE = 1024;
const PART = 1024;
const SESSIONS = join('storage', 'session');

/** The database, and the sessions of versions before 1.2, a file each. */
export async function* units(source: string, root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  for (const path of filesBelow(join(root.path, SESSIONS), root.path, { depth: 2 }, met)) {
    const unit = unitAt(source, root, path, met);
    if (unit) yield unit;
  }
  const database = unitAt(source, root, join(root.path, `${root.layout}.db`), met);
  if (database) yield database;
}

export function places(root: Root): { folders: string[]; files: string[] } {
  const database = join(root.path, `${root.layout}.db`);
  return { folders: [join(root.path, 'storage')], files: [database, `${database}-wal`] };
}

/** The unit that a path is or is part of: the database for its log, a session for its messages and their parts. */
export function unitAt(source: string, root: Root, path: string, met?: Encounters): Unit | undefined {
  const database = join(root.path, `${root.layout}.db`);
  if (path === database || path === `${database}-wal`) {
    return databaseUnit({ source, path: database, layout: 'database' }, met);
  }
  const [storage, kind, folder, name] = relative(root.path, path).split(sep);
  if (storage !== 'storage' || !path.endsWith('.json')) return undefined;
  if (kind === 'session' && name !== undefined) return sessionAt(source, path, met);
  if (kind !== 'message' || folder === undefined || name === undefined) return undefined;
  const session = sessionFile(root, folder);
  return session === undefined ? undefined : sessionAt(source, session, met);
}

function sessionFile(root: Root, session: string): string | undefined {
  const projects = entriesOf(join(root.path, SESSIONS)).filter((entry) => entry.isDirectory());
  return projects
    .map(({ name }) => join(root.path, SESSIONS, name, `${session}.json`))
    .find((path) => statOf(path)?.isFile());
}

/** A session of the files: how many messages it has, and when something was last written to them, is its mark. */
function sessionAt(source: string, path: string, met?: Encounters): Unit | undefined {
  if (!basename(path).startsWith('ses')) return undefined;
  const unit = fileUnit({ source, path, layout: 'files', format: 'snapshot', isOneSession: true }, met);
  if (!unit) return undefined;
  const storage = join(dirname(path), '..', '..');
  const messages = join(storage, 'message', basename(path, '.json'));
  const names = entriesOf(messages)
    .map(({ name }) => name)
    .sort();
  const last = names.at(-1);
  const written = [
    statOf(messages),
    ...(last === undefined
      ? []
      : [statOf(join(messages, last)), statOf(join(storage, 'part', basename(last, '.json')))]),
  ].flatMap((stat) => (stat ? [Math.floor(stat.mtimeMs)] : []));
  return { ...unit, size: unit.size + names.length * MESSAGE, modified: Math.max(unit.modified, ...written) };
}

/**
 * The sessions of a database. What is written on is the last part of a session's last message: so its time is looked at,
 * and how many messages and parts there are, all by their indexes; the contents are not.
 */
const ALL_SESSIONS = `
SELECT s.id, s.time_updated, m.time_updated AS message_at,
  (SELECT p.time_updated FROM part p WHERE p.message_id = m.id ORDER BY p.id DESC LIMIT 1) AS part_at,
  (SELECT count(*) FROM message c WHERE c.session_id = s.id) AS messages,
  (SELECT count(*) FROM part c WHERE c.session_id = s.id) AS parts
FROM session s LEFT JOIN message m
  ON m.id = (SELECT l.id FROM message l WHERE l.session_id = s.id ORDER BY l.time_created DESC, l.id DESC LIMIT 1)`;

/** The sessions of a database, each a unit. @throws ForeignDatabaseError */
export function rows(listing: Unit): Unit[] {
  return readForeignDatabase(listing.path, (ask) =>
    ask(ALL_SESSIONS).flatMap((row) => sessionUnit(listing, row) ?? []),
  );
}

function sessionUnit(listing: Unit, row: Fields): Unit | undefined {
  const id = text(row.id);
  if (id === undefined) return undefined;
  const size = (number(row.messages) ?? 0) * MESSAGE + (number(row.parts) ?? 0) * PART;
  const times = [row.time_updated, row.message_at, row.part_at].map((at) => time(at) ?? 0);
  return rowUnit(listing, id, { size, modified: Math.max(...times) });
}

/** The messages of a session with their parts, as they stand. */
export function recordsOf(unit: Unit): string[] {
  return messagesOf(unit).messages.map((message) => JSON.stringify(message));
}
