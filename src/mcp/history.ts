import { existsSync } from 'node:fs';
import { isIndexChanged, openForReading } from '../holdings/opening.ts';
import type { Stores } from '../holdings/stores.ts';
import { type Home, homeOf } from '../home/paths.ts';
import { isDamage } from '../store/database.ts';
import { ToolError } from './tool.ts';

const DAMAGED = new ToolError(
  'The index is damaged or was changed from outside, so nothing could be searched.',
  'Ask the user to run portolan index: it makes the index anew from the archive.',
);

/** How long a question may wait for what is new. */
const BUDGET_MS = 40;

/**
 * What was indexed, opened for one call: a new generation is seen by the next, nothing is held meanwhile, and what a
 * search maps into memory is given back. Agents may keep a server of theirs from writing: then nothing is refreshed.
 */
export class History {
  private readonly home: Home;
  private readonly variables: NodeJS.ProcessEnv;
  private opened: Stores | undefined;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.variables = { ...variables };
    this.home = homeOf(variables);
  }

  /** Reads what was written just now where agents are at work; gives a warning where it could not. */
  async refresh(): Promise<string | undefined> {
    if (!existsSync(this.home.archive)) return undefined;
    // Loaded with the first question: most sessions never ask.
    const [{ refresh }, { environment }] = await Promise.all([
      import('../ingest/refresh.ts'),
      import('../agents/environment.ts'),
    ]);
    const refreshed = await refresh(this.home, environment([process.cwd()], this.variables), BUDGET_MS);
    return refreshed.state === 'left' ? `the index was not refreshed: ${refreshed.reason}` : undefined;
  }

  /** @throws ToolError where nothing was indexed yet, or the index is damaged */
  stores(): Stores {
    if (this.opened) return this.opened;
    if (isIndexChanged(this.home)) throw DAMAGED;
    this.opened = openForReading(this.home);
    if (this.opened) return this.opened;
    throw new ToolError('Nothing is indexed yet, so nothing could be searched.', 'Ask the user to run: portolan index');
  }

  close(): void {
    this.opened?.close();
  }
}

/** The error to tell of. */
export function told(error: unknown): unknown {
  return isDamage(error) ? DAMAGED : error;
}
