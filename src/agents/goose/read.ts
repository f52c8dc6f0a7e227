import { basename } from 'node:path';
import { type Fields, fields, text } from '../fields.ts';
import { readForeignDatabase } from '../foreign-database.ts';
import { linesOf } from '../jsonl/lines.ts';
import { marksOf } from '../jsonl/marks.ts';
import { readRecords } from '../jsonl/reading.ts';
import { fileOf, rowKey } from '../rows.ts';
import { readSnapshot } from '../snapshot.ts';
import type { Checkpoint, SourceEvent, Unit } from '../source.ts';
import { Conversation } from './conversation.ts';

/** Reads one session: the rows of the database, or the lines of a file. @throws ForeignDatabaseError */
export async function* read(unit: Unit, from?: Checkpoint): AsyncIterable<SourceEvent> {
  if (unit.layout === 'jsonl') {
    const start = { offset: from?.offset ?? 0, line: from?.line ?? 0 };
    const lines = { path: unit.path, lines: linesOf(unit.path, start), marks: (at: number) => marksOf(unit.path, at) };
    yield* readRecords(lines, new Conversation(basename(unit.path, '.jsonl')), from);
    return;
  }
  const id = rowKey(unit);
  const { session, messages } = readForeignDatabase(fileOf(unit), (rows) => ({
    session: rows('SELECT * FROM sessions WHERE id = ?', id)[0] ?? {},
    messages: rows('SELECT * FROM messages WHERE session_id = ? ORDER BY id', id),
  }));
  const conversation = new Conversation(id);
  conversation.begun(session);
  const bytes = messages.reduce((sum, { content_json: content }) => sum + String(content).length, 0);
  yield* readSnapshot(unit, conversation, messages.map(messageOf), bytes);
}

/** A row as older versions wrote it on a line. */
function messageOf(row: Fields): Fields | Error {
  try {
    const content: unknown = JSON.parse(text(row.content_json) ?? '[]');
    const metadata: unknown = JSON.parse(text(row.metadata_json) ?? '{}');
    const id = text(row.message_id) ?? `row ${row.id}`;
    return { role: row.role, created: row.created_timestamp, content, metadata: fields(metadata), id };
  } catch {
    return new Error('a message that is not JSON');
  }
}
