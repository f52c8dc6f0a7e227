import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { SourceEvent } from '../../../src/agents/source.ts';
import { SHARED } from '../../oracle/product.ts';
import { Chance, times } from '../../support/chance.ts';
import { jsonl, Script, SESSION } from '../../support/claude-records.ts';
import { filesBelow, temporaryFolder, writeAt } from '../../support/folders.ts';
import { told as toldClaude } from '../../support/reading.ts';
import { Script as CodexScript, rollout, textOf, told as toldCodex } from '../codex/script.ts';

const TORN = 'a piece of a record that was cut off; what else stands on the line was read';

/** Of a record all but its end, and no newline. */
const piece = (line: string, length = Math.floor(line.length / 2)) => line.slice(0, length);

function harbor(): readonly string[] {
  const script = new Script();
  const records = [script.user('Paint the pier.'), script.answer('Painted.'), script.user('And the quay?')];
  return jsonl(records).split(/(?<=\n)/);
}

const TURNS = ['user: Paint the pier.', 'assistant: Painted.', 'user: And the quay?'];

describe('a transcript in which a record was cut off', () => {
  it('goes on with the record that begins on the same line', async () => {
    const [first, answer, last] = harbor();
    const path = writeAt(join(temporaryFolder(), `${SESSION}.jsonl`), `${first}${piece(last!)}${answer}${last}`);
    const found = await toldClaude(path);
    expect(found.lines()).toEqual(TURNS);
    expect(found.last.tally.failures).toEqual([{ path, line: 2, reason: TORN }]);
  });

  it('goes on where the resumed program writes behind a last line that was cut off', async () => {
    const [first, answer, last] = harbor();
    const path = writeAt(join(temporaryFolder(), `${SESSION}.jsonl`), `${first}${piece(answer!)}`);
    const { last: before } = await toldClaude(path);
    expect(before.tally.failures).toEqual([{ path, line: 2, reason: 'the last line is not complete yet' }]);
    appendFileSync(path, `${answer}${last}`);
    const after = await toldClaude(path, { from: before.checkpoint });
    expect(after.lines()).toEqual(TURNS.slice(1));
    expect(after.last.tally.failures).toEqual([{ path, line: 2, reason: TORN }]);
  });

  it('goes on behind bookkeeping, which is not parsed where it is whole', async () => {
    const [first, answer, last] = harbor();
    const snapshot = '{"type":"file-history-snapshot","messageId":"m","snapshot":{"trackedFileBackups":{}}}';
    for (const length of [40, 60, snapshot.length - 1]) {
      const path = writeAt(
        join(temporaryFolder(), `${SESSION}.jsonl`),
        `${first}${snapshot}\n${piece(snapshot, length)}${answer}${last}`,
      );
      expect((await toldClaude(path)).lines(), `cut at ${length}`).toEqual(TURNS);
    }
  });

  it('does not take a part of a record for one', async () => {
    const [first, , last] = harbor();
    // Cut off right behind the message: its brackets are whole.
    const message = last!.slice(0, last!.indexOf('"And the quay?"') + '"And the quay?"'.length + 1);
    const path = writeAt(join(temporaryFolder(), `${SESSION}.jsonl`), `${first}${message}\n`);
    const found = await toldClaude(path);
    expect(found.lines()).toEqual(TURNS.slice(0, 1));
    expect(found.last.tally.failures).toEqual([{ path, line: 2, reason: 'a line that is not JSON' }]);
  });
});

describe('a rollout in which a record was cut off', () => {
  const lines = () =>
    textOf(new CodexScript().meta().task(undefined).asked('Paint the pier.').answered('Painted.').lines).split(
      /(?<=\n)/,
    );

  it.each(['rollout', 'compressed'])('goes on with the record that begins on the same line: %s', async (layout) => {
    const all = lines();
    const path = rollout([...all.slice(0, 4), piece(all[3]!), ...all.slice(4)].join(''));
    if (layout === 'compressed') writeFileSync(`${path}.zst`, zstdCompressSync(readFileSync(path)));
    const found = await toldCodex(path, { layout });
    expect(found.lines()).toEqual(['user: Paint the pier.', 'assistant: Painted.']);
    expect(found.last.tally.failures).toEqual([{ path, line: 5, reason: TORN }]);
  });

  it('goes on behind bookkeeping, which is not parsed where it is whole', async () => {
    const all = lines();
    const state = '{"timestamp":"2026-11-21T12:00:00.000Z","type":"world_state","payload":{"files":[{"path":"a"}]}}';
    const path = rollout([...all.slice(0, 4), piece(state, 80), ...all.slice(4)].join(''));
    expect((await toldCodex(path)).lines()).toEqual(['user: Paint the pier.', 'assistant: Painted.']);
  });

  it('does not take an item for a record', async () => {
    const all = lines();
    const path = rollout([...all.slice(0, 5), `${all[6]!.trimEnd().slice(0, -1)}\n`].join(''));
    const found = await toldCodex(path);
    expect(found.last.tally.failures).toEqual([{ path, line: 6, reason: 'a line that is not JSON' }]);
    expect(found.lines()).toEqual(['user: Paint the pier.']);
  });
});

/** What is told, whatever the place in the file. */
const withoutPlaces = (events: readonly SourceEvent[]): unknown =>
  JSON.parse(
    JSON.stringify(
      events.filter((event) => event.type !== 'checkpoint'),
      (key, value) => (key === 'where' || key === 'outputWhere' ? undefined : (value as unknown)),
    ),
  );

const RECORDED = [
  { told: toldClaude, folder: 'corpus/live', name: /claude.*[0-9a-f-]{36}\.jsonl$/ },
  { told: toldCodex, folder: 'corpus/live', name: /rollout-.*\.jsonl$/ },
];

describe.skipIf(SHARED === undefined)('a recorded file in which records were cut off', () => {
  it.each(RECORDED)('says what it says without them: $name', async ({ told, folder, name }) => {
    const files = filesBelow(join(SHARED!, folder)).filter((path) => name.test(path));
    expect(files.length).toBeGreaterThan(3);
    const chance = new Chance(9);
    for (let i = 0; i < times(6, 200); i++) {
      const file = chance.of(files);
      const lines = readFileSync(file, 'utf8').split(/(?<=\n)/);
      const cut = lines.map((line, at) =>
        at > 0 && at < lines.length - 1 && chance.below(20) === 0
          ? line.slice(0, 1 + chance.below(line.length - 2))
          : line,
      );
      const whole = writeAt(
        join(temporaryFolder(), ...file.split('/').slice(-4)),
        lines.filter((line, at) => cut[at] === line).join(''),
      );
      const torn = writeAt(join(temporaryFolder(), ...file.split('/').slice(-4)), cut.join(''));
      expect(withoutPlaces((await told(torn)).events), file).toEqual(withoutPlaces((await told(whole)).events));
    }
  });
});
