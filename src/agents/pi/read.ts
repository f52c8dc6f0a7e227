import { readLog } from '../jsonl/reading.ts';
import type { Checkpoint, SourceEvent, Unit } from '../source.ts';
import { Session } from './session.ts';

/** Reads a session from a checkpoint on, or from its beginning. */
export async function* read(unit: Unit, from?: Checkpoint): AsyncIterable<SourceEvent> {
  yield* readLog(unit.path, new Session(unit), from);
}
