import { appendFileSync, rmSync } from 'node:fs';
import { environment } from '../../src/agents/environment.ts';
import { homeOf } from '../../src/home/paths.ts';
import { ingest } from '../../src/ingest/run.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import { search } from '../../src/search/answers/search.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import type { Group } from '../group.ts';
import { formatCount, formatMegabytes, formatMs, median, timed } from '../measure.ts';
import { run } from '../programs.ts';
import { type GrowingSession, writeHugeSession } from '../synthetic.ts';
import { limited, type Row } from '../table.ts';
import type { History, Report, Workshop } from '../workshop.ts';

const LIMIT_MS = 100;
const SESSION_BYTES = 50e6;
const IN_PROCESS = 15;
const AS_COMMANDS = 5;

interface Appended {
  readonly ms: number;
  readonly read: number;
  readonly written: number;
}

/** A word that stands nowhere else. */
const rareWord = (number: number) => `zappend${number.toString(36)}q${(number * 7919 + 13).toString(36)}`;

/** Appends a prompt; gives the number of bytes. */
function append(session: GrowingSession, word: string): number {
  const line = session.prompt(`please look at ${word} once more`);
  appendFileSync(session.path, line);
  return Buffer.byteLength(line);
}

/** Stores open, as in a server: from the append to the found word. */
async function inProcess(workshop: Workshop, history: History, session: GrowingSession): Promise<Appended[]> {
  const stores = openForWriting(homeOf(history.variables));
  if (!stores) throw new Error('somebody else is writing');
  const reading = workshop.open(history);
  try {
    const all: Appended[] = [];
    for (let i = 0; i < IN_PROCESS; i++) {
      const word = rareWord(i);
      const { value, ms } = await timed(async () => {
        const written = append(session, word);
        const report = await ingest(stores, environment([], history.variables));
        const now = Date.now();
        if (search(reading, parseQuery(word, now), { limit: 10, now }).hits.length !== 1)
          throw new Error(`${word} was appended and is not found`);
        return { written, read: report['claude-code']?.bytesRead ?? 0 };
      });
      all.push({ ms, ...value });
    }
    return all;
  } finally {
    reading.close();
    stores.close();
  }
}

/** `portolan index`, then `portolan search`: two processes. */
async function asCommands(workshop: Workshop, history: History, session: GrowingSession): Promise<Appended[]> {
  const all: Appended[] = [];
  for (let i = 0; i < AS_COMMANDS; i++) {
    const word = rareWord(1000 + i);
    const { value, ms } = await timed(async () => {
      const written = append(session, word);
      const report = JSON.parse(
        await run([workshop.cli, 'index', '--json'], history.variables, workshop.cwd),
      ) as Report;
      await run([workshop.cli, 'search', word, '--json'], history.variables, workshop.cwd);
      return { written, read: report.sources['claude-code']?.bytes_read ?? 0 };
    });
    all.push({ ms, ...value });
  }
  return all;
}

export const appendGroup: Group = {
  id: 'append',
  async measure(workshop): Promise<Row[]> {
    // In the history that everything else is in: the cost must not depend on it.
    const { home } = await workshop.generated();
    const session = writeHugeSession(home, SESSION_BYTES);
    try {
      const history = workshop.history(home);
      workshop.say(`indexing a session of ${formatMegabytes(session.bytes)} in its history`);
      const { sessions } = await workshop.index(history);
      workshop.say('appending');
      const place = `a session of ${formatMegabytes(session.bytes)} among ${formatCount(sessions)}`;
      const inside = await inProcess(workshop, history, session);
      const outside = await asCommands(workshop, history, session);
      return [
        rowOf('a line appended, searchable', inside, `${place}, in process, stores open, median of ${IN_PROCESS}`),
        rowOf('the same as commands', outside, `index, then search: two processes, median of ${AS_COMMANDS}`),
      ];
    } finally {
      rmSync(session.path);
    }
  },
};

function rowOf(what: string, appends: readonly Appended[], on: string): Row {
  const ms = median(appends.map((one) => one.ms));
  const isExact = appends.every(({ read, written }) => read === written);
  const [last] = appends.slice(-1);
  const bytes = isExact
    ? `its ${last?.written} bytes read`
    : `${formatCount(last?.read ?? 0)} bytes read for ${last?.written}`;
  return limited(
    {
      what,
      goal: '100 ms, only its bytes',
      measured: `${formatMs(ms)}, ${bytes}`,
      on,
      figures: { ms, read: last?.read ?? 0, written: last?.written ?? 0 },
    },
    isExact ? ms : Number.POSITIVE_INFINITY,
    LIMIT_MS,
  );
}
