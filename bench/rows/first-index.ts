import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openForReading } from '../../src/holdings/opening.ts';
import { homeOf } from '../../src/home/paths.ts';
import { search } from '../../src/search/answers/search.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import type { Group } from '../group.ts';
import { formatMegabytes, formatMs, formatNumber, median, megabytesPerSecond, sum } from '../measure.ts';
import { run, start } from '../programs.ts';
import { limited, type Row, told } from '../table.ts';
import { transcriptsOf } from '../transcripts.ts';
import type { History, Workshop } from '../workshop.ts';

export const TIMES_PARSE = 10;
const MOST_MEMORY = 400e6;
const FIRST_ANSWERS_MS = 2000;
/** A word that every session has. */
const COMMON = 'error';

interface Parse {
  readonly ms: number;
  readonly bytes: number;
}

export interface FirstIndex {
  readonly parse: Parse;
  readonly indexMs: number;
  readonly ratio: number;
  readonly rss: number;
  readonly bytes: number;
}

/** The bare pass and the first index by turns, each from nothing; medians, and of their ratios too. */
export async function firstIndex(workshop: Workshop, home: string, repeats: number): Promise<FirstIndex> {
  const parses: Parse[] = [];
  const indexes: { ms: number; rss: number; bytes: number }[] = [];
  for (let i = 0; i < repeats; i++) {
    const history = workshop.history(home);
    parses.push(await bareParse(workshop, history));
    const report = await workshop.index(history);
    const bytes = sum(Object.values(report.sources).map((source) => source.bytes_read));
    indexes.push({ ms: report.took_ms, rss: report.peak_rss, bytes });
  }
  return {
    parse: { ms: median(parses.map(({ ms }) => ms)), bytes: parses[0]?.bytes ?? 0 },
    indexMs: median(indexes.map(({ ms }) => ms)),
    ratio: median(indexes.map(({ ms }, i) => ms / (parses[i]?.ms ?? Number.NaN))),
    rss: Math.max(...indexes.map(({ rss }) => rss)),
    bytes: indexes[0]?.bytes ?? 0,
  };
}

async function bareParse(workshop: Workshop, history: History): Promise<Parse> {
  const script = join(import.meta.dirname, '..', 'bare-parse.ts');
  return JSON.parse(await run([script, history.home], history.variables, workshop.cwd)) as Parse;
}

/** How long until a common word is found while the first index is being made, and whether by the newest session. */
async function firstAnswers(workshop: Workshop, history: History): Promise<{ ms: number; newest: boolean }> {
  const begin = performance.now();
  const indexing = start([workshop.cli, 'index', '--json'], history.variables, workshop.cwd);
  try {
    let ended = false;
    void indexing.ended
      .catch(() => {})
      .finally(() => {
        ended = true;
      });
    for (;;) {
      const isLast = ended;
      const found = sessionsFound(history);
      const ms = performance.now() - begin;
      if (found.length > 0) return { ms, newest: found.includes(newestTranscript(history.home)) };
      if (isLast) throw new Error(`“${COMMON}” was never found`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    indexing.child.kill();
    await indexing.ended.catch(() => {});
  }
}

/** The transcripts that a search for a common word finds now. */
function sessionsFound(history: History): string[] {
  try {
    const stores = openForReading(homeOf(history.variables));
    if (!stores) return [];
    try {
      const now = Date.now();
      const { hits } = search(stores, parseQuery(COMMON, now), { limit: 1000, now });
      return hits.map((hit) => hit.where.path);
    } finally {
      stores.close();
    }
  } catch {
    // The files are being made just now.
    return [];
  }
}

function newestTranscript(home: string): string {
  const byTime = transcriptsOf(home).map((path) => ({ path, at: statSync(path).mtimeMs }));
  return byTime.reduce((best, one) => (one.at > best.at ? one : best)).path;
}

export const firstIndexGroup: Group = {
  id: 'index',
  async measure(workshop): Promise<Row[]> {
    const { home } = await workshop.generated();
    workshop.say('first index, three times, beside the bare parse');
    const { parse, indexMs, ratio, rss, bytes } = await firstIndex(workshop, home, 3);
    const on = `${formatMegabytes(bytes)} of gen.mjs, ${transcriptsOf(home).length} files, median of 3`;
    workshop.say('first answers');
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await firstAnswers(workshop, workshop.history(home)));
    const answersMs = median(answers.map(({ ms }) => ms));
    const parseRate = megabytesPerSecond(parse.bytes, parse.ms);
    const indexRate = megabytesPerSecond(bytes, indexMs);
    return [
      told({
        what: 'bare JSON.parse pass',
        measured: `${formatMs(parse.ms)}, ${formatNumber(parseRate)} MB/s`,
        on,
        figures: { ms: parse.ms, bytes: parse.bytes },
      }),
      limited(
        {
          what: 'first index',
          goal: `${TIMES_PARSE} x the bare parse`,
          measured: `${formatNumber(ratio)} x: ${formatMs(indexMs)}, ${formatNumber(indexRate)} MB/s`,
          on,
          figures: { ratio, ms: indexMs, bytes },
        },
        ratio,
        TIMES_PARSE,
      ),
      limited(
        {
          what: 'memory of it',
          goal: 'under 400 MB',
          measured: formatMegabytes(rss),
          on: 'worst of 3',
          figures: { rss },
        },
        rss,
        MOST_MEMORY,
      ),
      limited(
        {
          what: 'first answers',
          goal: '2 s, newest first',
          measured: `${formatMs(answersMs)}${answers.every(({ newest }) => newest) ? '' : ', the newest session not among them'}`,
          on: `“${COMMON}” asked every 100 ms from the start of the process, median of 3`,
          figures: { ms: answersMs },
        },
        answers.every(({ newest }) => newest) ? answersMs : Number.POSITIVE_INFINITY,
        FIRST_ANSWERS_MS,
      ),
    ];
  },
};
