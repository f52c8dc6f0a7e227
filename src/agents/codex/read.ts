import { readFileSync, statSync } from 'node:fs';
import { fields, list } from '../fields.ts';
import { CompressedLines } from '../jsonl/compressed.ts';
import { marksOf } from '../jsonl/marks.ts';
import { readLog, readRecords } from '../jsonl/reading.ts';
import type { Checkpoint, SourceEvent, Unit } from '../source.ts';
import { History } from './history.ts';
import { readNotes } from './notes.ts';
import { Rollout } from './rollout.ts';

/** Reads a rollout, the prompt history or a database of Codex from a checkpoint, or from its beginning. */
export async function* read(unit: Unit, from?: Checkpoint): AsyncIterable<SourceEvent> {
  if (unit.layout === 'json') {
    yield* readWhole(unit);
    return;
  }
  if (unit.layout === 'memories' || unit.layout === 'goals') {
    yield* readNotes(unit);
    return;
  }
  const reader = unit.layout === 'history' ? new History(from?.state) : new Rollout(unit, from?.state);
  if (unit.layout === 'compressed') {
    const plain = new CompressedLines(`${unit.path}.zst`);
    const start = { offset: from?.offset ?? 0, line: from?.line ?? 0 };
    yield* readRecords(
      { path: unit.path, lines: plain.lines(start), marks: (offset) => plain.marks(offset) },
      reader,
      from,
    );
  } else yield* readLog(unit.path, reader, from);
}

/** More than this is no session of the first versions. */
const LARGEST = 64 << 20;

/** The first versions wrote a session as one JSON document: `{session, items}`. */
async function* readWhole(unit: Unit): AsyncIterable<SourceEvent> {
  const { size } = statSync(unit.path);
  if (size > LARGEST) throw new Error('a JSON document over 64 MB was not read');
  const whole = fields(JSON.parse(readFileSync(unit.path, 'utf8')));
  const reader = new Rollout(unit, undefined);
  const where = { offset: 0, line: 1 };
  const items = list(whole.items);
  const unknown = new Map<string, number>();
  reader.begin();
  const session = fields(whole.session);
  if (session.id !== undefined)
    reader.record({ type: 'session_meta', timestamp: session.timestamp, payload: session }, where);
  for (const item of items) {
    const name = reader.record(fields(item), where);
    if (name !== undefined) unknown.set(name, (unknown.get(name) ?? 0) + 1);
  }
  reader.settle(true);
  yield* reader.events;
  yield {
    type: 'checkpoint',
    checkpoint: { offset: size, line: 1, state: undefined, ...marksOf(unit.path, size) },
    tally: {
      records: items.length,
      bytes: size,
      unknown: Object.fromEntries(unknown),
      notShown: reader.notShown.take(),
      failures: [],
    },
    isLast: true,
  };
}
