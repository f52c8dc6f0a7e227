import { hash53, type Where } from '../../transcript/index.ts';
import { type Fields, fields, isFields, list, number, text, time } from '../fields.ts';
import { NotShownCounter } from '../not-shown.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent } from '../source.ts';
import { callOf, resultOf } from './tools.ts';

/** Parts that say nothing to a person. */
export const QUIET_PARTS: ReadonlySet<string> = new Set(['step-start', 'step-finish', 'snapshot', 'patch']);
/** The title that a session has before it is given one. */
const NO_TITLE = /^(?:New session|Child session) - \d{4}-/;

/** Reads the messages of one session. */
export class Session implements SnapshotReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;
  private readonly outputs: string;

  constructor(id: string, client: string, session: Fields, outputs: string) {
    this.tell = new SessionTeller(id, this.events);
    this.outputs = outputs;
    const title = text(session.title);
    const cwd = text(session.directory);
    const version = text(session.version);
    const parent = text(session.parent_id);
    this.tell.facts({
      client: { name: client, ...(version !== undefined && { version }) },
      ...(cwd !== undefined && { cwd }),
      ...(title !== undefined && !NO_TITLE.test(title) && { titles: { agent: title } }),
      ...(parent !== undefined && { parent: { nativeId: parent, relation: 'subagent' } }),
    });
    this.tell.time(time(session.time_created));
    for (const name of ['summary_diffs', 'metadata']) if (text(session[name])) this.notShown.add(`session ${name}`);
    if (session.revert !== undefined && session.revert !== null) this.notShown.add('session revert');
  }

  record(message: Fields, where: Where): string | undefined {
    const { role } = message;
    if (role !== 'user' && role !== 'assistant') return `message:${text(role) ?? 'untyped'}`;
    const { created, completed } = fields(message.time);
    const parts = list(message.parts);
    const said: Said = { where, at: time(created), record: nameOf(message, parts) };
    if (role === 'user') this.asked(message, parts, said);
    let unknown: string | undefined;
    for (const part of parts) {
      if (!isFields(part)) unknown ??= 'part that is not JSON';
      else if (!this.part(part, role, message.summary === true, said))
        unknown ??= `part:${text(part.type) ?? 'untyped'}`;
    }
    if (role === 'assistant') this.ended(message, said, time(completed));
    return unknown;
  }

  /** A message of the user without words of a person is no prompt: a compaction that was asked for. */
  private asked(message: Fields, parts: readonly unknown[], said: Said): void {
    const isPrompt = parts.some((part) => {
      const { type, synthetic, ignored } = fields(part);
      return (type === 'text' && synthetic !== true && ignored !== true) || (type === 'file' && synthetic !== true);
    });
    if (isPrompt) this.tell.turn(said);
    else if (said.record !== undefined) this.tell.link(said.record);
    if (list(fields(message.summary).diffs).length > 0) this.notShown.add('message summary');
    if (text(message.system) !== undefined) this.notShown.add('message system');
  }

  private part(part: Fields, role: 'user' | 'assistant', isSummary: boolean, said: Said): boolean {
    const type = text(part.type) ?? 'untyped';
    if (QUIET_PARTS.has(type)) {
      this.notShown.add(`part/${type}`);
      return true;
    }
    const { start } = fields(part.time);
    const placed: Said = { ...said, at: time(start) ?? said.at };
    switch (type) {
      case 'text':
        if (isSummary) this.tell.notice('compaction', text(part.text), placed);
        else if (role === 'user' && (part.synthetic === true || part.ignored === true))
          this.tell.notice('system', text(part.text), placed);
        else this.tell.text(role, text(part.text), placed);
        return true;
      case 'reasoning':
        this.tell.thought(text(part.text), placed);
        return true;
      case 'tool':
        this.called(part, said);
        return true;
      case 'file': {
        const [name, mime] = [text(part.filename), text(part.mime)];
        const kind = mime?.split('/')[0] ?? 'file';
        this.tell.attached({ kind, ...(name !== undefined && { name }), ...(mime !== undefined && { mime }) }, placed);
        return true;
      }
      case 'compaction':
        this.tell.notice('compaction', part.auto === true ? 'compacted by itself' : 'compacted as asked for', placed);
        return true;
      case 'agent':
      case 'subtask':
        this.tell.notice(
          'system',
          [text(part.name) ?? text(part.agent), text(part.description), text(part.prompt)].filter(Boolean).join('\n'),
          placed,
        );
        return true;
      case 'retry':
        this.tell.notice(
          'system',
          text(fields(fields(part.error).data).message) ?? text(fields(part.error).message),
          placed,
        );
        return true;
      default:
        return false;
    }
  }

  private called(part: Fields, said: Said): void {
    const { start, end } = fields(fields(part.state).time);
    const called = callOf(part);
    this.tell.called(called, { ...said, at: time(start) ?? said.at });
    const result = resultOf(fields(part.state), this.outputs, this.notShown);
    if (result) this.tell.result(called.callId ?? '', result, { ...said, at: time(end) ?? said.at });
  }

  /** `input` has nothing of the cache, `output` nothing of what was thought. */
  private ended(message: Fields, said: Said, completed: number | undefined): void {
    const error = fields(message.error);
    const reason = text(fields(error.data).message) ?? text(error.message) ?? text(error.name);
    if (error.name === 'MessageAbortedError') this.tell.notice('interruption', reason, said);
    else if (reason !== undefined) this.tell.notice('system', reason, said);
    this.tell.time(completed);
    const model = text(message.modelID) ?? text(fields(message.model).modelID);
    this.tell.model(model);
    const tokens = fields(message.tokens);
    const { read, write } = fields(tokens.cache);
    const input = number(tokens.input);
    if (input === undefined || said.record === undefined) return;
    const reasoning = number(tokens.reasoning) ?? 0;
    const cost = number(message.cost);
    this.tell.spent({
      key: said.record,
      input,
      cacheRead: number(read) ?? 0,
      cacheWrite5m: number(write) ?? 0,
      output: (number(tokens.output) ?? 0) + reasoning,
      reasoning,
      ...(model !== undefined && { model }),
      ...(said.at !== undefined && { at: said.at }),
      ...(cost !== undefined && cost > 0 && { reportedCost: cost }),
    });
  }
}

/**
 * What a message is known by. A fork copies messages under other ids, with their times and texts: by these a copy is told
 * from a message of its own.
 */
function nameOf(message: Fields, parts: readonly unknown[]): string | undefined {
  const { created, completed } = fields(message.time);
  if (number(created) === undefined) return text(message.id);
  const said = parts.map((part) => text(fields(part).text) ?? '').join('\n');
  return [message.role, created, completed ?? '', hash53(said).toString(36)].join(' ');
}
