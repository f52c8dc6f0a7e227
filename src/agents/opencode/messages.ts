import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Fields, fields, isFields, text, time } from '../fields.ts';
import { entriesOf } from '../folders.ts';
import { readForeignDatabase } from '../foreign-database.ts';
import { parsedJson } from '../json.ts';
import { fileOf, rowKey } from '../rows.ts';
import type { Unit } from '../source.ts';

/** A session and its messages, each as its data with `id` and `parts`; an error for one that cannot be read. */
export interface StoredSession {
  readonly session: Fields;
  readonly messages: readonly (Fields | Error)[];
  /** The folder in which the program keeps outputs that were too long. */
  readonly outputs: string;
  readonly bytes: number;
}

/** The session that a unit is. @throws ForeignDatabaseError; what reading its own file throws */
export function messagesOf(unit: Unit): StoredSession {
  return unit.layout === 'files' ? fromFiles(unit) : fromDatabase(unit);
}

function fromDatabase(unit: Unit): StoredSession {
  const id = rowKey(unit);
  const path = fileOf(unit);
  const { session, messages, parts } = readForeignDatabase(path, (rows) => ({
    session: rows('SELECT * FROM session WHERE id = ?', id)[0] ?? {},
    messages: rows('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id', id),
    parts: rows('SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id', id),
  }));
  const byMessage = Map.groupBy(parts, ({ message_id: message }) => message);
  return {
    session,
    messages: messages.map((row) =>
      messageOf(
        row.id,
        parsedJson(row.data),
        (byMessage.get(row.id) ?? []).map(({ data }) => parsedJson(data)),
      ),
    ),
    outputs: join(dirname(path), 'tool-output'),
    bytes: [...messages, ...parts].reduce((sum, { data }) => sum + (typeof data === 'string' ? data.length : 0), 0),
  };
}

/** `storage/session/<project>/<session>.json`, `storage/message/<session>/*.json`, `storage/part/<message>/*.json`. */
function fromFiles(unit: Unit): StoredSession {
  const session = JSON.parse(readFileSync(unit.path, 'utf8'));
  const storage = join(dirname(unit.path), '..', '..');
  let bytes = unit.size;
  const contentsOf = (folder: string): unknown[] =>
    entriesOf(folder)
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => {
        const content = contentAt(join(folder, name));
        bytes += content?.length ?? 0;
        return parsedJson(content);
      });
  const messages = contentsOf(join(storage, 'message', basename(unit.path, '.json'))).map((data) => {
    const id = text(fields(data).id);
    return messageOf(id, data, id === undefined ? [] : contentsOf(join(storage, 'part', id)));
  });
  const at = (message: Fields | Error) => (message instanceof Error ? 0 : (time(fields(message.time).created) ?? 0));
  return {
    session: asRow(fields(session)),
    messages: messages.sort((a, b) => at(a) - at(b)),
    outputs: join(storage, '..', 'tool-output'),
    bytes,
  };
}

/** A session's file under the names of the database's columns. */
function asRow(session: Fields): Fields {
  const { created, updated } = fields(session.time);
  return { ...session, parent_id: session.parentID, time_created: created, time_updated: updated };
}

function messageOf(id: unknown, data: unknown, parts: readonly unknown[]): Fields | Error {
  if (!isFields(data)) return new Error('a message that is not JSON');
  return { ...data, id, parts };
}

function contentAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
