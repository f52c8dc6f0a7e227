import type { Where } from '../../transcript/index.ts';
import { type Fields, fields, list, text, time } from '../fields.ts';
import { parsedJson } from '../json.ts';
import type { RecordReader } from '../jsonl/reading.ts';
import { NotShownCounter } from '../not-shown.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent } from '../source.ts';
import { utcTime } from './times.ts';
import { callOf, resultOf } from './tools.ts';

/** Reads the messages of a session. */
export class Conversation implements SnapshotReader, RecordReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly tell: SessionTeller;

  constructor(id: string) {
    this.tell = new SessionTeller(id, this.events);
  }

  isRecord(object: Fields, isValue: boolean): boolean {
    return !isValue && (Array.isArray(object.content) || text(object.working_dir) !== undefined);
  }

  /** What the row of a session, or the first line of a file, says of it. */
  begun(session: Fields): void {
    const cwd = text(session.working_dir);
    const title = text(session.description) ?? text(session.name);
    const model = text(fields(fields(parsedJson(session.model_config_json))).model_name);
    const provider = text(session.provider_name);
    const parent = text(session.parent_session_id);
    this.tell.facts({
      client: { name: 'goose', ...(provider !== undefined && { provider }) },
      ...(cwd !== undefined && { cwd }),
      ...(title !== undefined && {
        titles: session.user_set_name === 1 ? { user: text(session.name) ?? title } : { agent: title },
      }),
      ...(model !== undefined && { models: [model] }),
      ...(parent !== undefined && { parent: { nativeId: parent, relation: 'subagent' } }),
    });
    this.tell.time(utcTime(session.created_at));
    for (const name of ['recipe_json', 'user_recipe_values_json', 'extension_data'])
      if ((text(session[name])?.length ?? 0) > 2) this.notShown.add(`session ${name}`);
  }

  record(message: Fields, where: Where): string | undefined {
    if (!Array.isArray(message.content) && text(message.working_dir) !== undefined) {
      this.begun(message);
      return undefined;
    }
    const role = text(message.role)?.toLowerCase();
    if (role !== 'user' && role !== 'assistant') return `message:${role ?? 'untyped'}`;
    const said: Said = { where, at: time(message.created), record: text(message.id) };
    // What the person does not see was written for the model: what is left of a conversation, in short.
    const isForModel = fields(message.metadata).userVisible === false;
    const blocks = list(message.content).map(fields);
    const isPrompt = role === 'user' && blocks.some(({ type }) => type === 'text' || type === 'image');
    if (isPrompt && !isForModel) this.tell.turn(said);
    let unknown: string | undefined;
    for (const block of blocks)
      if (!this.block(block, role, said, isForModel)) unknown ??= `content:${text(block.type) ?? 'untyped'}`;
    return unknown;
  }

  private block(block: Fields, role: 'user' | 'assistant', said: Said, isForModel: boolean): boolean {
    switch (block.type) {
      case 'text':
        if (isForModel) this.tell.notice('summary', text(block.text), said);
        else this.tell.text(role, text(block.text), said);
        return true;
      case 'thinking':
      case 'reasoning':
        this.tell.thought(text(block.thinking) ?? text(block.text), said);
        return true;
      case 'redactedThinking':
      case 'conversationCompacted':
        this.notShown.add(`content ${block.type}`);
        return true;
      case 'image':
        this.tell.attached(
          { kind: 'image', ...(text(block.mimeType) !== undefined && { mime: String(block.mimeType) }) },
          said,
        );
        return true;
      case 'toolRequest':
      case 'frontendToolRequest':
        this.tell.called(callOf(block), said);
        return true;
      case 'toolResponse':
        this.tell.result(text(block.id) ?? '', resultOf(block), said);
        return true;
      case 'systemNotification':
        this.tell.notice('system', text(block.msg), said);
        return true;
      case 'toolConfirmationRequest':
      case 'actionRequired':
        this.notShown.add(`content ${block.type}`);
        return true;
      default:
        return false;
    }
  }

  settle(): void {}

  state(): unknown {
    return undefined;
  }
}
