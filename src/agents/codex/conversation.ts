import { hash53, type NoticeKind, type Part, type ToolCall, type Where } from '../../transcript/index.ts';
import type { NotShownCounter } from '../not-shown.ts';
import type { SessionFacts, SourceEvent, ToolResult } from '../source.ts';
import { Names, type NamesState } from './names.ts';
import { type Injected, type Said, sentApart } from './prompts.ts';
import { type Family, Twice, type Written } from './twice.ts';

/** A prompt as a message of the model's input, of which it is not yet known whether a person wrote it. */
export interface Pending {
  readonly said: readonly Said[];
  readonly where: Where;
  readonly at?: number;
  readonly attachments: readonly Part[];
}

export interface ConversationState {
  readonly session: string;
  names?: NamesState;
  /** The oldest ancestor that the file's head names. */
  seed?: string;
  twice: readonly Written[];
  /** Prompts have events of their own: a message without one is the program's. */
  hasPromptEvents?: boolean;
  pending?: Pending;
  /** The prompt told last, while nothing followed it: the other of the two may. */
  lastPrompt?: { readonly key: string; readonly by: Family };
  /** Begins with a copy of another's records. */
  isCopy?: boolean;
  /** What the last turn stands in. */
  turn?: string;
  /** The record told last, and for each of the latest prompts the one before it. */
  record?: string;
  before: string[];
  /** What the next prompt follows, where turns were taken back. */
  after?: string;
}

/** A prompt longer than this does not wait for its event over a checkpoint: the state must stay small. */
const LONGEST_WAITING = 16_384;

const REMEMBERED_PROMPTS = 200;

export interface Told {
  readonly where: Where;
  readonly at?: number;
}

export type ToldCall = Told & Pick<ToolCall, 'callId' | 'name' | 'kind' | 'input' | 'command' | 'paths'>;

/** Tells what one rollout holds as events, each thing once. */
export class Conversation {
  readonly state: ConversationState;
  private readonly emit: (event: SourceEvent) => void;
  private readonly notShown: NotShownCounter;
  private readonly twice: Twice;
  private named: Names | undefined;

  constructor(state: ConversationState, emit: (event: SourceEvent) => void, notShown: NotShownCounter) {
    this.state = state;
    this.emit = emit;
    this.notShown = notShown;
    this.twice = new Twice(state.twice);
    if (state.names) this.named = new Names(state.names);
  }

  get session(): string {
    return this.state.session;
  }

  /** The oldest ancestor that the file's head names; where it is another session, its records are copied. */
  descends(from: string): void {
    if (this.named) return;
    this.state.seed = from;
    if (from !== this.session) this.state.isCopy = true;
  }

  private get names(): Names {
    if (!this.named) {
      this.named = Names.from(this.state.seed ?? this.session);
      this.state.names = this.named.state;
    }
    return this.named;
  }

  turnBegins(id: string | undefined): void {
    this.names.turn(id);
  }

  name(kind: string, said: string): string {
    return this.names.name(kind, said);
  }

  /** At a checkpoint: what can be told is told. */
  settled(isLast: boolean): void {
    const { pending } = this.state;
    if (!pending) return;
    const length = pending.said.reduce((sum, said) => sum + said.text.length, 0);
    const waits = this.state.hasPromptEvents || !isLast;
    if (!waits || length > LONGEST_WAITING) this.tellPending('prompt');
  }

  keep(): ConversationState {
    this.state.twice = this.twice.state();
    return this.state;
  }

  facts(facts: SessionFacts): void {
    this.emit({ type: 'session', session: this.session, facts });
  }

  time(at: number): void {
    this.emit({ type: 'time', session: this.session, at });
  }

  /** A message under the user's name in the model's input. */
  heard(said: readonly Said[], attachments: readonly Part[], told: Told): void {
    this.tellPending();
    const prompt = promptIn(said);
    if (prompt === undefined && attachments.length === 0) {
      this.tellProgram(said, told, 'item');
      return;
    }
    if (prompt !== undefined && this.isToldLast(prompt, 'event')) return;
    this.state.pending = { said, attachments, ...told };
  }

  /** A prompt as an event: a person's, or the task of a sub-agent. */
  asked(message: string, attachments: readonly Part[], told: Told): void {
    this.state.hasPromptEvents = true;
    const { pending } = this.state;
    if (pending && isSame(pending, message)) {
      // The message in the model's input wraps pictures into words: the event's words are the prompt.
      const kept = promptIn(pending.said)?.trim() === message.trim() ? pending.said : sentApart(message);
      const pictures = pending.attachments.length > 0 ? pending.attachments : attachments;
      delete this.state.pending;
      this.prompt({ ...pending, said: kept, attachments: pictures });
      delete this.state.lastPrompt;
      return;
    }
    this.tellPending();
    if (this.isToldLast(message, 'item')) return;
    this.prompt({ said: sentApart(message), attachments, ...told });
    this.state.lastPrompt = { key: keyOf(message), by: 'event' };
  }

  /** Whether the prompt was told from its other form just now. */
  private isToldLast(message: string, by: Family): boolean {
    const last = this.state.lastPrompt;
    if (last?.by !== by || last.key !== keyOf(message)) return false;
    delete this.state.lastPrompt;
    return true;
  }

  /** What waits is told: nothing came that says it is a person's. */
  tellPending(as?: 'prompt'): void {
    const { pending } = this.state;
    if (!pending) return;
    delete this.state.pending;
    if (as === undefined && this.state.hasPromptEvents) {
      const said = pending.said.map((one) => (one.as === 'prompt' ? asNotice(one.text) : one));
      this.tellProgram(said, pending, 'item');
      for (const attachment of pending.attachments) this.part('attachment', attachment.type, attachment);
      return;
    }
    this.prompt(pending);
    const prompt = promptIn(pending.said);
    if (prompt !== undefined) this.state.lastPrompt = { key: keyOf(prompt), by: 'item' };
  }

  /** Opens a turn, and says what was asked. */
  prompt({ said, attachments, where, at }: Pending): void {
    const prompt = promptIn(said);
    const time = at === undefined ? {} : { at };
    if (prompt !== undefined || attachments.length > 0) {
      const { after, record = '' } = this.state;
      const name = this.name('user', prompt ?? 'pictures');
      delete this.state.after;
      this.state.before = [...this.state.before, after ?? record].slice(-REMEMBERED_PROMPTS);
      this.state.record = name;
      this.state.turn = this.names.state.context;
      this.emit({
        type: 'turn',
        session: this.session,
        anchor: name,
        record: name,
        ...(after !== undefined && after !== '' && { after }),
        ...time,
      });
      for (const one of said)
        if (one.as !== 'prompt') this.tellProgram([one], { where, ...time }, 'event');
        else
          this.emit({
            type: 'part',
            session: this.session,
            record: name,
            part: { type: 'text', role: 'user', text: one.text, where, ...time },
          });
      for (const attachment of attachments)
        this.emit({ type: 'part', session: this.session, record: name, part: attachment });
      // Turns without an id are told apart by what stood before them.
      if (this.names.isCounted) this.names.turn(undefined);
    } else this.tellProgram(said, { where, ...time }, 'event');
  }

  /** What of a text the program put there. */
  private tellProgram(said: readonly Said[], told: Told, family: Family): void {
    for (const one of said)
      if (one.as === 'notice') this.notice(one.kind, one.text, told, family);
      else if (one.as === 'injected') this.injected(one);
  }

  /** Counted, not shown. Its name is a link of the chain all the same: copies must agree on it, whoever shows what. */
  injected({ kind, text }: Injected): void {
    this.notShown.add(kind);
    delete this.state.lastPrompt;
    const record = this.name('notice system', text);
    this.state.record = record;
    this.emit({ type: 'link', session: this.session, record });
  }

  /** Behind a copy, work that no prompt asked for is a turn of its own: it is not part of the copied one. */
  private opens(at: number | undefined): void {
    const { context } = this.names.state;
    if (!this.state.isCopy || this.names.isCounted || this.state.turn === context) return;
    this.state.turn = context;
    const name = this.name('turn', context);
    this.emit({ type: 'turn', session: this.session, anchor: name, record: name, ...(at !== undefined && { at }) });
  }

  answered(said: string, family: Family, { where, at }: Told): void {
    if (said.trim() === '') return;
    this.tellPending();
    if (!this.twice.isFirst('assistant', family, said)) return;
    this.opens(at);
    this.part('assistant', said, {
      type: 'text',
      role: 'assistant',
      text: said,
      where,
      ...(at !== undefined && { at }),
    });
  }

  thought(said: string, family: Family, { where, at }: Told): void {
    if (said.trim() === '') return;
    this.tellPending();
    if (!this.twice.isFirst('thinking', family, said)) return;
    this.opens(at);
    this.part('thinking', said, { type: 'thinking', text: said, where, ...(at !== undefined && { at }) });
  }

  notice(kind: NoticeKind, said: string, { where, at }: Told, family: Family): void {
    if (said.trim() === '') return;
    // An interruption is written twice, in different words.
    if (kind === 'interruption' && !this.twice.isFirst('interruption', family, '')) return;
    this.part(`notice ${kind}`, said, { type: 'notice', kind, text: said, where, ...(at !== undefined && { at }) });
  }

  call({ callId, where, at, name, kind, input, command, paths }: ToldCall): void {
    this.tellPending();
    const said = callId ?? JSON.stringify(input) ?? '';
    this.opens(at);
    this.part('call', said, {
      type: 'tool_call',
      name,
      kind,
      input,
      paths,
      isError: false,
      where,
      ...(at !== undefined && { at, startedAt: at }),
      ...(callId !== undefined && { callId }),
      ...(command !== undefined && { command }),
    });
  }

  result(callId: string, result: ToolResult): void {
    this.tellPending();
    const record = this.name('result', callId);
    this.state.record = record;
    this.emit({ type: 'result', session: this.session, callId, record, result });
  }

  /** The latest prompts were taken back, with all that followed them. */
  rolledBack(prompts: number): void {
    this.tellPending();
    const { before } = this.state;
    const after = before[before.length - prompts];
    if (prompts < 1 || after === undefined) return;
    this.state.after = after;
    this.state.before = before.slice(0, -prompts);
  }

  part(kind: string, said: string, part: Part): void {
    delete this.state.lastPrompt;
    const record = this.name(kind, said);
    this.state.record = record;
    this.emit({ type: 'part', session: this.session, record, part });
  }
}

const asNotice = (text: string): Said => ({ as: 'notice', kind: 'system', text });

function promptIn(said: readonly Said[]): string | undefined {
  const prompts = said.filter((one) => one.as === 'prompt');
  return prompts.length > 0 ? prompts.map((one) => one.text).join('\n') : undefined;
}

function keyOf(said: string): string {
  return hash53(promptIn(sentApart(said))?.trim() ?? said.trim()).toString(36);
}

/** Whether an event says what the message in the model's input says. */
function isSame(pending: Pending, message: string): boolean {
  const asked = message.trim();
  if (asked === '') return pending.attachments.length > 0;
  return (
    pending.said
      .map((one) => one.text)
      .join('\n\n')
      .includes(asked) || promptIn(pending.said)?.trim() === promptIn(sentApart(message))?.trim()
  );
}
