import { basename } from 'node:path';
import type { Where } from '../../transcript/index.ts';
import { type Fields, fields, isFields, list, number, text, time } from '../fields.ts';
import { documentAt } from '../json.ts';
import { NotShownCounter } from '../not-shown.ts';
import { plainPath } from '../plain-path.ts';
import { SessionTeller } from '../session-teller.ts';
import { readSnapshot, type SnapshotReader } from '../snapshot.ts';
import type { SessionFacts, SourceEvent, Unit } from '../source.ts';
import { outcomeOf } from './runs.ts';
import { commandOf, kindOf, pathsOf } from './tools.ts';

/** Reads a thread: one JSON document, written anew with every message. @throws where it is none */
export async function* read(unit: Unit): AsyncIterable<SourceEvent> {
  const thread = documentAt(unit.path);
  if (!isFields(thread)) throw new Error('the file holds no thread');
  const reader = new Thread(unit, thread);
  yield* readSnapshot(unit, reader, list(thread.messages));
}

/** Fields of a thread that hold texts and are not shown. */
const HIDDEN = ['~debug', 'draft', 'relationships'];
/** Fields of a message that hold texts and are not shown. */
const HIDDEN_OF_MESSAGES = ['userState', 'originalToolUseInput', 'discoveredGuidanceFiles', 'fileMentions'];

class Thread implements SnapshotReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly thread: Fields;
  private readonly tell: SessionTeller;
  private readonly cwd: string | undefined;
  /** When each request was answered, by the message that it wrote: messages of the agent have no time. */
  private readonly answered = new Map<number, number>();

  constructor(unit: Unit, thread: Fields) {
    this.thread = thread;
    // The file's name is what the agent knows a thread by; a copy of a file keeps the id inside.
    this.tell = new SessionTeller(text(thread.id) ?? basename(unit.path, '.json'), this.events);
    const tree = fields(list(fields(fields(thread.env).initial).trees)[0]);
    const uri = text(tree.uri);
    this.cwd = uri === undefined ? undefined : plainPath(uri);
    this.begin(tree);
  }

  private begin(tree: Fields): void {
    const repository = fields(tree.repository);
    const branch = text(repository.ref)?.replace(/^refs\/heads\//, '');
    const remote = text(repository.url);
    const platform = fields(fields(fields(this.thread.env).initial).platform);
    const version = text(platform.clientVersion);
    const surface = text(platform.client);
    const title = text(this.thread.title);
    const facts: SessionFacts = {
      client: { name: 'amp', ...(version !== undefined && { version }), ...(surface !== undefined && { surface }) },
      ...(this.cwd !== undefined && { cwd: this.cwd }),
      ...(branch !== undefined && { branch }),
      ...(remote !== undefined && { remote }),
      ...(title !== undefined && { titles: { agent: title } }),
    };
    this.tell.facts(facts);
    this.tell.time(time(this.thread.created));
    for (const name of HIDDEN) if (this.thread[name] !== undefined) this.notShown.add(`thread ${name}`);
    this.ledger();
  }

  /** Requests are answered by messages: the ledger has their times, and those of no message, as for titles. */
  private ledger(): void {
    for (const raw of list(fields(this.thread.usageLedger).events)) {
      const event = fields(raw);
      const at = time(event.timestamp);
      const message = number(event.toMessageId);
      if (at !== undefined && message !== undefined && text(event.operationType) !== 'title-generation')
        this.answered.set(message, at);
      if (text(event.operationType) === 'title-generation') this.spentOnTitle(event, at);
    }
  }

  private spentOnTitle(event: Fields, at: number | undefined): void {
    const { input, output } = fields(event.tokens);
    const model = text(event.model);
    this.tell.spent({
      key: text(event.id) ?? `${this.tell.session} title`,
      input: number(input) ?? 0,
      output: number(output) ?? 0,
      ...(model !== undefined && { model }),
      ...(at !== undefined && { at }),
    });
  }

  record(message: Fields, where: Where): string | undefined {
    const id = number(message.messageId);
    const record = id === undefined ? undefined : `${this.tell.session}/${id}`;
    const at = time(fields(message.meta).sentAt) ?? (id === undefined ? undefined : this.answered.get(id));
    for (const name of HIDDEN_OF_MESSAGES) if (message[name] !== undefined) this.notShown.add(`message ${name}`);
    const said = { where, at, record };
    const blocks = list(message.content).map(fields);
    if (message.role === 'assistant') this.usage(message, record, at);
    else if (message.role !== 'user' && message.role !== 'info') return `message:${text(message.role) ?? 'untyped'}`;
    let unknown: string | undefined;
    const isPrompt = message.role === 'user' && blocks.some(({ type }) => type === 'text' || type === 'image');
    if (isPrompt) this.tell.turn(said);
    for (const block of blocks) {
      const known = this.block(block, message.role === 'assistant' ? 'assistant' : 'user', said);
      if (!known) unknown ??= `block:${text(block.type) ?? 'untyped'}`;
    }
    return unknown;
  }

  private block(block: Fields, role: 'user' | 'assistant', said: Parameters<SessionTeller['text']>[2]): boolean {
    switch (block.type) {
      case 'text':
        this.tell.text(role, text(block.text), said);
        return true;
      case 'thinking':
        this.tell.thought(text(block.thinking), said);
        return true;
      case 'redacted_thinking':
        this.notShown.add('block redacted_thinking');
        return true;
      case 'image':
        this.tell.attached({ kind: 'image' }, said);
        return true;
      case 'summary':
        this.tell.notice('summary', text(fields(block.summary).summary) ?? text(block.summary), said);
        return true;
      case 'tool_use': {
        const name = text(block.name) ?? 'unknown';
        const input = fields(block.input);
        const kind = kindOf(name);
        const command = commandOf(input);
        this.tell.called(
          {
            callId: text(block.id),
            name,
            kind,
            input: block.input,
            paths: pathsOf(input, this.cwd),
            ...(kind === 'shell' && { command }),
          },
          said,
        );
        return true;
      }
      case 'tool_result': {
        if (text(fields(block.run).status) === 'done' && block.userInput !== undefined)
          this.notShown.add('result userInput');
        this.tell.result(text(block.toolUseID) ?? '', outcomeOf(fields(block.run), this.notShown), said);
        return true;
      }
      default:
        return false;
    }
  }

  /** `inputTokens` has nothing of what was cached. */
  private usage(message: Fields, record: string | undefined, at: number | undefined): void {
    const usage = fields(message.usage);
    const model = text(usage.model);
    this.tell.model(model);
    const output = number(usage.outputTokens);
    if (record === undefined || output === undefined) return;
    const window = number(usage.maxInputTokens);
    this.tell.spent({
      key: record,
      input: number(usage.inputTokens) ?? 0,
      cacheRead: number(usage.cacheReadInputTokens) ?? 0,
      cacheWrite5m: number(usage.cacheCreationInputTokens) ?? 0,
      output,
      ...(model !== undefined && { model }),
      ...(at !== undefined && { at }),
      ...(window !== undefined && { contextWindow: window }),
    });
  }
}
