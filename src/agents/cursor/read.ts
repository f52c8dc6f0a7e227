import { readLog } from '../jsonl/reading.ts';
import { readSnapshot } from '../snapshot.ts';
import type { Checkpoint, SourceEvent, Unit } from '../source.ts';
import { Conversation } from './conversation.ts';
import { conversationOf } from './database.ts';
import { Transcript } from './transcript.ts';

/** Reads a conversation of the editor, or a transcript from a checkpoint on. @throws ForeignDatabaseError */
export async function* read(unit: Unit, from?: Checkpoint): AsyncIterable<SourceEvent> {
  if (unit.layout === 'transcript') {
    yield* readLog(unit.path, new Transcript(unit), from);
    return;
  }
  const stored = conversationOf(unit);
  yield* readSnapshot(unit, new Conversation(stored), stored.bubbles, stored.bytes);
}
