import { read as readOld } from '../gemini/read.ts';
import { readLog } from '../jsonl/reading.ts';
import type { Checkpoint, SourceEvent, Unit } from '../source.ts';
import { Transcript } from './transcript.ts';

/** Reads a transcript from a checkpoint on, or a chat of the first versions. */
export async function* read(unit: Unit, from?: Checkpoint): AsyncIterable<SourceEvent> {
  if (unit.format === 'snapshot') {
    yield* readOld(unit);
    return;
  }
  yield* readLog(unit.path, new Transcript(unit, from?.state), from);
}
