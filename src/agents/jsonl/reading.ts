import type { Where } from '../../transcript/index.ts';
import { type Fields, isFields } from '../fields.ts';
import type { NotShownCounter } from '../not-shown.ts';
import type { Checkpoint, SourceEvent } from '../source.ts';
import { type Line, LONGEST_LINE, linesOf } from './lines.ts';
import { marksOf } from './marks.ts';
import { RunningTally } from './tally.ts';
import { valuesOf } from './values.ts';

/** A checkpoint at least every so many bytes: what a batch of the writer holds. */
const STRIDE = 1 << 20;

const TORN = 'a piece of a record that was cut off; what else stands on the line was read';

/** What turns the records of one file into events, which it puts into `events`. */
export interface RecordReader {
  readonly events: SourceEvent[];
  readonly notShown: NotShownCounter;
  begin?(): void;
  /** Whether an object is a whole record. `isValue`: it stands where the value of a field may, so it may be a part of one. */
  isRecord(object: Fields, isValue: boolean): boolean;
  /** Whether the line is bookkeeping that need not be parsed: one record, and nothing else. */
  skips?(bytes: Buffer, where: Where): boolean;
  /** Takes a record; gives the name of its type where it is unknown. */
  record(record: Fields, where: Where): string | undefined;
  /** Tells what was gathered since the last checkpoint. */
  settle(isLast: boolean): void;
  state(): unknown;
}

export interface LineSource {
  readonly path: string;
  readonly lines: Iterable<Line> | AsyncIterable<Line>;
  readonly marks: (offset: number) => { headHash: string; tailHash: string };
}

/** Reads a JSONL file from a checkpoint on, or from its beginning. */
export function readLog(path: string, reader: RecordReader, from?: Checkpoint): AsyncGenerator<SourceEvent> {
  const lines = linesOf(path, { offset: from?.offset ?? 0, line: from?.line ?? 0 });
  return readRecords({ path, lines, marks: (offset) => marksOf(path, offset) }, reader, from);
}

/** Reads the records of lines from a checkpoint on, or from their beginning. */
export async function* readRecords(
  source: LineSource,
  reader: RecordReader,
  from?: Checkpoint,
): AsyncGenerator<SourceEvent> {
  const { events } = reader;
  const tally = new RunningTally(source.path);
  let offset = from?.offset ?? 0;
  let line = from?.line ?? 0;
  let lastCheckpoint = offset;

  const checkpoint = (isLast: boolean): SourceEvent => {
    const bytes = offset - lastCheckpoint;
    lastCheckpoint = offset;
    return {
      type: 'checkpoint',
      checkpoint: { offset, line, state: reader.state(), ...source.marks(offset) },
      tally: { ...tally.take(bytes), notShown: reader.notShown.take() },
      isLast,
    };
  };

  reader.begin?.();
  for await (const found of source.lines) {
    const where: Where = { offset: found.offset, line: found.number };
    if (found.tooLong) tally.fail(found.number, `a line over ${LONGEST_LINE >> 20} MB was not read`);
    else if (!found.open && reader.skips?.(found.bytes, where) === true) tally.records++;
    else {
      const { values, torn } = valuesOf(found.bytes.toString('utf8'), (object, isValue) =>
        reader.isRecord(object, isValue),
      );
      // A last line without its newline is read when it is whole; until then it waits.
      if (found.open && torn) {
        tally.wait(found.number, 'the last line is not complete yet');
        break;
      }
      if (torn) tally.fail(found.number, values.length > 0 ? TORN : 'a line that is not JSON');
      for (const value of values) {
        tally.records++;
        tally.know(isFields(value) ? reader.record(value, where) : 'not an object');
      }
    }
    offset = found.end;
    // The newline that may still come belongs to this line.
    line = found.open ? found.number - 1 : found.number;
    if (events.length > 0) yield* drain(events);
    if (offset - lastCheckpoint >= STRIDE) {
      reader.settle(false);
      yield* drain(events);
      yield checkpoint(false);
    }
  }
  reader.settle(true);
  yield* drain(events);
  yield checkpoint(true);
}

function* drain(events: SourceEvent[]): Generator<SourceEvent> {
  for (const event of events) yield event;
  events.length = 0;
}
