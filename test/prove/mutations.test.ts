import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { search } from '../../src/search/answers/search.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import { turnsOf } from '../../src/search/transcripts/transcript.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Portolan, sessionsOf } from '../support/portolan.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'sample');
const ODD_VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  '',
  'x',
  [],
  {},
  [[]],
  [null],
  true,
  '\ud800',
  '2026-99-99',
  ['a', 1, {}],
];

/** One thing that may happen to a file: a crash, a bad disk, a program of another version. */
function mutate(bytes: Buffer, chance: Chance): Buffer {
  const at = chance.below(bytes.length);
  const length = chance.below(400);
  switch (chance.below(9)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      for (let i = 0; i < 5; i++) flipped[chance.below(flipped.length)] = chance.below(256);
      return flipped;
    }
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 2:
      return bytes.subarray(0, at);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(length), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)]);
    case 5:
      return Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r\n'));
    case 6: {
      const lines = bytes.toString('utf8').split('\n');
      const [taken = ''] = lines.splice(chance.below(lines.length), 1);
      lines.splice(chance.below(lines.length + 1), 0, taken, taken);
      return Buffer.from(lines.join('\n'));
    }
    default:
      return withOddValues(bytes, chance);
  }
}

/** Some values of some records replaced by ones of another type. */
function withOddValues(bytes: Buffer, chance: Chance): Buffer {
  const lines = bytes.toString('utf8').split('\n');
  for (let n = 0; n < 12; n++) {
    const index = chance.below(lines.length);
    try {
      const record: unknown = JSON.parse(lines[index]!);
      replaceOne(record, chance);
      lines[index] = JSON.stringify(record);
    } catch {
      // An empty line, or one that was made odd before.
    }
  }
  return Buffer.from(lines.join('\n'));
}

function replaceOne(value: unknown, chance: Chance): void {
  if (typeof value !== 'object' || value === null) return;
  const keys = Object.keys(value);
  if (keys.length === 0) return;
  const key = chance.of(keys);
  const holder = value as Record<string, unknown>;
  const inner = holder[key];
  if (typeof inner === 'object' && inner !== null && chance.below(3) > 0) replaceOne(inner, chance);
  else holder[key] = chance.of(ODD_VALUES);
}

describe('a damaged history', () => {
  it('is read as far as it can be, is told about, and leaves everything else as it is', {
    timeout: 3_600_000,
  }, async () => {
    const rounds = times(25, 1500);
    for (let seed = 1; seed <= rounds; seed++) {
      const chance = new Chance(seed);
      const home = temporaryFolder();
      cpSync(SAMPLE, home, { recursive: true });
      const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
      const damaged = join(home, chance.of(files));
      writeFileSync(damaged, mutate(readFileSync(damaged), chance));
      const portolan = new Portolan({ home, platform: 'linux', variables: {}, projects: [] });
      const report = await portolan.index();
      expect(report.read + report.failed.filter(({ line }) => line === undefined).length, `seed ${seed}`).toBe(
        report.units,
      );
      expect(report.sessions, `seed ${seed}`).toBeGreaterThanOrEqual(13);
      const stores = portolan.read();
      for (const session of sessionsOf(stores)) turnsOf(stores, session, { withParent: true });
      const now = Date.parse('2026-11-30T12:00:00Z');
      // The words of files that were not touched are found whatever happened to this one.
      const words = ['chimney', 'compass', 'gazebo'].map(
        (word) => search(stores, parseQuery(word, now), { limit: 10, now }).hits.length,
      );
      expect(Math.max(...words), `seed ${seed}`).toBeGreaterThan(0);
      expect((await portolan.index()).bytesRead, `seed ${seed}`).toBeLessThan(300_000);
    }
  });
});
