import { readFileSync } from 'node:fs';
import type { Stores } from '../../src/holdings/stores.ts';
import { search } from '../../src/search/answers/search.ts';
import { planOf } from '../../src/search/matching/plan.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import { ENGINES, type EngineId, openIndex } from './engines.ts';
import type { Question } from './questions.ts';

/** How a question is put: to all of search, or to the engine alone for the best ten passages. */
export const WAYS = ['search', 'any', 'all'] as const;
export type Way = (typeof WAYS)[number];

/** What a process of its own is asked. */
export interface Job {
  readonly archive: string;
  readonly index: string;
  readonly engine: EngineId;
  readonly now: number;
  readonly questions: readonly Question[];
  readonly ways: readonly Way[];
  /**
   * Rounds of all questions after a first, untimed one, so that what is remembered of a question is what the others leave of it;
   * 0: the first is timed, with the opening of the files.
   */
  readonly repeats: number;
}

export interface Answered extends Question {
  /**
   * Milliseconds. Warm: the least of the repeats, in processor time, which is what it takes when nothing else runs: all of
   * it is one thread's work, and the files are in the page cache. Cold: by the clock.
   */
  readonly ms: Partial<Record<Way, number>>;
  readonly hits: number;
}

export interface Done {
  readonly answers: readonly Answered[];
  /** Bytes resident before anything was opened, and when all was asked. */
  readonly rss: { readonly before: number; readonly after: number };
}

const BEST = 10;
const SLOW_MS = 100;
const ROUNDS_WHERE_SLOW = 1;

/** Puts the questions of a job; prints a `Done`. A process of its own, so that memory is the engine's and cold is cold. */
const path = process.argv[2];
if (path !== undefined && import.meta.filename === process.argv[1]) {
  const done = answer(JSON.parse(readFileSync(path, 'utf8')) as Job);
  process.stdout.write(JSON.stringify(done));
}

function answer(job: Job): Done {
  const before = process.memoryUsage.rss();
  const begin = performance.now();
  const stores = openIndex(job.archive, job.index, ENGINES[job.engine]);
  const opened = performance.now() - begin;
  const answers = job.questions.map((question) => ({ ...question, ms: {} as Partial<Record<Way, number>>, hits: 0 }));
  for (const way of job.ways) {
    const asked = answers.map((answer) => {
      const once = onceOf(stores, way, answer.text, job.now);
      const start = performance.now();
      answer.hits = Math.max(answer.hits, once());
      return { answer, once, first: performance.now() - start, best: Number.POSITIVE_INFINITY };
    });
    for (let round = 0; round < job.repeats; round++)
      for (const one of asked)
        if (one.first <= SLOW_MS || round < ROUNDS_WHERE_SLOW) one.best = Math.min(one.best, timeOf(one.once));
    for (const { answer, first, best } of asked) answer.ms[way] = job.repeats === 0 ? opened + first : best;
  }
  const after = process.memoryUsage.rss();
  stores.close();
  return { answers, rss: { before, after } };
}

function timeOf(work: () => unknown): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

/** One asking; gives the number of hits. */
function onceOf(stores: Stores, way: Way, text: string, now: number): () => number {
  if (way === 'search') return () => search(stores, parseQuery(text, now), { limit: BEST, now }).hits.length;
  const { branches } = planOf(parseQuery(text, now), stores.lexical, {});
  return () => {
    let hits = 0;
    for (const { asked, filter } of branches)
      if (asked) hits += stores.lexical.search(asked[way], filter, BEST).hits.length;
    return hits;
  };
}
