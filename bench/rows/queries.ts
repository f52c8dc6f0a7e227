import { join } from 'node:path';
import type { Stores } from '../../src/holdings/stores.ts';
import { search } from '../../src/search/answers/search.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import type { Group } from '../group.ts';
import { formatCount, formatMs, formatNumber, median, percentile } from '../measure.ts';
import { wallTime } from '../programs.ts';
import set from '../queries.json' with { type: 'json' };
import { limited, type Row, told, unbuilt } from '../table.ts';
import type { History, Workshop } from '../workshop.ts';

const MEDIAN_MS = 5;
const P95_MS = 30;
/** Each query runs so often after a first, untimed run; a slow one not as often. */
const REPEATS = 3;
const SLOW_MS = 300;
const REPEATS_WHERE_SLOW = 1;

interface Asked {
  readonly kind: string;
  readonly text: string;
  readonly ms: number;
  readonly hits: number;
}

const NOW = Date.parse(set.now);

/** Asks a query warm; gives the median of its times. */
function ask(stores: Stores, kind: string, text: string): Asked {
  const once = () => search(stores, parseQuery(text, NOW), { limit: 10, now: NOW });
  const begin = performance.now();
  const { hits } = once();
  const repeats = performance.now() - begin > SLOW_MS ? REPEATS_WHERE_SLOW : REPEATS;
  const times = Array.from({ length: repeats }, () => {
    const start = performance.now();
    once();
    return performance.now() - start;
  });
  return { kind, text, ms: median(times), hits: hits.length };
}

/** `grep -rF` for the same words over the same files. */
function grep(history: History, cwd: string): number[] {
  const folder = join(history.home, '.claude', 'projects');
  // The first one warms the files up.
  return [set.grep[0]!, ...set.grep]
    .map((word) => wallTime('grep', ['-rF', '--', word, folder], { ...history.variables, LC_ALL: 'C' }, cwd, [0, 1]))
    .slice(1);
}

export const queriesGroup: Group = {
  id: 'queries',
  async measure(workshop: Workshop): Promise<Row[]> {
    const history = await workshop.large();
    const stores = workshop.open(history);
    try {
      const passages = stores.catalog.count('passages');
      workshop.say('queries');
      const asked = Object.entries(set.kinds).flatMap(([kind, texts]) => texts.map((text) => ask(stores, kind, text)));
      workshop.say('grep');
      const greps = grep(history, workshop.cwd);
      const searches = set.grep.map((word) => ask(stores, 'grep', word).ms);
      return [...rowsOf(asked, passages), ...kindsOf(asked), grepRow(greps, searches)];
    } finally {
      stores.close();
    }
  },
};

function rowsOf(asked: readonly Asked[], passages: number): Row[] {
  const times = asked.map(({ ms }) => ms);
  const [middle, p95] = [median(times), percentile(times, 0.95)];
  const on = `${formatCount(passages)} passages, ${asked.length} queries of bench/queries.json, in process`;
  return [
    limited(
      {
        what: 'query, warm: median',
        goal: '5 ms at 1,000,000 passages',
        measured: formatMs(middle),
        on,
        figures: { ms: middle, passages },
      },
      middle,
      MEDIAN_MS,
    ),
    limited(
      {
        what: 'query, warm: 95th percentile',
        goal: '30 ms at 1,000,000 passages',
        measured: formatMs(p95),
        on,
        figures: { ms: p95, passages },
      },
      p95,
      P95_MS,
    ),
    unbuilt('query, warm, hybrid: 95th percentile', '60 ms at 1,000,000 passages'),
  ];
}

function kindsOf(asked: readonly Asked[]): Row[] {
  return Object.entries(Object.groupBy(asked, ({ kind }) => kind)).map(([kind, of = []]) => {
    const times = of.map(({ ms }) => ms);
    const worst = of.reduce((most, one) => (one.ms > most.ms ? one : most));
    const found = of.filter(({ hits }) => hits > 0).length;
    return told({
      what: `– ${kind}`,
      measured: `${formatMs(median(times))}; 95th ${formatMs(percentile(times, 0.95))}; worst ${formatMs(worst.ms)}`,
      on: `${of.length} queries, ${found} with hits; worst: ${worst.text}`,
      figures: { median: median(times), p95: percentile(times, 0.95), worst: worst.ms },
    });
  });
}

function grepRow(greps: readonly number[], searches: readonly number[]): Row {
  const ratio = median(greps.map((ms, i) => ms / searches[i]!));
  return told({
    what: 'grep -rF beside it',
    measured: `${formatMs(median(greps))}: ${formatNumber(ratio)} x the search`,
    on: `${greps.length} single words, files in the page cache; search for the same ${formatMs(median(searches))}`,
    figures: { ms: median(greps), search: median(searches), ratio },
  });
}
