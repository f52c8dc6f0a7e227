import { readSnapshot } from '../snapshot.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { contentsOf } from './contents.ts';
import { Conversation } from './conversation.ts';
import { filesOf, placeOf } from './files.ts';
import { recordsIn } from './lines.ts';
import { PromptList } from './prompts.ts';

/** Reads a conversation, all files of it, or what was typed in a terminal. @throws ForeignDatabaseError */
export async function* read(unit: Unit): AsyncIterable<SourceEvent> {
  if (unit.layout === 'prompts') {
    yield* readSnapshot(unit, new PromptList(), recordsIn(unit.path));
    return;
  }
  const place = placeOf(unit.path);
  if (place === undefined) throw new Error('the file is no part of a conversation');
  const contents = contentsOf(filesOf(place));
  yield* readSnapshot(unit, new Conversation(place, unit, contents), contents.entries);
}
