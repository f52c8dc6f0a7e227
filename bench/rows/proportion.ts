import { appendFileSync } from 'node:fs';
import { environment } from '../../src/agents/environment.ts';
import { sourceOf } from '../../src/agents/registry.ts';
import { homeOf } from '../../src/home/paths.ts';
import { ingestChanges } from '../../src/ingest/run.ts';
import { openForWriting, type WritableStores } from '../../src/ingest/writable-stores.ts';
import type { Group } from '../group.ts';
import { formatCount, formatMegabytes, formatMs, median, timed } from '../measure.ts';
import { run } from '../programs.ts';
import { limited, type Row, told } from '../table.ts';
import { type Agent, type TurnsFile, writeTurns } from '../turns.ts';
import type { History, Workshop } from '../workshop.ts';

const TURNS = [200, 50_000, 150_000];
const AGENTS: readonly Agent[] = ['claude-code', 'codex'];
const MOST_TIMES = 3;
const MOST_MEMORY = 400e6;
const APPENDS = 15;
const AS_COMMANDS = 5;

/** What a session of so many turns costs. */
interface Cost {
  readonly turns: number;
  readonly firstMs: number;
  readonly memory: number;
  /** Processor time of an append in process. */
  readonly append: number;
  /** By the clock, two processes. */
  readonly command: number;
}

const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Stores open and the change known, as in `watch`: the processor time of each append. */
async function appendsOf(stores: WritableStores, agent: Agent, file: TurnsFile, home: string): Promise<number> {
  const source = sourceOf(agent)!;
  const env = environment([], { HOME: home });
  const root = source.roots(env).find(({ path }) => file.path.startsWith(path))!;
  const all: number[] = [];
  for (let i = 0; i < APPENDS; i++) {
    appendFileSync(file.path, file.next(`zappend${i}`));
    const before = processorMs();
    await ingestChanges(stores, env, [{ source, root, path: file.path }]);
    all.push(processorMs() - before);
  }
  return median(all);
}

/** `portolan index`, then `portolan search`. */
async function commandsOf(workshop: Workshop, history: History, file: TurnsFile): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < AS_COMMANDS; i++) {
    appendFileSync(file.path, file.next(`zcommand${i}`));
    const { ms } = await timed(async () => {
      await run([workshop.cli, 'index', '--json'], history.variables, workshop.cwd);
      await run([workshop.cli, 'search', `zcommand${i}`, '--json'], history.variables, workshop.cwd);
    });
    all.push(ms);
  }
  return median(all);
}

async function costOf(workshop: Workshop, agent: Agent, turns: number): Promise<Cost> {
  const home = workshop.folder(`home-${agent}-${turns}`);
  const file = writeTurns(home, agent, turns);
  const history = workshop.history(home);
  workshop.say(`${agent}: a session of ${formatCount(turns)} turns`);
  const { took_ms: firstMs, peak_rss: memory } = await workshop.index(history);
  const stores = openForWriting(homeOf(history.variables));
  if (!stores) throw new Error('somebody else is writing');
  let append: number;
  try {
    append = await appendsOf(stores, agent, file, home);
  } finally {
    stores.close();
  }
  return { turns, firstMs, memory, append, command: await commandsOf(workshop, history, file) };
}

export const proportionGroup: Group = {
  id: 'proportion',
  isLong: true,
  async measure(workshop): Promise<Row[]> {
    const rows: Row[] = [];
    for (const agent of AGENTS) {
      const costs: Cost[] = [];
      for (const turns of TURNS) costs.push(await costOf(workshop, agent, turns));
      rows.push(...rowsOf(agent, costs));
    }
    return rows;
  },
};

function rowsOf(agent: Agent, costs: readonly Cost[]): Row[] {
  const label = sourceOf(agent)?.label ?? agent;
  const turns = costs.map((cost) => formatCount(cost.turns)).join(', ');
  const series = (of: (cost: Cost) => number) => costs.map((cost) => formatMs(of(cost))).join(', ');
  const spread = Math.max(...costs.map(({ append }) => append)) / Math.min(...costs.map(({ append }) => append));
  const memory = Math.max(...costs.map((cost) => cost.memory));
  return [
    limited(
      {
        what: `${label}: a turn appended`,
        goal: `within ${MOST_TIMES} x of each other`,
        measured: `${series(({ append }) => append)} of a processor`,
        on: `sessions of ${turns} turns; in process, stores open, median of ${APPENDS}`,
        figures: Object.fromEntries(costs.map((cost) => [`append_${cost.turns}`, cost.append])),
      },
      spread,
      MOST_TIMES,
    ),
    told({
      what: '– as commands',
      measured: series(({ command }) => command),
      on: `index, then search: two processes, by the clock, median of ${AS_COMMANDS}`,
      figures: Object.fromEntries(costs.map((cost) => [`command_${cost.turns}`, cost.command])),
    }),
    limited(
      {
        what: '– memory of their first index',
        goal: 'under 400 MB',
        measured: costs.map((cost) => formatMegabytes(cost.memory)).join(', '),
        on: `took ${series(({ firstMs }) => firstMs)}`,
        figures: Object.fromEntries(costs.map((cost) => [`memory_${cost.turns}`, cost.memory])),
      },
      memory,
      MOST_MEMORY,
    ),
  ];
}
