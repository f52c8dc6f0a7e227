import type { Archive } from '../../archive/archive.ts';
import type { Keeper, SummaryRow } from '../../archive/keeper.ts';
import { Listings } from '../../archive/listings.ts';
import { Withheld } from '../../archive/withheld.ts';
import type { CatalogSession } from '../../catalog/listed.ts';
import type { Stores } from '../../holdings/stores.ts';
import type { Home } from '../../home/paths.ts';
import { forgetNotesOf } from '../../recall/notes.ts';
import { removeRuins } from '../../repair/ruins.ts';
import { forgetGeneration } from '../../store/generations.ts';
import { Busy } from '../../store/lease.ts';
import type { OnRebuild } from '../deriving/index-file.ts';
import { openForWriting, type WritableStores } from '../writable-stores.ts';
import { withoutSummaries } from './summaries.ts';

/** A session that is to be forgotten, and why. */
export interface Forgotten {
  readonly session: CatalogSession;
  /** The key of the session that takes it along; its own where it was asked for. */
  readonly because: string;
}

/**
 * What goes with sessions when they are forgotten: their sub-agents, their prompts in the agent's prompt history, and,
 * but where only they are to go, the sessions that repeat turns of theirs.
 */
export function withDependents(stores: Stores, sessions: readonly CatalogSession[], only: boolean): Forgotten[] {
  const all = new Map<number, Forgotten>(
    sessions.map((session) => [session.id, { session, because: session.key }] as const),
  );
  for (const { session, because } of all.values()) {
    const prompts = `${session.source}:prompts/${session.nativeId}`;
    const repeats = only ? '' : 'OR id IN (SELECT session FROM turns WHERE replay_of = ?)';
    const dependents = stores.catalog.sessions(
      `(parent = ? AND relation = 'subagent') OR key = ? ${repeats}`,
      [session.key, prompts, ...(only ? [] : [session.id])],
      'id',
      -1,
    );
    for (const one of dependents) if (!all.has(one.id)) all.set(one.id, { session: one, because });
  }
  return [...all.values()];
}

/**
 * Forgets sessions: nothing of them stays in the archive or in the index, not in their free space either, and their
 * files are not read again. The index is made anew; `onRebuild` tells how far.
 * @throws Busy where another process writes; the errors of SQLite where the disk has no room for a copy of the archive
 */
export function forget(home: Home, sessions: readonly Forgotten[], onRebuild: OnRebuild): void {
  written(home, ({ archive, keeper }) =>
    archive.db.transaction(() => {
      const withheld = new Withheld(archive.db);
      for (const { session, because } of sessions) {
        const row = archive.session(session.id);
        if (!row) continue;
        withheld.forget(row.key, row.unit, because);
        for (const summary of keeper.dropSummariesOf(row.id)) {
          withheld.forgetRecord(summary.leaf, summary.unit, because);
          forgetSummary(archive, keeper, summary);
        }
        for (const { id, unit } of archive.allOf(row.source, row.nativeId)) {
          keeper.drop(id);
          if (archive.sessionsOfUnit(unit).length === 0) keeper.mute(unit);
        }
      }
      new Listings(archive.db).forgetNames();
      keeper.noteChange();
      keeper.setState(UNCLEAN, 1);
    }),
  );
  forgetNotesOf(home, new Set(sessions.map(({ session }) => session.key)));
  clean(home, onRebuild);
}

/** Takes a summary out of what is kept of the session whose file says it. */
function forgetSummary(archive: Archive, keeper: Keeper, { session, text }: SummaryRow): void {
  for (const { turn } of archive.turns(session))
    for (const chunk of archive.chunksOf(session, turn)) {
      const without = withoutSummaries(chunk.body, new Set([text]));
      if (without) keeper.putBody(session, turn, chunk, without);
    }
}

/** Takes back that a session was forgotten: the next indexing reads its files again. Whether it was. */
export function recall(home: Home, key: string): boolean {
  return written(home, ({ archive }) => archive.db.transaction(() => new Withheld(archive.db).recall(key)));
}

/** Set while something forgotten may still stand in the free space of a file. */
const UNCLEAN = 'unclean';

/** Whether a forgetting was broken off before its traces were gone. */
export function isUnclean(stores: Stores): boolean {
  return stores.archive.state(UNCLEAN) === 1;
}

/**
 * Leaves nothing in the free space of our files: the archive is written anew, the index made anew, damaged archives that were
 * kept are deleted.
 */
export function clean(home: Home, onRebuild: OnRebuild): void {
  removeRuins(home);
  forgetGeneration(home.index);
  written(
    home,
    (stores) => {
      stores.deriver.projects.forgetFolders();
      stores.archive.db.compact();
      stores.keeper.setState(UNCLEAN, 0);
      stores.finish();
    },
    onRebuild,
  );
}

function written<T>(home: Home, work: (stores: WritableStores) => T, onRebuild?: OnRebuild): T {
  const stores = openForWriting(home, onRebuild);
  if (!stores) throw new Busy();
  try {
    return work(stores);
  } finally {
    stores.close();
  }
}
