import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Group } from '../group.ts';
import { formatCount, formatMegabytes, formatMs } from '../measure.ts';
import { residentOf, start } from '../programs.ts';
import set from '../queries.json' with { type: 'json' };
import { limited, type Row } from '../table.ts';
import type { History, Workshop } from '../workshop.ts';

const QUERIES = 20;
const MOST_MEMORY = 90e6;
const IDLE_MS = 5000;
const REST_MS = 1000;
/** One tick of the kernel's clock: what it counts processor time in. */
const TICK_MS = 10;

/** Milliseconds of processor time that a process has used. */
function processorTimeOf(pid: number): number {
  // The second field is the program's name in brackets, which may hold spaces.
  const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(after[11]) + Number(after[12])) * TICK_MS;
}

/** What the server holds right after its queries, and once it has given back what they left. */
async function residentAfterQueries(workshop: Workshop, history: History): Promise<{ after: number; atRest: number }> {
  const env = Object.fromEntries(
    Object.entries(history.variables).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const transport = new StdioClientTransport({ command: process.execPath, args: [workshop.mcp], env });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  try {
    for (const query of [...set.kinds.ordinary, ...set.kinds.mixed].slice(0, QUERIES))
      await client.callTool({ name: 'search_history', arguments: { query } });
    const after = residentOf(transport.pid!);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return { after, atRest: residentOf(transport.pid!) };
  } finally {
    await client.close();
  }
}

async function idleWatch(workshop: Workshop, history: History): Promise<number> {
  const watching = start([workshop.cli, 'watch'], history.variables, workshop.cwd);
  try {
    await new Promise<void>((resolve, reject) => {
      watching.child.stdout?.on('data', (data: Buffer) => data.toString().includes('Watching') && resolve());
      watching.ended.then(() => reject(new Error('portolan watch ended')), reject);
    });
    // What it does once after it has begun is no idling.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const before = processorTimeOf(watching.child.pid!);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    return processorTimeOf(watching.child.pid!) - before;
  } finally {
    watching.child.kill('SIGKILL');
    await watching.ended.catch(() => {});
  }
}

export const serversGroup: Group = {
  id: 'servers',
  async measure(workshop): Promise<Row[]> {
    const history = await workshop.large();
    const stores = workshop.open(history);
    const passages = stores.catalog.count('passages');
    stores.close();
    workshop.say('MCP process');
    const { after, atRest } = await residentAfterQueries(workshop, history);
    workshop.say('idle watch');
    const idle = await idleWatch(workshop, history);
    return [
      limited(
        {
          what: 'MCP process',
          goal: '90 MB resident after 20 queries',
          measured: `${formatMegabytes(atRest)} (${formatMegabytes(after)} right after them)`,
          on: `at ${formatCount(passages)} passages, through the SDK's client, a second at rest`,
          figures: { rss: atRest, after, passages },
        },
        atRest,
        MOST_MEMORY,
      ),
      limited(
        {
          what: 'idle watch',
          goal: 'no CPU',
          measured: `${formatMs(idle)} in ${formatMs(IDLE_MS)}`,
          on: `the same history; the kernel counts in ticks of ${TICK_MS} ms`,
          figures: { ms: idle },
        },
        idle,
        TICK_MS,
      ),
    ];
  },
};
