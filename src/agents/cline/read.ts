import { basename, dirname, join } from 'node:path';
import { type Fields, fields, isFields, list, number, text, time } from '../fields.ts';
import { documentAt, fieldsAt } from '../json.ts';
import { SessionTeller } from '../session-teller.ts';
import { readSnapshot } from '../snapshot.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { Conversation } from './conversation.ts';
import { screenOf } from './requests.ts';
import { Screen } from './screen.ts';
import { Session } from './session.ts';
import { CONVERSATION, SCREEN } from './units.ts';

/** Reads a task of an extension, or a session of today's program. @throws where a document is none */
export async function* read(unit: Unit): AsyncIterable<SourceEvent> {
  if (unit.layout === 'session') {
    const { document, beside } = sessionAt(unit);
    yield* readSnapshot(unit, new Session(document, beside, unit.path), list(document.messages));
    return;
  }
  const folder = dirname(unit.path);
  const conversation = documentAt(join(folder, CONVERSATION));
  const screen = screenOf(documentAt(join(folder, SCREEN)));
  const tell = new SessionTeller(basename(folder), []);
  tellTask(tell, folder, unit.source);
  const reader = Array.isArray(conversation) ? new Conversation(tell, screen) : new Screen(tell);
  yield* readSnapshot(unit, reader, Array.isArray(conversation) ? conversation : screen);
}

/** What a task's folder tells beside what was said. */
function tellTask(tell: SessionTeller, folder: string, source: string): void {
  const metadata = fieldsAt(join(folder, 'task_metadata.json'));
  const item = fieldsAt(join(folder, 'history_item.json'));
  const version = text(list(metadata.environment_history).map(fields).at(-1)?.cline_version);
  const models = list(metadata.model_usage).flatMap((usage) => text(fields(usage).model_id) ?? []);
  const [cwd, parent] = [text(item.workspace), text(item.parentTaskId)];
  tell.facts({
    client: { name: source, ...(version !== undefined && { version }) },
    ...(models.length > 0 && { models: [...new Set(models)] }),
    ...(cwd !== undefined && { cwd }),
    ...(parent !== undefined && { parent: { nativeId: parent, relation: 'subagent' } }),
  });
  // A task of Cline's is named after the moment when it began.
  tell.time(time(number(Number(tell.session))) ?? time(item.ts));
}

/** The messages of a session as they stand, with what lies beside them. @throws where there are none */
export function sessionAt(unit: Unit): { readonly document: Fields; readonly beside: Fields } {
  const document = documentAt(unit.path);
  if (!isFields(document)) throw new Error('the file holds no session');
  const folder = dirname(unit.path);
  return { document, beside: fieldsAt(join(folder, `${basename(folder)}.json`)) };
}
