import { isFields, list } from '../fields.ts';
import { documentAt } from '../json.ts';
import { readLog } from '../jsonl/reading.ts';
import { readSnapshot } from '../snapshot.ts';
import type { Checkpoint, SourceEvent, Unit } from '../source.ts';
import { Events } from './events.ts';
import { StoredSession, storedSession } from './store.ts';
import { Timeline } from './timeline.ts';

/** Reads a session from a checkpoint on, or from its beginning. @throws where an old one is no document */
export async function* read(unit: Unit, from?: Checkpoint): AsyncIterable<SourceEvent> {
  if (unit.layout === 'events') {
    yield* readLog(unit.path, new Events(unit, from?.state), from);
    return;
  }
  if (unit.layout === 'store') {
    const { session, turns } = storedSession(unit);
    yield* readSnapshot(unit, new StoredSession(session), turns);
    return;
  }
  const document = documentAt(unit.path);
  if (!isFields(document)) throw new Error('the file holds no session');
  yield* readSnapshot(unit, new Timeline(unit, document), list(document.timeline));
}
