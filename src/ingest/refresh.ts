import { readdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { SOURCES } from '../agents/registry.ts';
import type { Environment, Unit } from '../agents/source.ts';
import { isIndexChanged, openForReading } from '../holdings/opening.ts';
import type { Stores } from '../holdings/stores.ts';
import { ConfigError } from '../home/config.ts';
import { type Home, makeHome } from '../home/paths.ts';
import { isDamage } from '../store/database.ts';
import { takeLease } from '../store/lease.ts';
import { knownAt } from './changes/known-units.ts';
import { isClean, isSettled } from './deriving/currency.ts';
import type { Change } from './run.ts';

/** Units that were written last: where they lie, more will be written. */
const HOT_UNITS = 20;
/** More than this is not read before an answer. */
const MOST_BYTES = 1 << 20;

/** What a refresh did, or why it did nothing. */
export type Refreshed =
  | { readonly state: 'done'; readonly read: number }
  /** It is being seen to elsewhere: by another writer, or before the answer where the index is damaged. */
  | { readonly state: 'elsewhere' }
  | { readonly state: 'left'; readonly reason: string };

/**
 * Reads what was written in the folders that are in use, before a query is answered: a few milliseconds where nothing
 * was, at most about `budget` milliseconds. The rest is for an indexing of its own.
 */
export async function refresh(home: Home, env: Environment, budget: number): Promise<Refreshed> {
  const deadline = performance.now() + budget;
  if (isIndexChanged(home)) return { state: 'elsewhere' };
  try {
    if (isBusy(home)) return { state: 'elsewhere' };
    const changes = changesSeen(home, env, deadline);
    return changes?.length === 0 ? { state: 'done', read: 0 } : await readHot(home, env, deadline, changes);
  } catch (error) {
    return { state: 'left', reason: reasonOf(error) };
  }
}

/** Whether another process writes. @throws where nobody may */
function isBusy(home: Home): boolean {
  makeHome(home);
  const lease = takeLease(home.lock);
  lease?.release();
  return lease === undefined;
}

/** What was written, seen by one who only reads; undefined where the index itself needs a writer. */
function changesSeen(home: Home, env: Environment, deadline: number): readonly Change[] | undefined {
  let stores: Stores | undefined;
  try {
    stores = openForReading(home);
    return stores && isSettled(home, stores) ? hotChanges(stores, env, deadline) : undefined;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  } finally {
    stores?.close();
  }
}

/** Reads what was written. What reads and writes is loaded only now: most questions find nothing new. */
async function readHot(
  home: Home,
  env: Environment,
  deadline: number,
  changes: readonly Change[] | undefined,
): Promise<Refreshed> {
  const [{ openForWriting }, { ingestChanges }] = await Promise.all([
    import('./writable-stores.ts'),
    import('./run.ts'),
  ]);
  const stores = openForWriting(home);
  if (!stores) return { state: 'elsewhere' };
  try {
    // What is kept is of another redactor, or this process is: an indexing sees to all of it.
    if (!isClean(stores)) return { state: 'elsewhere' };
    const { read } = await ingestChanges(stores, env, changes ?? hotChanges(stores, env, deadline));
    return { state: 'done', read };
  } finally {
    stores.close();
  }
}

/** The files of the folders in use that are not as they were read, as far as there is time to look and little to read. */
function hotChanges(stores: Stores, env: Environment, deadline: number): Change[] {
  const changes: Change[] = [];
  let bytes = 0;
  const roots = SOURCES.flatMap((source) => source.roots(env).map((root) => ({ source, root })));
  const folders = new Set(stores.archive.newestUnits(HOT_UNITS).map((row) => dirname(row.path)));
  for (const folder of folders) {
    const at = roots.find(({ root }) => folder.startsWith(root.path + sep));
    if (!at) continue;
    const marks = stores.archive.marksBelow(at.source.id, folder);
    for (const path of filesIn(folder)) {
      if (performance.now() > deadline) return changes;
      const unit = at.source.unitAt?.(at.root, path);
      const mark = unit && marks.get(unit.path);
      if (!unit || (mark?.size === unit.size && mark.modified === unit.modified)) continue;
      const unread = unreadBytes(stores, unit);
      if (unread === 0 || bytes + unread > MOST_BYTES) continue;
      bytes += unread;
      changes.push({ ...at, path });
    }
  }
  return changes;
}

function unreadBytes(stores: Stores, unit: Unit): number {
  const [row] = knownAt(stores.archive, unit.source, unit);
  if (row?.size === unit.size && row.modified === unit.modified) return 0;
  return unit.size - Math.min(unit.size, row?.readTo ?? 0) || 1;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => `${folder}${sep}${name}`);
  } catch {
    return [];
  }
}

/** Why nothing could be kept: the answer is given from what there is. @throws every other error */
function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  if (/disk is full|ENOSPC/i.test(message)) return 'the disk is full';
  if (/readonly|read-only|unable to open|permission denied|EACCES|EPERM|EROFS/i.test(message))
    return 'nothing may be written';
  throw error;
}
