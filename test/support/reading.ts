import { statSync } from 'node:fs';
import { claudeCode } from '../../src/agents/claude-code/source.ts';
import type { Checkpoint, SessionFacts, SourceEvent, Unit } from '../../src/agents/source.ts';
import { mergedFacts } from '../../src/archive/facts.ts';
import type { Part } from '../../src/transcript/index.ts';

type Of<T extends SourceEvent['type']> = Extract<SourceEvent, { type: T }>;

/** What a reader told of one file. */
export class Told {
  readonly events: readonly SourceEvent[];

  constructor(events: readonly SourceEvent[]) {
    this.events = events;
  }

  of<T extends SourceEvent['type']>(type: T, session?: string): Of<T>[] {
    return this.events.filter(
      (event): event is Of<T> =>
        event.type === type && (session === undefined || !('session' in event) || event.session === session),
    );
  }

  get sessions(): string[] {
    return [...new Set(this.events.flatMap((event) => ('session' in event ? [event.session] : [])))];
  }

  facts(session: string): SessionFacts {
    return mergedFacts(
      {},
      this.of('session', session).map((event) => event.facts),
    );
  }

  parts(session?: string): Part[] {
    return this.of('part', session).map((event) => event.part);
  }

  /** Parts in few words: their kind and what they say. */
  lines(session?: string): string[] {
    return this.parts(session).map(lineOf);
  }

  get last(): Of<'checkpoint'> {
    return this.of('checkpoint').at(-1)!;
  }
}

export function lineOf(part: Part): string {
  switch (part.type) {
    case 'text':
      return `${part.role}: ${part.text}`;
    case 'thinking':
      return `thinking: ${part.text}`;
    case 'notice':
      return `${part.kind}: ${part.text}`;
    case 'attachment':
      return `attachment: ${part.kind}${part.name === undefined ? '' : ` ${part.name}`}`;
    case 'tool_call':
      return `call: ${part.name}${part.output === undefined ? '' : ` -> ${part.output}`}`;
  }
}

export function unitAt(path: string, layout = 'home'): Unit {
  const { size, mtimeMs, dev, ino } = statSync(path);
  return {
    source: 'claude-code',
    path,
    layout,
    format: 'append',
    size,
    modified: Math.floor(mtimeMs),
    identity: `${dev}:${ino}`,
  };
}

/** Reads a file as the source does, from its beginning or from a checkpoint. */
export async function told(path: string, { layout = 'home', from }: { layout?: string; from?: Checkpoint } = {}) {
  const events: SourceEvent[] = [];
  // A checkpoint is kept as JSON.
  const kept = from === undefined ? undefined : (JSON.parse(JSON.stringify(from)) as Checkpoint);
  for await (const event of claudeCode.read(unitAt(path, layout), kept)) events.push(event);
  return new Told(events);
}
