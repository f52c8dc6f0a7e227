import { existsSync } from 'node:fs';
import { environment } from '../agents/environment.ts';
import { homeOf } from '../home/paths.ts';
import { refresh } from '../ingest/refresh.ts';
import type { Context } from './command.ts';

/** How long a query may wait for what is new. */
const BUDGET_MS = 40;
/** An index that is older is brought up to date behind the answer. */
const STALE_MS = 5 * 60_000;

/** Reads what is new where agents are at work; gives a warning where it could not. */
export async function refreshBefore(context: Context): Promise<string | undefined> {
  const home = homeOf(context.variables);
  // Before the first indexing there is nothing to refresh.
  if (!existsSync(home.archive)) return undefined;
  const refreshed = await refresh(home, environment([context.cwd], context.variables), BUDGET_MS);
  if (refreshed.state !== 'left') return undefined;
  return `the index was not refreshed: ${refreshed.reason} in ${home.path}`;
}

/** Starts an indexing of everything where the last one is long ago, or was never ended (null). The answer does not wait for it. */
export async function indexBehind(context: Context, lagMs: number | null): Promise<void> {
  const [, program] = process.argv;
  if ((lagMs ?? STALE_MS) < STALE_MS || program === undefined) return;
  const { spawn } = await import('node:child_process');
  spawn(process.execPath, [program, 'index', '--json'], {
    detached: true,
    stdio: 'ignore',
    cwd: context.cwd,
    env: context.variables,
  }).unref();
}
