import { type Home, homeOf } from '../home/paths.ts';
import { isDamage } from '../ingest/index-file.ts';
import { isIndexChanged, openForReading, type Stores } from '../ingest/stores.ts';
import { ToolError } from './tool.ts';

const DAMAGED = new ToolError(
  'The index is damaged or was changed from outside, so nothing could be searched.',
  'Ask the user to run portolan index: it makes the index anew from the archive.',
);

/**
 * What was indexed, opened for one call: a new generation is seen by the next, nothing is held meanwhile, and what a
 * search maps into memory is given back. Nothing is written: agents may keep a server of theirs from that.
 */
export class History {
  private readonly home: Home;
  private opened: Stores | undefined;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.home = homeOf(variables);
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
