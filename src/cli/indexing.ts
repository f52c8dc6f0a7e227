import { failureCount } from '../agents/bounds.ts';
import { environmentOf } from '../agents/environment.ts';
import { openForReading } from '../holdings/opening.ts';
import { type Home, homeOf, sizeOfFile } from '../home/paths.ts';
import type { SourceReport } from '../ingest/account.ts';
import { ingest } from '../ingest/run.ts';
import { type HeldBy, type OthersProgress, openAfterOthers } from '../ingest/waiting.ts';
import { isIndexUnclean, openForWriting } from '../ingest/writable-stores.ts';
import { failureLine } from '../render/failures.ts';
import { formatCount, plural } from '../render/numbers.ts';
import { type ProgressBar, progressBar } from '../render/progress.ts';
import { currentGeneration } from '../store/generations.ts';
import type { Context } from './command.ts';
import { say } from './output.ts';

/** Who writes instead: one that follows the histories, one that holds the index and does nothing, one that reads. */
type Busy = HeldBy | 'reader';

export interface IndexReport {
  readonly tookMs: number;
  readonly peakRss: number;
  readonly archiveBytes: number;
  readonly indexBytes: number;
  readonly sessions: number;
  readonly turns: number;
  readonly passages: number;
  /** Another process reads what there is, and goes on: what it has read until now is counted. */
  readonly busy?: Busy;
  readonly sources: Readonly<Record<string, SourceReport>>;
}

interface Updating {
  /** Nobody waits for it: it leaves the reading to another process that is at it, and does what others leave for later. */
  readonly isBehind?: boolean;
}

/** Brings the index up to date, with a progress bar on stderr. Where another process is at it, that one goes first. */
export async function updateIndex(context: Context, options: Updating = {}): Promise<IndexReport> {
  const { isBehind = false } = options;
  const started = performance.now();
  const home = homeOf(context.variables);
  const bar = progressBar(context.stderr, { style: context.style });
  const onRebuild = (done: number, total: number) => {
    if (total > 50) bar.update({ done, total, bytes: 0, sessions: done, turns: 0 });
  };
  const env = environmentOf(home, context.variables);
  const stores = isBehind
    ? (openForWriting(home, onRebuild) ?? 'reader')
    : await openAfterOthers(home, env, onRebuild, waitingWith(context, bar));
  if (typeof stores === 'string') return { ...sizesOf(home, started), busy: stores, sources: {} };
  let sources: IndexReport['sources'];
  try {
    sources = await ingest(stores, env, ({ done, total, bytes, totalBytes }) => {
      const { sessions, turns } = stores.catalog.totals();
      bar.update({ done, total, bytes, totalBytes, sessions, turns });
    });
    while (isBehind && stores.rest());
  } finally {
    bar.end('clear');
    stores.close();
  }
  if (isIndexUnclean(home)) openForWriting(home)?.close();
  return { ...sizesOf(home, started), sources };
}

/** Says that another one is waited for, and shows how far it has come. */
function waitingWith(context: Context, bar: ProgressBar): (progress: OthersProgress) => void {
  let total: number | undefined;
  return ({ left, sessions, turns }) => {
    if (total === undefined) {
      total = left;
      if (left > 0) say(context, 'Another Portolan is reading the histories: waiting for it to finish.');
    }
    total = Math.max(total, left);
    bar.update({ done: total - left, total, bytes: 0, sessions, turns });
  };
}

/** How much there is, and what it took. */
function sizesOf(home: Home, started: number): Omit<IndexReport, 'sources'> {
  const stores = openForReading(home);
  const totals = stores?.catalog.totals() ?? { sessions: 0, turns: 0, passages: 0 };
  stores?.close();
  return {
    tookMs: Math.round(performance.now() - started),
    // Kilobytes, on every system that Node runs on.
    peakRss: process.resourceUsage().maxRSS * 1024,
    archiveBytes: sizeOfFile(home.archive) + sizeOfFile(`${home.archive}-wal`),
    indexBytes: indexBytes(home.index),
    ...totals,
  };
}

function indexBytes(folder: string): number {
  const path = currentGeneration(folder);
  return path === undefined ? 0 : sizeOfFile(path) + sizeOfFile(`${path}-wal`);
}

/** Whether a source as a whole could not be read. */
export function isFailed({ failed, read, unchanged, gone }: SourceReport): boolean {
  return failed.some((failure) => failure.line === undefined) && read + unchanged + gone === 0;
}

/** Failures that are told at once; portolan doctor tells all. */
const MOST_SHOWN = 3;

const BUSY: Readonly<Record<Busy, string>> = {
  follower: 'Another Portolan follows the histories, and has read what there is.',
  idler: 'Another Portolan holds the index and has read nothing for a minute: stop it, then run portolan index again.',
  reader: 'Another Portolan is reading the histories; search sees what it reads.',
};

/** The summary of an indexing, for people. */
export function summaryOf(report: IndexReport): string[] {
  if (report.busy)
    return [
      BUSY[report.busy],
      `${plural(report.sessions, 'session')}, ${plural(report.turns, 'turn')}, ${plural(report.passages, 'passage')}`,
    ];
  const lines = Object.values(report.sources).flatMap((source) => {
    const unread = source.failed.filter((failure) => failure.line === undefined);
    if (source.units === 0 && unread.length === 0 && source.sessions === 0) return [];
    const problems = failureCount(source.failed);
    const facts = [
      plural(source.sessions, 'session'),
      source.read > 0
        ? `${formatCount(source.read)} of ${plural(source.units, 'file')} read`
        : `${plural(source.units, 'file')}, none changed`,
      ...(problems > 0 ? [`${plural(problems, 'problem')} (portolan doctor)`] : []),
    ];
    return [
      `${source.label}: ${isFailed(source) ? 'nothing could be read; ' : ''}${facts.join(', ')}`,
      ...unread.slice(0, MOST_SHOWN).map((failure) => `  could not read ${failureLine(failure)}`),
    ];
  });
  return [
    ...(lines.length > 0 ? lines : ['No history of any agent was found: portolan doctor says where it looks.']),
    `${plural(report.turns, 'turn')}, ${plural(report.passages, 'passage')} in ${(report.tookMs / 1000).toFixed(1)} s`,
  ];
}
