import type { Where } from '../../transcript/index.ts';
import { type Fields, text, time } from '../fields.ts';
import { NotShownCounter } from '../not-shown.ts';
import { plainPath } from '../plain-path.ts';
import { SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent } from '../source.ts';

/** Reads `history.jsonl`, what was typed in the terminal: of conversations that are gone it is all that is left. */
export class PromptList implements SnapshotReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly sessions = new Map<string, SessionTeller>();
  /** The first prompt of a conversation is typed before there is one: it belongs to the one that comes next. */
  private early: { readonly prompt: Fields; readonly where: Where }[] = [];

  record(prompt: Fields, where: Where): string | undefined {
    if (text(prompt.display) === undefined) return 'history without a prompt';
    const conversation = text(prompt.conversationId);
    if (conversation === undefined) this.early.push({ prompt, where });
    else {
      this.settle(conversation, text(prompt.workspace));
      this.tell(conversation, prompt, where);
    }
    return undefined;
  }

  /** Tells what waits for a conversation: those typed in the same folder are its own, others had none. */
  settle(conversation?: string, workspace?: string): void {
    for (const { prompt, where } of this.early) {
      const isOf = conversation !== undefined && text(prompt.workspace) === workspace;
      this.tell(isOf ? conversation : undefined, prompt, where);
    }
    this.early = [];
  }

  private tell(conversation: string | undefined, prompt: Fields, where: Where): void {
    const at = time(prompt.timestamp);
    const words = text(prompt.display);
    if (words !== undefined) this.tellerOf(conversation, prompt, at).prompt(words, { where, at });
  }

  private tellerOf(conversation: string | undefined, prompt: Fields, at: number | undefined): SessionTeller {
    const id = `prompts/${conversation ?? `without a conversation/${at}`}`;
    const known = this.sessions.get(id);
    if (known) return known;
    const teller = new SessionTeller(id, this.events);
    this.sessions.set(id, teller);
    const workspace = text(prompt.workspace);
    teller.facts({
      kind: 'prompts',
      ...(conversation !== undefined && { transcript: conversation }),
      ...(workspace !== undefined && { cwd: plainPath(workspace) }),
    });
    return teller;
  }
}
