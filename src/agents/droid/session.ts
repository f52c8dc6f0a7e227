import { basename } from 'node:path';
import type { Where } from '../../transcript/index.ts';
import { textOfContent } from '../content.ts';
import { type Fields, fields, list, number, text, time } from '../fields.ts';
import { fieldsAt } from '../json.ts';
import type { RecordReader } from '../jsonl/reading.ts';
import { NotShownCounter } from '../not-shown.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { callOf, exitCodeIn } from './tools.ts';
import { settingsOf } from './units.ts';

/** Records that say nothing to a person. */
export const QUIET_RECORDS: ReadonlySet<string> = new Set(['agent_turn_outcome', 'todo_state']);
const REMINDER = /^\s*<system-reminder>/;
/** What a session is called before it has a name. */
const UNNAMED = 'New Session';

/** Reads the messages of one session: a tree, of which a fork has a copy with the same ids. */
export class Session implements RecordReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;
  private readonly settings: string;
  private lastAt: number | undefined;

  constructor(unit: Unit, from: unknown) {
    this.tell = new SessionTeller(basename(unit.path, '.jsonl'), this.events);
    this.settings = settingsOf(unit.path);
    const state = fields(from);
    this.lastAt = time(state.lastAt);
  }

  isRecord(object: Fields, isValue: boolean): boolean {
    return !isValue && text(object.type) !== undefined && object.id !== undefined;
  }

  record(entry: Fields, where: Where): string | undefined {
    const type = text(entry.type) ?? 'untyped';
    const said: Said = { where, at: time(entry.timestamp), record: text(entry.id) };
    this.lastAt = said.at ?? this.lastAt;
    if (type === 'session_start') this.started(entry);
    else if (type === 'message') return this.message(fields(entry.message), said, text(entry.parentId));
    else if (type === 'compaction_state')
      this.tell.notice('compaction', text(entry.summaryText) ?? text(entry.summary) ?? 'compacted', said);
    else if (!QUIET_RECORDS.has(type)) return `record:${type}`;
    else this.notShown.add(type);
    return undefined;
  }

  private started(start: Fields): void {
    const cwd = text(start.cwd);
    const parent = text(start.parent);
    const title = [start.sessionTitle, start.title].flatMap((one) => text(one) ?? []).find((one) => one !== UNNAMED);
    const isUsers = start.isSessionTitleManuallySet === true;
    this.tell.facts({
      client: { name: 'droid' },
      ...(cwd !== undefined && { cwd }),
      ...(title !== undefined && { titles: isUsers ? { user: title } : { generated: title } }),
      ...(parent !== undefined && { parent: { nativeId: parent, relation: 'fork' } }),
    });
  }

  private message(message: Fields, said: Said, parent: string | undefined): string | undefined {
    const parts = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    const all = list(parts).map(fields);
    if (message.role !== 'user' && message.role !== 'assistant') {
      this.link(said);
      return `message:${text(message.role) ?? 'untyped'}`;
    }
    const told = all.filter((part) => !this.isInjected(part, message, said));
    if (message.role === 'user' && told.some(({ type }) => type !== 'tool_result')) this.tell.turn(said, parent);
    let unknown: string | undefined;
    for (const part of told) {
      const name = this.part(part, message.role, said);
      unknown ??= name;
    }
    this.link(said);
    this.tell.model(text(message.modelId));
    return unknown;
  }

  /** What the program says to the model in a person's name. */
  private isInjected({ type, text: words }: Fields, { role, visibility }: Fields, { record }: Said): boolean {
    if (role !== 'user' || type !== 'text') return false;
    const isFor = visibility === 'llm_only' || record?.startsWith('context-') === true;
    if (!isFor && !REMINDER.test(text(words) ?? '')) return false;
    this.notShown.add('injected/reminder');
    return true;
  }

  private part(part: Fields, role: 'user' | 'assistant', said: Said): string | undefined {
    switch (part.type) {
      case 'text':
        this.tell.text(role, text(part.text), said);
        return undefined;
      case 'thinking':
        this.tell.thought(text(part.thinking), said);
        return undefined;
      case 'redacted_thinking':
        this.notShown.add('redacted_thinking');
        return undefined;
      case 'tool_use':
        this.tell.called(callOf(part), said);
        return undefined;
      case 'tool_result':
        this.result(part, said);
        return undefined;
      case 'image':
      case 'document': {
        const mime = text(fields(part.source).media_type);
        this.tell.attached({ kind: part.type, ...(mime !== undefined && { mime }) }, said);
        return undefined;
      }
      default:
        return `part:${text(part.type) ?? 'untyped'}`;
    }
  }

  private result(part: Fields, said: Said): void {
    const output = textOfContent(part.content);
    const exitCode = exitCodeIn(output);
    const attachments = list(part.content)
      .map(fields)
      .filter(({ type }) => type === 'image')
      .map(() => ({ type: 'attachment' as const, kind: 'image', where: said.where }));
    this.tell.result(
      text(part.tool_use_id) ?? '',
      {
        isError: part.is_error === true,
        ...(output !== undefined && { output }),
        ...(exitCode !== undefined && { exitCode }),
        ...(attachments.length > 0 && { attachments }),
      },
      said,
    );
  }

  private link({ record }: Said): void {
    if (record !== undefined) this.tell.link(record);
  }

  /**
   * The settings have the sum of all of the session's own requests, a fork's without those of the session it came from:
   * `inputTokens` has nothing of the cache, `outputTokens` has what was thought.
   */
  settle(isLast: boolean): void {
    if (!isLast) return;
    const settings = fieldsAt(this.settings);
    const usage = fields(settings.tokenUsage);
    const input = number(usage.inputTokens);
    if (input === undefined) return;
    const model = text(settings.model);
    this.tell.model(model);
    this.tell.spent({
      key: `${this.tell.session} sum`,
      input,
      cacheRead: number(usage.cacheReadTokens) ?? 0,
      cacheWrite5m: number(usage.cacheCreationTokens) ?? 0,
      output: number(usage.outputTokens) ?? 0,
      reasoning: number(usage.thinkingTokens) ?? 0,
      ...(model !== undefined && { model }),
      ...(this.lastAt !== undefined && { at: this.lastAt }),
    });
  }

  state(): unknown {
    return { lastAt: this.lastAt };
  }
}
