import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../agents/source.ts';
import type { OnDisk } from '../archive/listings.ts';
import { isIndexChanged, openForReading } from '../holdings/opening.ts';
import { problemOf } from '../holdings/problems.ts';
import type { Stores } from '../holdings/stores.ts';
import { ConfigError } from '../home/config.ts';
import { type Home, makeHome } from '../home/paths.ts';
import { isDamage } from '../store/damage.ts';
import { takeLease } from '../store/lease.ts';
import { lookAround, type Seen, type UnreadFile } from './changes/look.ts';
import { isClean, isSettled } from './deriving/currency.ts';

/** More than this is not read before an answer. */
const MOST_BYTES = 1 << 20;
/** So much is read at once while somebody waits, and at least so fast: bytes, and bytes a millisecond. */
const BATCH_BYTES = 8 << 20;
const BYTES_A_MS = 20_000;
const LOOK_AGAIN_MS = 100;

const NOTHING: Seen = { unread: [], unreadable: new Map() };

/** What a refresh did, or why it did nothing, and what it saw that is not read after it. */
export type Refreshed = { readonly onDisk: OnDisk } & (
  | { readonly state: 'done'; readonly read: number }
  /** It is being seen to elsewhere: by another writer, or before the answer where the index is damaged. */
  | { readonly state: 'elsewhere' }
  | { readonly state: 'left'; readonly reason: string }
);

/**
 * Reads what was written in the folders that are in use, and what came to the others, before a query is answered: a few
 * milliseconds where nothing did, at most about `budget` milliseconds. The rest is for an indexing of its own. `written` are
 * files that are known to have been written, wherever they lie.
 */
export async function refresh(
  home: Home,
  env: Environment,
  budget: number,
  written: readonly string[] = [],
): Promise<Refreshed> {
  const deadline = performance.now() + budget;
  const look = async (stores: Stores): Promise<Seen> => {
    const seen = lookAround(stores, env, deadline, written);
    if (seen.unread.length === 0) return seen;
    // Loaded only now: most questions find nothing new.
    const { keptOf } = await import('./changes/exclusion.ts');
    return { ...seen, unread: keptOf(stores, env, seen.unread) };
  };
  return trying(home, look, async (seen) => {
    if (isBusy(home)) return { state: 'elsewhere', onDisk: onDiskOf(seen ?? NOTHING) };
    if (seen?.unread.length === 0) return { state: 'done', read: 0, onDisk: onDiskOf(seen) };
    return reading(home, env, async (stores, read) => {
      const now = seen ?? (await look(stores));
      const first = beginningOf(now.unread, MOST_BYTES);
      const left = now.unread.filter((file) => !first.includes(file));
      return { state: 'done', read: await read(first), onDisk: onDiskOf({ ...now, unread: left }) };
    });
  });
}

/**
 * Reads all that is new, as far as that can be done in so many milliseconds, for one who is about to be told that there
 * is nothing. `waits` hears how many files are to be read where that takes a while, and whether another one reads them.
 */
export async function catchUp(
  home: Home,
  env: Environment,
  patience: number,
  waits: (files: number, isElsewhere: boolean) => void,
): Promise<Refreshed> {
  const deadline = performance.now() + patience;
  // Loaded only now: most questions find something.
  const { lookEverywhere } = await import('./changes/whole-look.ts');
  let isTold = false;
  const tell = (files: number, isElsewhere: boolean) => {
    if (!isTold) waits(files, isElsewhere);
    isTold = true;
  };
  for (;;) {
    const caught = await trying(
      home,
      (stores) => lookEverywhere(stores, env),
      async (seen) => {
        if (seen?.unread.length === 0) return { state: 'done', read: 0, onDisk: onDiskOf(seen) };
        if (isBusy(home)) return { state: 'elsewhere', onDisk: onDiskOf(seen ?? NOTHING) };
        return reading(home, env, async (stores, read) => {
          const now = seen ?? (await lookEverywhere(stores, env));
          if (sizeOf(now.unread) > MOST_BYTES) tell(now.unread.length, false);
          return readUntil(deadline, now, read);
        });
      },
    );
    const files = [...caught.onDisk.unread.values()].reduce((sum, { files }) => sum + files, 0);
    if (caught.state !== 'elsewhere' || files === 0 || performance.now() > deadline) return caught;
    tell(files, true);
    await whileBusy(home, deadline);
  }
}

/** Whether all that there is was read before, so that what was answered stands. */
export function isUpToDate({ onDisk, ...did }: Refreshed): boolean {
  return did.state === 'done' && did.read === 0 && onDisk.unread.size === 0 && onDisk.unreadable.size === 0;
}

type Read = (files: readonly UnreadFile[]) => Promise<number>;

/** Looks as one who only reads, then does what comes of it; where the index itself needs a writer there is nothing to look at. */
async function trying(
  home: Home,
  look: (stores: Stores) => Seen | Promise<Seen>,
  then: (seen: Seen | undefined) => Promise<Refreshed>,
): Promise<Refreshed> {
  let seen: Seen | undefined;
  try {
    if (isIndexChanged(home)) return { state: 'elsewhere', onDisk: onDiskOf(NOTHING) };
    seen = await seenBy(home, look);
    return await then(seen);
  } catch (error) {
    const problem = problemOf(home, error);
    const reason = problem ? `${problem.message} ${problem.hint}` : reasonOf(error);
    return { state: 'left', reason, onDisk: onDiskOf(seen ?? NOTHING) };
  }
}

async function seenBy(home: Home, look: (stores: Stores) => Seen | Promise<Seen>): Promise<Seen | undefined> {
  let stores: Stores | undefined;
  try {
    stores = openForReading(home);
    return stores && isSettled(home, stores) ? await look(stores) : undefined;
  } catch (error) {
    if (isDamage(error) && error.path !== home.archive) return undefined;
    throw error;
  } finally {
    stores?.close();
  }
}

/** Opens what reads and writes. It is loaded only now: most questions find nothing new. */
async function reading(
  home: Home,
  env: Environment,
  work: (stores: Stores, read: Read) => Promise<Refreshed>,
): Promise<Refreshed> {
  const [{ openForWriting }, { ingestChanges }] = await Promise.all([
    import('./writable-stores.ts'),
    import('./run.ts'),
  ]);
  const stores = openForWriting(home);
  if (!stores) return { state: 'elsewhere', onDisk: onDiskOf(NOTHING) };
  try {
    // What is kept is of another redactor, or this process is: an indexing sees to all of it.
    if (!isClean(stores)) return { state: 'elsewhere', onDisk: onDiskOf(NOTHING) };
    return await work(stores, async (files) =>
      files.length === 0 ? 0 : (await ingestChanges(stores, env, files)).read,
    );
  } finally {
    stores.close();
  }
}

async function readUntil(deadline: number, seen: Seen, read: Read): Promise<Refreshed> {
  let left = seen.unread;
  let done = 0;
  for (;;) {
    const possible = (deadline - performance.now()) * BYTES_A_MS;
    const batch = beginningOf(left, Math.min(BATCH_BYTES, possible));
    const next = batch.length > 0 ? batch : left.filter((file) => file.bytes <= possible).slice(0, 1);
    if (next.length === 0) return { state: 'done', read: done, onDisk: onDiskOf({ ...seen, unread: left }) };
    done += await read(next);
    left = left.filter((file) => !next.includes(file));
  }
}

/** The first files that are together no more than so many bytes; one that is larger is passed over. */
function beginningOf(files: readonly UnreadFile[], most: number): UnreadFile[] {
  let bytes = 0;
  return files.filter((file) => {
    if (bytes + file.bytes > most) return false;
    bytes += file.bytes;
    return true;
  });
}

const sizeOf = (files: readonly UnreadFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);

function onDiskOf({ unread, unreadable }: Seen): OnDisk {
  const bySource = new Map<string, { files: number; since: number }>();
  for (const { source, modified } of unread) {
    const { files = 0, since = modified } = bySource.get(source.id) ?? {};
    bySource.set(source.id, { files: files + 1, since: Math.min(since, modified) });
  }
  return { unread: bySource, unreadable };
}

async function whileBusy(home: Home, deadline: number): Promise<void> {
  do await sleep(LOOK_AGAIN_MS);
  while (performance.now() < deadline && isBusy(home));
}

/** Whether another process writes. @throws where nobody may */
function isBusy(home: Home): boolean {
  makeHome(home);
  const lease = takeLease(home.lock);
  lease?.release();
  return lease === undefined;
}

/** Why nothing could be kept: the answer is given from what there is. @throws every other error */
function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  if (/disk is full|ENOSPC/i.test(message)) return 'the disk is full';
  if (/readonly|read-only|unable to open|permission denied|EACCES|EPERM|EROFS/i.test(message))
    return 'its folder is read-only';
  throw error;
}
