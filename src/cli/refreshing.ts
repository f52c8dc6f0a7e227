import { existsSync } from 'node:fs';
import { environmentOf } from '../agents/environment.ts';
import type { OnDisk } from '../archive/listings.ts';
import { homeOf } from '../home/paths.ts';
import type { Refreshed } from '../ingest/refresh.ts';
import { catchUp, isUpToDate, refresh } from '../ingest/refresh.ts';
import { plural } from '../render/numbers.ts';
import type { SourceState } from '../search/answers/source-states.ts';
import { unreadIn } from '../search/answers/source-states.ts';
import type { Context } from './command.ts';
import { say } from './output.ts';

/** How long a query may wait for what is new. */
const BUDGET_MS = 40;
/** How long one that finds nothing may wait for what was not read. */
const PATIENCE_MS = 5000;
/** An index that is older is brought up to date behind the answer. */
const STALE_MS = 5 * 60_000;
/** One of which something could not be read is tried again sooner. */
const PARTIAL_MS = 60_000;

/** What was seen of the agents' files before an answer, and why nothing was read of them, if nothing could be. */
export interface SeenBefore {
  readonly onDisk?: OnDisk;
  readonly warning?: string;
}

/** Reads what is new where agents are at work. */
export async function refreshBefore(context: Context): Promise<SeenBefore> {
  const home = homeOf(context.variables);
  // Before the first indexing there is nothing to refresh.
  if (!existsSync(home.archive)) return {};
  return seenBy(context, await refresh(home, environmentOf(home, context.variables), BUDGET_MS));
}

/**
 * Before somebody is told that there is nothing, all that is new is read, for some seconds at most. Undefined where
 * nothing is new: the answer stands.
 */
export async function catchUpBefore(context: Context): Promise<SeenBefore | undefined> {
  const home = homeOf(context.variables);
  if (!existsSync(home.archive)) return undefined;
  const caught = await catchUp(home, environmentOf(home, context.variables), PATIENCE_MS, (files, isElsewhere) =>
    say(
      context,
      isElsewhere
        ? `Another Portolan is reading ${plural(files, 'new or changed file')}: waiting for it.`
        : `Reading ${plural(files, 'new or changed file')} first.`,
    ),
  );
  return isUpToDate(caught) ? undefined : seenBy(context, caught);
}

function seenBy(context: Context, refreshed: Refreshed): SeenBefore {
  const { onDisk } = refreshed;
  if (refreshed.state !== 'left') return { onDisk };
  const where = homeOf(context.variables).path;
  return { onDisk, warning: `the index could not be refreshed: ${refreshed.reason} in ${where}` };
}

/** An indexing that nobody waits for. */
const BEHIND: readonly string[] = ['index', '--json', '--background'];

/** What of an answer says how old it is. */
interface Aged {
  /** Null where the first indexing was never ended. */
  readonly lagMs: number | null;
  readonly sources?: Readonly<Record<string, SourceState>>;
}

/** Starts an indexing of everything where the last one is long ago, or something is known not to be read. The answer does not wait for it. */
export async function indexBehind(context: Context, { lagMs, sources = {} }: Aged): Promise<void> {
  const [, program] = process.argv;
  const isPartial = Object.values(sources).some(({ state }) => state === 'partial' || state === 'unavailable');
  const isDue = (lagMs ?? STALE_MS) >= (isPartial ? PARTIAL_MS : STALE_MS) || unreadIn(sources) > 0;
  if (!isDue || program === undefined) return;
  const { runBehind } = await import('../home/behind.ts');
  runBehind(program, BEHIND, context);
}
