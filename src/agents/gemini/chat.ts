import { basename, dirname } from 'node:path';
import type { Where } from '../../transcript/index.ts';
import { type Fields, fields, isFields, list, number, text, time } from '../fields.ts';
import { NotShownCounter } from '../not-shown.ts';
import { type Said, SessionTeller } from '../session-teller.ts';
import type { SnapshotReader } from '../snapshot.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { projectOf } from './projects.ts';
import { promptIn, unknownPart } from './prompts.ts';
import { callOf, outcomeOf, textOfParts } from './tools.ts';

interface Message {
  readonly message: Fields;
  readonly where: Where;
  /** The record that it follows in the conversation, where that is not the one before it. */
  readonly after?: string;
}

/** Keys of a header or of what is set later that say nothing to a person. */
const NOT_TEXT: ReadonlySet<string> = new Set(['sessionId', 'projectHash', 'startTime', 'lastUpdated', 'kind']);

/**
 * Reads a chat: the messages of a document, or a log of them. In a log a message stands again with what came to it since,
 * `$set.messages` gives all of them anew, and `$rewindTo` goes back to before one (`chatRecordingService.ts` of the CLI).
 * What a log no longer counts was said all the same.
 */
export class Chat implements SnapshotReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  private readonly unit: Unit;
  private readonly messages = new Map<string, Message>();
  private head: Fields = {};
  /** The records of the live conversation, in order. */
  private live: string[] = [];
  private rewound: string | undefined;
  private hasOwn = false;
  /** Messages that a compaction left. */
  private readonly summaries = new Set<string>();
  private readonly told = new Set<string>();

  constructor(unit: Unit) {
    this.unit = unit;
  }

  /** What a document, or the first line of a log, says of the chat. */
  header(head: Fields): void {
    this.head = { ...this.head, ...head };
  }

  record(record: Fields, where: Where): string | undefined {
    const set = record.$set;
    if (isFields(set)) {
      if (Array.isArray(set.messages)) this.replace(set.messages, where);
      this.header(set);
      if (set.memoryScratchpad !== undefined) this.notShown.add('memoryScratchpad');
      return Object.keys(set).every((key) => key === 'messages' || NOT_TEXT.has(key) || KNOWN.has(key))
        ? undefined
        : '$set';
    }
    const target = text(record.$rewindTo);
    if (target !== undefined) {
      const at = this.live.indexOf(target);
      this.live = at < 0 ? [] : this.live.slice(0, at);
      this.rewound = this.live.at(-1) ?? BEGINNING;
      return undefined;
    }
    if (text(record.type) !== undefined) {
      this.hasOwn = true;
      this.add(record, where);
      return TYPES.has(String(record.type)) ? unknownPart(record.content) : `message:${record.type}`;
    }
    if (text(record.sessionId) === undefined) return 'untyped';
    this.header(record);
    return undefined;
  }

  /**
   * All messages anew, as the model is given them: those that are known were told in full, and stay where they are gone
   * from the list. What is new among them the program wrote, as what is left after a compaction; but for a file that
   * begins with such a list, which goes on from another one.
   */
  private replace(messages: readonly unknown[], where: Where): void {
    const isCompacted = this.hasOwn;
    for (const message of messages) {
      if (!isFields(message) || this.messages.has(text(message.id) ?? '')) continue;
      this.add(message, where);
      if (isCompacted) this.summaries.add(text(message.id) ?? '');
    }
  }

  private add(message: Fields, where: Where): void {
    const id = text(message.id) ?? `line ${where.line} ${this.messages.size}`;
    const before = this.messages.get(id);
    const after = before ? before.after : this.rewound;
    this.messages.set(id, { message, where: before?.where ?? where, ...(after && { after }) });
    if (before) return;
    this.rewound = undefined;
    this.live.push(id);
  }

  settle(): void {
    const native = text(this.head.sessionId) ?? basename(this.unit.path).replace(/\.jsonl?$/, '');
    const folder = dirname(this.unit.path);
    const parent = basename(folder) === 'chats' ? undefined : basename(folder);
    // The names of sub-agents were short once: beside their session's they are one of a kind.
    const id = parent === undefined || isLong(native) ? native : `${parent}/${native}`;
    const tell = new SessionTeller(id, this.events);
    this.facts(tell, parent !== undefined && isLong(parent) ? parent : undefined);
    // Before the first prompt, so that a turn can follow it; a name of its own, since records with one name are copies.
    const beginning = `${id} ${BEGINNING}`;
    tell.link(beginning);
    let previous: string | undefined;
    for (const [record, { message, where, after }] of this.messages) {
      const follows = after === BEGINNING ? beginning : (after ?? previous);
      this.say(tell, message, { where, record, at: time(message.timestamp) }, follows);
      previous = record;
    }
  }

  private facts(tell: SessionTeller, parent: string | undefined): void {
    const { cwd, roots } = projectOf(this.unit.path, this.head);
    const summary = text(this.head.summary)?.trim();
    tell.facts({
      client: { name: this.unit.source },
      ...(cwd !== undefined && { cwd }),
      ...(roots.length > 0 && { roots }),
      // That of a sub-agent is what it answered.
      ...(summary !== undefined && !summary.startsWith('{') && { titles: { agent: summary } }),
      ...(parent !== undefined && { parent: { nativeId: parent, relation: 'subagent' as const } }),
    });
    if (summary?.startsWith('{')) tell.notice('summary', summary, { where: { offset: 0, line: 1 } });
    tell.time(time(this.head.startTime));
  }

  private say(tell: SessionTeller, message: Fields, said: Said, after: string | undefined): void {
    switch (message.type) {
      case 'user':
        this.asked(tell, message, said, after);
        return;
      case 'info':
      case 'warning':
      case 'error': {
        const words = textOfParts(message.content);
        const isStop = message.type === 'info' && /cancel/i.test(words ?? '');
        if (words === undefined || words.trim() === '') tell.link(said.record ?? '');
        else tell.notice(isStop ? 'interruption' : 'system', words, said);
        return;
      }
      default:
        this.answered(tell, message, said);
    }
  }

  private asked(tell: SessionTeller, message: Fields, said: Said, after: string | undefined): void {
    const { prompt, notices, attachments, results, injected } = promptIn(message.content, {
      isReminded: this.unit.source === 'qwen',
    });
    for (const kind of injected) this.notShown.add(kind);
    if (message.displayContent !== undefined) this.notShown.add('user displayContent');
    if (prompt !== undefined && this.summaries.has(said.record ?? '')) tell.notice('compaction', prompt, said);
    else if (prompt !== undefined) tell.prompt(prompt, said, after);
    else if (attachments.length > 0) tell.turn(said, after);
    else if (said.record !== undefined) tell.link(said.record);
    for (const notice of notices) tell.notice('system', notice, said);
    for (const attachment of attachments) tell.attached(attachment, said);
    // The message of the model has them too, with more beside them.
    for (const { id, response } of results)
      if (!this.told.has(id)) tell.result(id, { ...response, isError: response.isError }, said);
  }

  private answered(tell: SessionTeller, message: Fields, said: Said): void {
    for (const raw of list(message.thoughts)) {
      const { subject, description, timestamp } = fields(raw);
      const words = [text(subject), text(description)].filter((one) => one !== undefined).join('\n');
      tell.thought(words, { ...said, at: time(timestamp) ?? said.at });
    }
    tell.text('assistant', textOfParts(message.content), said);
    for (const raw of list(message.toolCalls)) this.called(tell, fields(raw), said);
    this.spent(tell, message, said);
    if (list(message.thoughts).length + list(message.toolCalls).length === 0 && said.record !== undefined)
      tell.link(said.record);
  }

  private called(tell: SessionTeller, call: Fields, said: Said): void {
    const at = time(call.timestamp) ?? said.at;
    const called = callOf(call);
    tell.called(called, { ...said, at });
    const callId = called.callId ?? '';
    this.told.add(callId);
    const outcome = outcomeOf(call, this.unit.path, this.notShown);
    if (outcome) tell.result(callId, outcome, { ...said, at });
  }

  /** `input` holds what was cached; thoughts and what tools fed in stand beside. */
  private spent(tell: SessionTeller, message: Fields, said: Said): void {
    const model = text(message.model);
    tell.model(model);
    const tokens = fields(message.tokens);
    const input = number(tokens.input);
    if (input === undefined || said.record === undefined) return;
    const cacheRead = number(tokens.cached) ?? 0;
    const reasoning = number(tokens.thoughts) ?? 0;
    tell.spent({
      key: said.record,
      input: Math.max(0, input - cacheRead) + (number(tokens.tool) ?? 0),
      cacheRead,
      output: (number(tokens.output) ?? 0) + reasoning,
      reasoning,
      ...(model !== undefined && { model }),
      ...(said.at !== undefined && { at: said.at }),
    });
  }
}

/** Types of messages; `qwen` is that of a program of this family. */
const TYPES: ReadonlySet<string> = new Set(['user', 'gemini', 'qwen', 'info', 'warning', 'error']);
const KNOWN: ReadonlySet<string> = new Set(['summary', 'directories', 'memoryScratchpad']);

const BEGINNING = 'beginning';

const isLong = (id: string) => id.length >= 32;
