import { read as readOld } from '../gemini/read.ts';
import { linesOf } from '../jsonl/lines.ts';
import { marksOf } from '../jsonl/marks.ts';
import { readRecords } from '../jsonl/reading.ts';
import type { Checkpoint, SourceEvent, Unit } from '../source.ts';
import { Transcript } from './transcript.ts';

/** Reads a transcript from a checkpoint on, or a chat of the first versions. */
export async function* read(unit: Unit, from?: Checkpoint): AsyncIterable<SourceEvent> {
  if (unit.format === 'snapshot') {
    yield* readOld(unit);
    return;
  }
  const start = { offset: from?.offset ?? 0, line: from?.line ?? 0 };
  yield* readRecords(
    { path: unit.path, lines: linesOf(unit.path, start), marks: (offset) => marksOf(unit.path, offset) },
    new Transcript(unit, from?.state),
    from,
  );
}
