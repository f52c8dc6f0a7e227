import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SOURCES } from '../src/agents/registry.ts';
import type { Environment } from '../src/agents/source.ts';
import { deltasOf } from '../src/ingest/reading/deltas.ts';
import { ingest } from '../src/ingest/run.ts';
import { sessionOf as shown } from '../src/search/transcripts/transcript.ts';
import { toJson } from '../src/transcript/index.ts';
import { SHARED, shared } from './oracle/product.ts';
import { Chance, times } from './support/chance.ts';
import { filesBelow, temporaryFolder } from './support/folders.ts';
import { Portolan, sessionsOf } from './support/portolan.ts';
import { lookedUp, TRIPWIRE } from './support/tripwire.ts';

const HOSTILE = ['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];
/** What tells records apart and where they lie: with these changed it would be another history. */
const IDENTITIES = /id$|^(cwd|path|timestamp|version)$/i;

/** A copy of recorded histories in which some names are others. */
function renamed(chance: Chance, names: readonly string[]): Environment {
  const home = temporaryFolder();
  for (const agent of ['claude', 'codex']) {
    cpSync(shared('corpus', 'live', agent, 'home'), home, { recursive: true });
  }
  for (const file of filesBelow(home).filter((path) => path.endsWith('.jsonl'))) {
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, lines.map((line) => (line === '' ? line : renamedIn(line, chance, names))).join('\n'));
  }
  return { home, platform: 'linux', variables: {}, projects: [] };
}

function renamedIn(line: string, chance: Chance, names: readonly string[]): string {
  const hostile = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => hostile(item, key));
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [
          chance.below(60) === 0 && !IDENTITIES.test(name) ? chance.of(names) : name,
          hostile(item, name),
        ]),
      );
    const isName = typeof value === 'string' && /^[\w./-]{1,40}$/.test(value) && !IDENTITIES.test(key);
    return isName && chance.below(12) === 0 ? chance.of(names) : value;
  };
  return JSON.stringify(hostile(JSON.parse(line), ''));
}

describe.skipIf(SHARED === undefined)('a name from a file', () => {
  it('is a name like any other, whatever every object has under it', async () => {
    for (let seed = 1; seed <= times(2, 40); seed++) {
      const portolan = new Portolan(renamed(new Chance(seed), HOSTILE));
      await portolan.write(async (stores) => {
        const reports = await ingest(stores, portolan.env);
        for (const source of SOURCES) {
          const report = reports[source.id];
          if (!report || report.units === 0) continue;
          expect(report.failed, `${source.id}, seed ${seed}`).toEqual([]);
          const counted = Object.keys(report.unknownRecords);
          expect(counted.filter((name) => HOSTILE.some((one) => name.includes(one))).length).toBeGreaterThan(0);
        }
        for (const row of sessionsOf(stores)) JSON.stringify(toJson(shown(stores, row, 0)));
        expect(sessionsOf(stores).length).toBeGreaterThan(20);
      });
    }
  }, 300_000);

  it('is never asked of a plain object', async () => {
    for (let seed = 1; seed <= times(2, 40); seed++) {
      const env = renamed(new Chance(seed), [TRIPWIRE]);
      const places = await lookedUp(async () => {
        for (const source of SOURCES)
          for (const root of source.roots(env))
            for await (const unit of source.units(root))
              for await (const { sessions } of deltasOf({ id: 1, unit, tails: [] })) expect(sessions).toBeDefined();
      });
      expect(places).toEqual([]);
    }
  }, 300_000);
});
