import type { Attachment, Call, NoticeKind, Part, ToolKind, Where } from '../transcript/index.ts';
import type { SessionFacts, SourceEvent, ToolResult } from './source.ts';

/** Where and when something was said, and the native id of the record that says it. */
export interface Said {
  readonly where: Where;
  readonly at?: number | undefined;
  readonly record?: string | undefined;
}

/** A call of a tool, as an agent's file has it. */
export interface Called {
  readonly callId?: string | undefined;
  readonly name: string;
  readonly kind: ToolKind;
  readonly input: unknown;
  readonly command?: string | undefined;
  readonly paths?: readonly string[];
}

/** Tells what happened in one session as events: what a reader of a format has to say, in few words. */
export class SessionTeller {
  readonly session: string;
  readonly events: SourceEvent[];
  private readonly models = new Set<string>();

  constructor(session: string, events: SourceEvent[]) {
    this.session = session;
    this.events = events;
  }

  facts(facts: SessionFacts): void {
    this.events.push({ type: 'session', session: this.session, facts });
  }

  /** A person's prompt begins a turn. `after` is the record that it follows, where the agent has a tree. */
  prompt(text: string, said: Said, after?: string): void {
    this.turn(said, after);
    this.text('user', text, said);
  }

  /** A turn without words of its own, as one of pictures alone. */
  turn({ at, record }: Said, after?: string): void {
    this.events.push({
      type: 'turn',
      session: this.session,
      ...(record !== undefined && { anchor: record, record }),
      ...(after !== undefined && { after }),
      ...(at !== undefined && { at }),
    });
  }

  /** What a person or the agent said; nothing of a text that is blank. */
  text(role: 'user' | 'assistant', text: string | undefined, said: Said): void {
    if (text !== undefined && text.trim() !== '') this.part({ type: 'text', role, text, ...placed(said) }, said);
  }

  thought(text: string | undefined, said: Said): void {
    if (text !== undefined && text.trim() !== '') this.part({ type: 'thinking', text, ...placed(said) }, said);
  }

  notice(kind: NoticeKind, text: string | undefined, said: Said): void {
    if (text !== undefined && text.trim() !== '') this.part({ type: 'notice', kind, text, ...placed(said) }, said);
  }

  attached(attachment: Omit<Attachment, 'type' | 'where' | 'at'>, said: Said): void {
    this.part({ type: 'attachment', ...attachment, ...placed(said) }, said);
  }

  called({ callId, name, kind, input, command, paths = [] }: Called, said: Said): void {
    this.part(
      {
        type: 'tool_call',
        name,
        kind,
        input,
        paths: [...new Set(paths)],
        isError: false,
        ...(callId !== undefined && { callId }),
        ...(command !== undefined && { command }),
        ...placed(said),
      },
      said,
    );
  }

  /** What a call gave, in whatever order they come. */
  result(callId: string, result: Omit<ToolResult, 'where' | 'at'>, said: Said): void {
    this.events.push({
      type: 'result',
      session: this.session,
      callId,
      result: { ...result, ...placed(said) },
      ...(said.record !== undefined && { record: said.record }),
    });
  }

  /** A request to a model. */
  spent(call: Omit<Call, 'turn'>): void {
    this.events.push({ type: 'call', session: this.session, call });
  }

  /** A record of the tree that shows nothing. */
  link(record: string): void {
    this.events.push({ type: 'link', session: this.session, record });
  }

  /** A model that answers here; told once. */
  model(model: string | undefined): void {
    if (model === undefined || this.models.has(model)) return;
    this.models.add(model);
    this.facts({ models: [model] });
  }

  time(at: number | undefined): void {
    if (at !== undefined) this.events.push({ type: 'time', session: this.session, at });
  }

  private part(part: Part, { record }: Said): void {
    this.events.push({ type: 'part', session: this.session, part, ...(record !== undefined && { record }) });
  }
}

function placed({ where, at }: Said): { readonly where: Where; readonly at?: number } {
  return { where, ...(at !== undefined && { at }) };
}
