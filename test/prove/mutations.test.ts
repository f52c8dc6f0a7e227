import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { search } from '../../src/search/answers/search.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import { turnsOf } from '../../src/search/transcripts/transcript.ts';
import { Chance, times } from '../support/chance.ts';
import { temporaryFolder } from '../support/folders.ts';
import { mutate } from '../support/mutations.ts';
import { Portolan, sessionsOf } from '../support/portolan.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'sample');
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
