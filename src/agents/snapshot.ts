import type { Where } from '../transcript/index.ts';
import { type Fields, isFields } from './fields.ts';
import { RunningTally } from './jsonl/tally.ts';
import type { NotShownCounter } from './not-shown.ts';
import type { SourceEvent, Unit } from './source.ts';

/** What turns the records of a unit that is read whole into events, which it puts into `events`. */
export interface SnapshotReader {
  readonly events: SourceEvent[];
  readonly notShown: NotShownCounter;
  /** Takes a record; gives the name of its type where it is unknown. */
  record(record: Fields, where: Where): string | undefined;
  /** Tells what is known at the end. */
  settle?(): void;
}

/**
 * Reads a unit that is rewritten whole, or rows of a database that change in place. Records are counted from 1: that is the
 * `line` where something stands, and what `Source.records` gives in the same order. `bytes` is what was read for it; a record
 * that is an `Error` could not be read, and is told as a failure.
 */
export function* readSnapshot(
  unit: Unit,
  reader: SnapshotReader,
  records: Iterable<unknown>,
  bytes = unit.size,
): Generator<SourceEvent> {
  const tally = new RunningTally(unit.path);
  let line = 0;
  for (const record of records) {
    line++;
    tally.records++;
    if (record instanceof Error) tally.fail(line, record.message);
    else tally.know(isFields(record) ? reader.record(record, { offset: 0, line }) : 'not an object');
    yield* reader.events;
    reader.events.length = 0;
  }
  reader.settle?.();
  yield* reader.events;
  reader.events.length = 0;
  yield {
    type: 'checkpoint',
    checkpoint: { offset: unit.size, line, state: undefined, headHash: '', tailHash: '' },
    tally: { ...tally.take(bytes), notShown: reader.notShown.take() },
    isLast: true,
  };
}
