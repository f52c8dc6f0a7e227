import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../agents/source.ts';
import { isFileEmpty } from '../holdings/lost.ts';
import { isIndexChanged, openForReading } from '../holdings/opening.ts';
import { problemOf } from '../holdings/problems.ts';
import type { Stores } from '../holdings/stores.ts';
import { runBehind } from '../home/behind.ts';
import { type Home, homeOf } from '../home/paths.ts';
import type { Refreshed } from '../ingest/refresh.ts';
import { type SeenBefore, ToolError } from './tool.ts';

const CHANGED = new ToolError(
  'The index is damaged, or is a copy of another one, so nothing could be searched.',
  'Ask the user to run portolan index: it rebuilds the index from the archive.',
);

/** How long a question may wait for what is new. */
const BUDGET_MS = 40;
/** How long one that finds nothing may wait for what was not read. */
const PATIENCE_MS = 5000;

/**
 * What was indexed, opened for one call: a new generation is seen by the next, nothing is held meanwhile, and what a
 * search maps into memory is given back. Agents may keep a server of theirs from writing: then nothing is refreshed.
 */
export class History {
  private readonly home: Home;
  private readonly variables: NodeJS.ProcessEnv;
  private opened: Stores | undefined;
  private isBehind = false;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.variables = { ...variables };
    this.home = homeOf(variables);
  }

  /** Reads what was written just now where agents are at work. */
  async refresh(): Promise<SeenBefore> {
    if (!existsSync(this.home.archive)) return {};
    // Loaded with the first question: most sessions never ask.
    const { refresh } = await import('../ingest/refresh.ts');
    return this.seenBy(await refresh(this.home, await this.environment(), BUDGET_MS));
  }

  /** Before an agent is told that there is nothing, all that is new is read, for some seconds at most. Undefined where nothing is new. */
  async catchUp(): Promise<SeenBefore | undefined> {
    if (!existsSync(this.home.archive)) return undefined;
    const { catchUp, isUpToDate } = await import('../ingest/refresh.ts');
    const caught = await catchUp(this.home, await this.environment(), PATIENCE_MS, () => {});
    return isUpToDate(caught) ? undefined : this.seenBy(caught);
  }

  /** Where something is known not to be read, has it read by the program that lies beside the server: no answer waits for it. */
  indexBehind(): void {
    if (!this.isBehind) return;
    const [, server = ''] = process.argv;
    const program = join(dirname(server), 'cli.mjs');
    if (existsSync(program))
      runBehind(program, ['index', '--json', '--background'], { cwd: process.cwd(), variables: this.variables });
  }

  private seenBy(refreshed: Refreshed): SeenBefore {
    const { onDisk } = refreshed;
    this.isBehind = onDisk.unread.size > 0;
    return refreshed.state === 'left'
      ? { onDisk, warning: `the index could not be refreshed: ${refreshed.reason}` }
      : { onDisk };
  }

  private async environment(): Promise<Environment> {
    const { environmentOf } = await import('../agents/environment.ts');
    return environmentOf(this.home, this.variables);
  }

  /** @throws ToolError where nothing was indexed yet, or the index is damaged */
  stores(): Stores {
    if (this.opened) return this.opened;
    // Without an archive no better index can be made: that is what is to be told.
    if (isIndexChanged(this.home) && !isFileEmpty(this.home.archive)) throw CHANGED;
    this.opened = openForReading(this.home);
    if (this.opened) return this.opened;
    throw new ToolError('Nothing is indexed yet, so nothing could be searched.', 'Ask the user to run: portolan index');
  }

  close(): void {
    this.opened?.close();
  }
}

/** The error to tell of. */
export function told(error: unknown, variables: Readonly<Record<string, string | undefined>>): unknown {
  const problem = problemOf(homeOf(variables), error);
  return problem
    ? new ToolError(`${problem.message} Nothing could be searched.`, `Tell the user: ${problem.hint}`)
    : error;
}
