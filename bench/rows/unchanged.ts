import { environment } from '../../src/agents/environment.ts';
import { homeOf } from '../../src/home/paths.ts';
import { ingest } from '../../src/ingest/run.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import type { Group } from '../group.ts';
import { formatCount, formatMegabytes, formatMs, median, timed } from '../measure.ts';
import { run } from '../programs.ts';
import { writeSmallSessions } from '../synthetic.ts';
import { limited, type Row, told } from '../table.ts';
import type { History, Report, Workshop } from '../workshop.ts';

const LIMIT_MS = 150;
const REPEATS = 7;

interface Again {
  readonly ms: number;
  readonly read: number;
}

/** Opens the stores, finds nothing new, closes them: what a query's refresh does. */
async function inProcess(history: History): Promise<{ readonly whole: Again; readonly ingestMs: number }> {
  const wholes: Again[] = [];
  const ingests: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const { value, ms } = await timed(async () => {
      const stores = openForWriting(homeOf(history.variables));
      if (!stores) throw new Error('somebody else is writing');
      try {
        const projects = stores.catalog.db.rows<{ cwd: string }>('SELECT DISTINCT cwd FROM sessions');
        const env = environment(
          projects.map(({ cwd }) => cwd),
          history.variables,
        );
        return await timed(() => ingest(stores, env));
      } finally {
        stores.close();
      }
    });
    ingests.push(value.ms);
    wholes.push({ ms, read: value.value['claude-code']?.bytesRead ?? -1 });
  }
  return { whole: medianOf(wholes), ingestMs: median(ingests) };
}

async function asCommand(workshop: Workshop, history: History): Promise<Again> {
  const all: Again[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const { value, ms } = await timed(() => run([workshop.cli, 'index', '--json'], history.variables, workshop.cwd));
    const report = JSON.parse(value) as Report;
    all.push({ ms, read: report.sources['claude-code']?.bytes_read ?? -1 });
  }
  return medianOf(all);
}

function medianOf(all: readonly Again[]): Again {
  return { ms: median(all.map(({ ms }) => ms)), read: Math.max(...all.map(({ read }) => read)) };
}

export const unchangedGroup: Group = {
  id: 'unchanged',
  async measure(workshop): Promise<Row[]> {
    const { sessions } = workshop.options;
    workshop.say(`writing and indexing ${formatCount(sessions)} small sessions`);
    const home = workshop.folder('home-small');
    const bytes = writeSmallSessions(home, sessions);
    const history = workshop.history(home);
    const first = await workshop.index(history);
    workshop.say('indexing them again');
    const { whole, ingestMs } = await inProcess(history);
    const command = await asCommand(workshop, history);
    const on = `${formatCount(first.sessions)} sessions of our own, ${formatMegabytes(bytes)}, median of ${REPEATS}`;
    const what = `nothing changed, ${formatCount(sessions)} sessions`;
    return [
      rowOf(what, whole, `${on}; in process, stores opened and closed (ingest alone ${formatMs(ingestMs)})`),
      rowOf('the same as a command', command, 'index --json, the process included'),
      told({
        what: 'their first index',
        measured: formatMs(first.took_ms),
        on: `${formatCount(Math.round(first.sessions / (first.took_ms / 1000)))} sessions a second`,
        figures: { ms: first.took_ms },
      }),
    ];
  },
};

function rowOf(what: string, { ms, read }: Again, on: string): Row {
  return limited(
    { what, goal: '150 ms', measured: `${formatMs(ms)}, ${formatCount(read)} bytes read`, on, figures: { ms, read } },
    read === 0 ? ms : Number.POSITIVE_INFINITY,
    LIMIT_MS,
  );
}
