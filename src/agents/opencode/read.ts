import { basename } from 'node:path';
import { rowKey } from '../rows.ts';
import { readSnapshot } from '../snapshot.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { messagesOf } from './messages.ts';
import { Session } from './session.ts';

/** Reads one session. @throws ForeignDatabaseError */
export async function* read(unit: Unit): AsyncIterable<SourceEvent> {
  const { session, messages, outputs, bytes } = messagesOf(unit);
  const id = unit.layout === 'files' ? basename(unit.path, '.json') : rowKey(unit);
  yield* readSnapshot(unit, new Session(id, unit.source, session, outputs), messages, bytes);
}
