import { failureCount } from '../agents/bounds.ts';
import { environmentOf } from '../agents/environment.ts';
import { openForReading } from '../holdings/opening.ts';
import { type Home, homeOf } from '../home/paths.ts';
import { ingest, type SourceReport, sizeOfFile } from '../ingest/run.ts';
import { isIndexUnclean, openForWriting } from '../ingest/writable-stores.ts';
import { failureLine } from '../render/failures.ts';
import { formatCount, plural } from '../render/numbers.ts';
import { progressBar } from '../render/progress.ts';
import { currentGeneration } from '../store/generations.ts';
import type { Context } from './command.ts';

export interface IndexReport {
  readonly tookMs: number;
  readonly peakRss: number;
  readonly archiveBytes: number;
  readonly indexBytes: number;
  readonly sessions: number;
  readonly turns: number;
  readonly passages: number;
  /** Another process is reading already: what it has read until now is counted. */
  readonly busy?: boolean;
  readonly sources: Readonly<Record<string, SourceReport>>;
}

/**
 * Brings the index up to date, with a progress bar on stderr.
 * Where another process does so already, it gives what there is.
 */
export async function updateIndex(context: Context, user: NodeJS.ProcessEnv = context.variables): Promise<IndexReport> {
  const started = performance.now();
  const home = homeOf(context.variables);
  const bar = progressBar(context.stderr, { style: context.style });
  const stores = openForWriting(home, (done, total) => {
    if (total > 50) bar.update({ done, total, bytes: 0, sessions: done, turns: 0 });
  });
  if (!stores) return { ...sizesOf(home, started), busy: true, sources: {} };
  let sources: IndexReport['sources'];
  try {
    sources = await ingest(stores, environmentOf(home, user), ({ done, total, bytes, totalBytes }) => {
      const { sessions, turns } = stores.catalog.totals();
      bar.update({ done, total, bytes, totalBytes, sessions, turns });
    });
  } finally {
    bar.end('clear');
    stores.close();
  }
  if (isIndexUnclean(home)) openForWriting(home)?.close();
  return { ...sizesOf(home, started), sources };
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

/** The summary of an indexing, for people. */
export function summaryOf(report: IndexReport): string[] {
  if (report.busy) return ['Another Portolan is reading the histories; search sees what it reads.'];
  const lines = Object.values(report.sources).flatMap((source) => {
    const unread = source.failed.filter((failure) => failure.line === undefined);
    if (source.units === 0 && unread.length === 0 && source.sessions === 0)
      return `${source.label}: no history was found (portolan doctor)`;
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
    ...lines,
    `${plural(report.turns, 'turn')}, ${plural(report.passages, 'passage')} in ${(report.tookMs / 1000).toFixed(1)} s`,
  ];
}
