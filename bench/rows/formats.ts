import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCES } from '../../src/agents/registry.ts';
import type { Environment, Source } from '../../src/agents/source.ts';
import { homeOf } from '../../src/home/paths.ts';
import { listUnits } from '../../src/ingest/changes/listing.ts';
import { ingest } from '../../src/ingest/run.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import { allEvidence, copyOfEvidence } from '../../test/support/evidence.ts';
import type { Group } from '../group.ts';
import { formatCount, formatMs, timed } from '../measure.ts';
import { type Row, told } from '../table.ts';
import { withhold } from '../withholding.ts';
import type { Workshop } from '../workshop.ts';

/** What one more record costs in each agent's format: in histories that the agents themselves wrote. */
export const formatsGroup: Group = {
  id: 'formats',
  async measure(workshop): Promise<Row[]> {
    if (!existsSync(join(workshop.shared, 'corpus'))) return [];
    const rows: Row[] = [];
    for (const { source, homes, ...layout } of await allEvidence()) {
      const found = SOURCES.find(({ id }) => id === source);
      const [names] = homes;
      if (!found || !names) continue;
      workshop.say(`one more record of ${found.label}`);
      const home = copyOfEvidence(names, layout);
      const row = await rowOf(workshop, found, { home, platform: 'linux', variables: {}, projects: [] });
      if (row) rows.push(row);
    }
    return rows;
  },
};

async function rowOf(workshop: Workshop, source: Source, env: Environment): Promise<Row | undefined> {
  const { units } = await listUnits(source, env);
  const all = units.filter(({ format }) => format !== 'listing');
  const bySize = units.filter(({ path }) => existsSync(path)).sort((a, b) => b.size - a.size);
  const { path, withheld } = largest(bySize.map((unit) => unit.path)) ?? {};
  const stores = openForWriting(homeOf({ PORTOLAN_HOME: join(workshop.cwd, `formats-${source.id}`) }));
  if (path === undefined || !withheld || !stores) return undefined;
  try {
    await ingest(stores, env);
    withheld.putBack();
    const { value, ms } = await timed(async () => (await ingest(stores, env))[source.id]!);
    return told({
      what: `${source.label}: a record added`,
      measured: `${formatMs(ms)}, ${formatCount(value.bytesRead)} bytes read`,
      on: `${formatCount(withheld.bytes)} bytes more in ${howLarge(path)}; ${formatCount(all.length)} sessions there`,
      figures: { ms, read: value.bytesRead, added: withheld.bytes },
    });
  } finally {
    stores.close();
  }
}

/** The first file from which something can be taken. */
function largest(paths: readonly string[]) {
  for (const path of paths) {
    const withheld = withhold(path);
    if (withheld) return { path, withheld };
  }
  return undefined;
}

const howLarge = (path: string) =>
  `a ${path.endsWith('.jsonl') ? 'log' : path.endsWith('.json') ? 'document' : 'database'} of ${formatCount(statSync(path).size)}`;
