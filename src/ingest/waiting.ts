import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../agents/source.ts';
import { openForReading } from '../holdings/opening.ts';
import type { Home } from '../home/paths.ts';
import { lookEverywhere } from './changes/whole-look.ts';
import type { OnRebuild } from './deriving/index-file.ts';
import { openForWriting, type WritableStores } from './writable-stores.ts';

const TRY_AGAIN_MS = 200;
/** What is left is looked for so often: all files are listed for it. */
const LOOK_AGAIN_MS = 2000;
/** A writer that has not kept anything for so long is not waited for any longer. */
const PATIENCE_MS = 60_000;

/** How far another writer has come. */
export interface OthersProgress {
  /** Files that are still to be read. */
  readonly left: number;
  readonly sessions: number;
  readonly turns: number;
}

/** Why another writer is not waited for: it has read all that there is, and goes on following; or it does nothing. */
export type HeldBy = 'follower' | 'idler';

/** Opens for writing as soon as no other process writes; or says why the other one is not waited for. */
export async function openAfterOthers(
  home: Home,
  env: Environment,
  onRebuild: OnRebuild,
  waits: (progress: OthersProgress) => void,
): Promise<WritableStores | HeldBy> {
  let changedAt = performance.now();
  let changes = -1;
  for (;;) {
    for (let waited = 0; waited < LOOK_AGAIN_MS; waited += TRY_AGAIN_MS) {
      const stores = openForWriting(home, onRebuild);
      if (stores) return stores;
      if (waited === 0) {
        const seen = await lookPast(home, env);
        if (seen) waits(seen);
        if (seen?.left === 0) return 'follower';
        if (performance.now() - changedAt > PATIENCE_MS) return 'idler';
        if (seen && seen.changes !== changes) {
          changes = seen.changes;
          changedAt = performance.now();
        }
      }
      await sleep(TRY_AGAIN_MS);
    }
  }
}

/** What is seen beside another writer; undefined where it has not made an index yet. */
async function lookPast(
  home: Home,
  env: Environment,
): Promise<(OthersProgress & { readonly changes: number }) | undefined> {
  const stores = openForReading(home);
  if (!stores) return undefined;
  try {
    const { unread } = await lookEverywhere(stores, env);
    const { sessions, turns } = stores.catalog.totals();
    return { left: unread.length, sessions, turns, changes: stores.archive.changes() };
  } finally {
    stores.close();
  }
}
