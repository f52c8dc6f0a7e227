import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Checkpoint, SourceEvent } from '../../../src/agents/source.ts';
import { SessionAssembler } from '../../../src/ingest/reading/assemble.ts';
import { SHARED } from '../../oracle/product.ts';
import { Chance } from '../../support/chance.ts';
import { filesBelow, temporaryFolder, writeAt } from '../../support/folders.ts';
import { ID, OTHER, rollout, Script, textOf, told, turnId } from './script.ts';

/** The state is kept with every checkpoint. */
const LARGEST_STATE = 64 * 1024;

type Telling = Exclude<SourceEvent, { type: 'checkpoint' }>;

/** What the events say, but for what is told anew at the beginning and the end of each reading. */
const said = (events: readonly SourceEvent[]) =>
  events.filter((event): event is Telling => !['checkpoint', 'time', 'session'].includes(event.type));

/** Reads a file as it grows, cut anywhere. */
async function readGrowing(bytes: Buffer, name: string, next: (at: number) => number): Promise<SourceEvent[]> {
  const path = writeAt(join(temporaryFolder(), name), '');
  const events: SourceEvent[] = [];
  let from: Checkpoint | undefined;
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, next(at));
    appendFileSync(path, bytes.subarray(at, end));
    at = end;
    const found = await told(path, from && { from });
    from = found.last.checkpoint;
    expect(JSON.stringify(from.state).length).toBeLessThan(LARGEST_STATE);
    events.push(...found.events);
  }
  return events;
}

async function expectSame(path: string, bytes: Buffer, next: (at: number) => number): Promise<void> {
  const whole = (await told(path)).events;
  const grown = await readGrowing(bytes, path.split('/').at(-1)!, next);
  expect(said(grown)).toEqual(said(whole));
}

const files =
  SHARED === undefined
    ? []
    : [join(SHARED, 'corpus/live/codex/home/.codex'), join(SHARED, 'corpus/live/codex/home-migrated/.codex')].flatMap(
        (home) => filesBelow(home).filter((path) => path.endsWith('.jsonl') && path.includes('rollout-')),
      );

describe.skipIf(files.length === 0)('a recorded rollout that grows', () => {
  it.each(files.map((path) => [path.slice(-60), path]))(
    'says the same as when it is read at once: %s',
    async (_, path) => {
      const bytes = readFileSync(path);
      const chance = new Chance(bytes.length);
      await expectSame(path, bytes, (at) => at + 1 + chance.below(bytes.length / 12));
    },
  );
});

describe('a rollout that grows', () => {
  it('line by line says the same as when it is read at once', async () => {
    const script = new Script().meta();
    for (let i = 0; i < 60; i++)
      script
        .task(i % 3 === 0 ? undefined : turnId(i))
        .asked(i % 2 === 0 ? 'y' : `Paint ${i}.`)
        .answered('Done.')
        .call(`call_${i}`, `paint ${i}`)
        .event('exec_command_end', { call_id: `call_${i}`, exit_code: i % 3 })
        .output(`call_${i}`, 'wet')
        .tokens(100 * i, 10 * i)
        .heard('Remember the tide.');
    const text = textOf(script.lines);
    const path = writeAt(
      join(temporaryFolder(), 'rollout-2026-11-21T12-00-00-01a22bac-7772-7ca3-a76c-d3a02d668a66.jsonl'),
      text,
    );
    const bytes = Buffer.from(text);
    await expectSame(path, bytes, (at) => bytes.indexOf(10, at) + 1);
  });

  it('behind a copy of another session says the same as when it is read at once', async () => {
    const script = new Script().meta(OTHER, { forked_from_id: ID }).meta();
    for (const turn of [undefined, turnId(1), turnId(2)]) script.task(turn).asked('y').answered('Done.');
    script.task(turnId(3)).said('Looking.').event('thread_rolled_back', { num_turns: 1 }).asked('n');
    const text = textOf(script.lines);
    const bytes = Buffer.from(text);
    await expectSame(rollout(text, OTHER), bytes, (at) => bytes.indexOf(10, at) + 1);
  });

  it('keeps a small state, however much is open', async () => {
    const script = new Script().meta();
    for (let i = 0; i < 3000; i++) script.asked(`${i} ${'long '.repeat(50)}`).call(`call_${i}`, `paint ${i}`);
    for (let i = 0; i < 3000; i++) script.event('exec_command_end', { call_id: `call_${i}`, exit_code: 0 });
    script.heard('w'.repeat(100_000));
    const path = writeAt(join(temporaryFolder(), 'rollout-x.jsonl'), textOf(script.lines));
    const found = await told(path);
    for (const { checkpoint } of found.of('checkpoint'))
      expect(JSON.stringify(checkpoint.state).length).toBeLessThan(LARGEST_STATE);
    const assembler = new SessionAssembler(found.sessions[0]!);
    for (const event of said(found.events)) assembler.accept(event);
    expect(assembler.take()?.turnCount).toBeGreaterThan(3000);
  });
});
