import { readLog } from '../jsonl/reading.ts';
import type { Checkpoint, SourceEvent, Unit } from '../source.ts';
import { readHistory } from './history.ts';
import { Transcript, type TranscriptState } from './transcript.ts';

/** Reads a transcript or the prompt history of Claude Code from a checkpoint, or from its beginning. */
export function read(unit: Unit, from?: Checkpoint): AsyncIterable<SourceEvent> {
  const reader =
    unit.layout === 'history'
      ? readHistory(unit.path, from?.state)
      : // The state is this reader's own, kept with its checkpoint.
        new Transcript(unit, from?.state as TranscriptState | undefined);
  return readLog(unit.path, reader, from);
}
