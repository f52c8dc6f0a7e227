import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../src/agents/registry.ts';
import type { Root, Source, Unit } from '../../src/agents/source.ts';
import { withRows } from '../../src/ingest/changes/listing.ts';
import { failuresIn, type Understood, understand } from '../../src/ingest/reading/understood.ts';
import { SHARED } from '../oracle/product.ts';
import { Chance, times } from '../support/chance.ts';
import { allEvidence, copyOfEvidence } from '../support/evidence.ts';
import { mutate } from '../support/mutations.ts';

/** What a reader says when it takes a value for what it is not. */
const OUR_FAULT =
  /Cannot (?:read|set|destructure|convert|mix)|is not (?:a function|iterable|defined|a constructor)|Invalid (?:time|array|string|count)|Maximum call stack|undefined/;
const LARGEST = times(2_000_000, 8_000_000);
/** Of a listing, so many sessions are read each time. */
const MOST_ROWS = 3;

interface Written {
  readonly path: string;
  readonly root: Root;
}

/** The files in which a source's units stand, with the root they were found in. */
function filesOf(source: Source, home: string): Written[] {
  const roots = source.roots({ home, platform: 'linux', variables: {}, projects: [] });
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => join(home, name))
    .flatMap((path) => {
      const stat = statSync(path);
      if (!stat.isFile() || stat.size === 0 || stat.size > LARGEST) return [];
      const root = roots.find((one) => path.startsWith(`${one.path}/`) && source.unitAt?.(one, path));
      return root ? [{ path, root }] : [];
    });
}

async function unitsOf(source: Source, { path, root }: Written, chance: Chance): Promise<Unit[]> {
  const unit = source.unitAt!(root, path);
  if (!unit) return [];
  const found = await withRows(source, unit, { unreadable: () => {} });
  return found.length > MOST_ROWS ? chance.shuffled(found).slice(0, MOST_ROWS) : found;
}

/** What is wrong with how a damaged unit was read: nothing. */
function faultsOf(unit: Unit, understood: Understood, { path, content }: { path: string; content: string }): string[] {
  const { failed, records, tookMs } = understood;
  const faults = failed.filter(({ reason }) => OUR_FAULT.test(reason)).map(({ reason }) => reason);
  if (tookMs > 1000) faults.push(`it took ${Math.round(tookMs)} ms`);
  if (unit.format === 'append' && unit.path === path && path.endsWith('.jsonl')) {
    const lines = content.split('\n').filter((line) => line.trim() !== '').length;
    const told = records + failuresIn([understood]);
    if (told < lines) faults.push(`${lines - told} of ${lines} lines are neither records nor failures`);
  }
  return faults;
}

describe.skipIf(SHARED === undefined)(
  'files that were damaged are read as far as they can be, and what is lost is told:',
  async () => {
    it.each(await allEvidence())('$source', { timeout: 3_600_000 }, async ({ source: id, homes, ...layout }) => {
      const source = sourceOf(id)!;
      const rounds = times(40, 10_000 / homes.length);
      let damaged = 0;
      for (const names of homes) {
        const home = copyOfEvidence(names, layout);
        const files = filesOf(source, home);
        for (let seed = 1; seed <= rounds && files.length > 0; seed++) {
          const chance = new Chance(seed);
          const file = chance.of(files);
          const before = readFileSync(file.path);
          const after = mutate(before, chance);
          writeFileSync(file.path, after);
          for (const unit of await unitsOf(source, file, chance)) {
            const faults = faultsOf(unit, await understand(source, unit), {
              path: file.path,
              content: after.toString('utf8'),
            });
            expect({ seed, path: file.path, faults }).toEqual({ seed, path: file.path, faults: [] });
            damaged++;
          }
          writeFileSync(file.path, before);
        }
        rmSync(home, { recursive: true, force: true });
      }
      expect(damaged).toBeGreaterThan(20);
    });
  },
);
