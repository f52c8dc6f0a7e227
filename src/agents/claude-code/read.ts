import type { Where } from '../../transcript/index.ts';
import { type Fields, isFields } from '../fields.ts';
import { LONGEST_LINE, linesOf } from '../jsonl/lines.ts';
import { marksOf } from '../jsonl/marks.ts';
import { valuesOf } from '../jsonl/values.ts';
import type { Checkpoint, Failure, SourceEvent, Unit } from '../source.ts';
import { readHistory } from './history.ts';
import { UNPARSED } from './records.ts';
import { Transcript, type TranscriptState } from './transcript.ts';

/** A checkpoint at least every so many bytes: what a batch of the writer holds. */
const STRIDE = 1 << 20;

/** Reads a transcript or the prompt history of Claude Code from a checkpoint, or from its beginning. */
export async function* read(unit: Unit, from?: Checkpoint): AsyncIterable<SourceEvent> {
  const events: SourceEvent[] = [];
  const emit = (event: SourceEvent) => events.push(event);
  const reader: RecordReader =
    unit.layout === 'history'
      ? readHistory(emit, from?.state)
      : new Transcript(unit, emit, from?.state as TranscriptState | undefined);
  const tally = new RunningTally(unit.path);
  let offset = from?.offset ?? 0;
  let line = from?.line ?? 0;
  let lastCheckpoint = offset;

  const checkpoint = (isLast: boolean): SourceEvent => {
    const bytes = offset - lastCheckpoint;
    lastCheckpoint = offset;
    return {
      type: 'checkpoint',
      checkpoint: { offset, line, state: reader.state(), ...marksOf(unit.path, offset) },
      tally: tally.take(bytes),
      isLast,
    };
  };

  reader.begin?.();
  for (const found of linesOf(unit.path, { offset, line })) {
    const where: Where = { offset: found.offset, line: found.number };
    if (found.tooLong) tally.fail(found.number, `a line over ${LONGEST_LINE >> 20} MB was not read`);
    else if (!found.open && isUnparsed(found.bytes)) tally.records++;
    else {
      const { values, torn } = valuesOf(found.bytes.toString('utf8'));
      // A last line without its newline is read when it is whole; until then it waits.
      if (found.open && torn) {
        tally.fail(found.number, 'the last line is not complete yet');
        break;
      }
      if (torn) tally.fail(found.number, 'a line that is not JSON');
      for (const value of values) {
        tally.records++;
        if (isFields(value)) tally.know(reader.record(value, where));
        else tally.know('not an object');
      }
    }
    offset = found.end;
    // The newline that may still come belongs to this line.
    line = found.open ? found.number - 1 : found.number;
    if (events.length > 0) yield* drain(events);
    if (offset - lastCheckpoint >= STRIDE) {
      reader.settle();
      yield* drain(events);
      yield checkpoint(false);
    }
  }
  reader.settle();
  yield* drain(events);
  yield checkpoint(true);
}

/** What turns the records of one file into events. */
export interface RecordReader {
  begin?(): void;
  /** Takes a record; gives the name of its type where it is unknown. */
  record(record: Fields, where: Where): string | undefined;
  /** Tells what was gathered since the last checkpoint. */
  settle(): void;
  state(): unknown;
}

function* drain(events: SourceEvent[]): Generator<SourceEvent> {
  for (const event of events) yield event;
  events.length = 0;
}

const TYPE_FIRST = /^\{"type":"([a-z-]+)"/;
const GLUED = Buffer.from('}{"');

/** Bookkeeping that need not be parsed. A second record on its line would be lost, so there must be none. */
function isUnparsed(bytes: Buffer): boolean {
  const type = TYPE_FIRST.exec(bytes.toString('latin1', 0, 48))?.[1];
  return type !== undefined && UNPARSED.has(type) && bytes[bytes.length - 1] === 125 && !bytes.includes(GLUED);
}

class RunningTally {
  records = 0;
  private readonly path: string;
  private unknown: Record<string, number> = {};
  private failures: Failure[] = [];

  constructor(path: string) {
    this.path = path;
  }

  fail(line: number, reason: string): void {
    this.failures.push({ path: this.path, line, reason });
  }

  know(unknown: string | undefined): void {
    if (unknown !== undefined) this.unknown[unknown] = (this.unknown[unknown] ?? 0) + 1;
  }

  take(bytes: number) {
    const taken = { records: this.records, bytes, unknown: this.unknown, failures: this.failures };
    this.records = 0;
    this.unknown = {};
    this.failures = [];
    return taken;
  }
}
