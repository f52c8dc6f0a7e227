import type { Where } from '../../transcript/index.ts';
import { type Fields, text, time } from '../fields.ts';
import { NotShownCounter } from '../not-shown.ts';
import { SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { projectOf } from './projects.ts';

/** Reads `logs.json`, the prompts of all sessions of a project as they were typed: of those whose chat is gone it is all that is left. */
export class PromptLog implements SnapshotReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly cwd: string | undefined;
  private readonly sessions = new Map<string, SessionTeller>();

  constructor(unit: Unit) {
    this.cwd = projectOf(unit.path, {}).cwd;
  }

  record(entry: Fields, where: Where): string | undefined {
    const session = text(entry.sessionId);
    const said = text(entry.message);
    if (session === undefined || said === undefined) return 'log without a prompt';
    if (entry.type !== 'user') return `log:${text(entry.type) ?? 'untyped'}`;
    this.tellerOf(session).prompt(said, { where, at: time(entry.timestamp) });
    return undefined;
  }

  private tellerOf(session: string): SessionTeller {
    const known = this.sessions.get(session);
    if (known) return known;
    const teller = new SessionTeller(`prompts/${session}`, this.events);
    this.sessions.set(session, teller);
    teller.facts({ kind: 'prompts', transcript: session, ...(this.cwd !== undefined && { cwd: this.cwd }) });
    return teller;
  }
}
