import { linesOf } from '../jsonl/lines.ts';
import { marksOf } from '../jsonl/marks.ts';
import { readRecords } from '../jsonl/reading.ts';
import type { Checkpoint, SourceEvent, Unit } from '../source.ts';
import { Session } from './session.ts';

/** Reads a session from a checkpoint on, or from its beginning. */
export async function* read(unit: Unit, from?: Checkpoint): AsyncIterable<SourceEvent> {
  const start = { offset: from?.offset ?? 0, line: from?.line ?? 0 };
  yield* readRecords(
    { path: unit.path, lines: linesOf(unit.path, start), marks: (offset) => marksOf(unit.path, offset) },
    new Session(unit, from?.state),
    from,
  );
}
