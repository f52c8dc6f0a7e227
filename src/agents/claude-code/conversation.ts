import { hash53, type NoticeKind, type Part, type Where } from '../../transcript/index.ts';
import { type Fields, fields, list, number, text, time } from '../fields.ts';
import type { NotShownCounter } from '../not-shown.ts';
import type { SessionFacts, SourceEvent } from '../source.ts';
import { injectedWhole, summaryFreed } from './injected.ts';
import { errorDetails } from './notices.ts';
import { isProjectFolderOf } from './paths.ts';
import { type Noticed, type Prompt, tellApart } from './prompts.ts';
import { QUIET_BLOCKS } from './records.ts';
import { commandOf, kindOf, pathsOf } from './tools.ts';

/** A text that was told, as far as it takes to know it again: the state is kept on disk, and must hold no words. */
interface Remembered {
  readonly length: number;
  readonly hash: number;
}

/** What is remembered of one conversation between readings. */
export interface ConversationState {
  readonly session: string;
  cwd?: string;
  readonly roots: string[];
  branch?: string;
  version?: string;
  surface?: string;
  readonly models: string[];
  isHandedOver?: boolean;
  /** The turn began with a picture, and nothing else was said in it yet. */
  isPictureOnly?: boolean;
  /** Of a sub-agent that progress records tell of: hashes of the messages told last. */
  heard?: string[];
  /** The last texts of the message being written: a message may be written again, longer. */
  message?: { readonly key: string; text?: Remembered; thinking?: Remembered };
}

const REMEMBERED_MESSAGES = 100;

const SHOWN_BLOCKS = new Set(['text', 'thinking', 'tool_use', 'server_tool_use', 'mcp_tool_use']);

/** The state is kept with every checkpoint, so it must stay small. */
const REMEMBERED_ROOTS = 50;

const MODEL_OF_LOCAL_MESSAGES = '<synthetic>';

/** One conversation of a file: the session itself, or a side chain inside it. Tells its records as events. */
export class Conversation {
  readonly state: ConversationState;
  private readonly emit: (event: SourceEvent) => void;
  readonly notShown: NotShownCounter;
  private readonly projectFolder: string | undefined;
  private first: number | undefined;
  private last: number | undefined;

  /** `projectFolder`: the folder that the file lies in, named after the project's. */
  constructor(
    state: ConversationState,
    emit: (event: SourceEvent) => void,
    notShown: NotShownCounter,
    projectFolder: string | undefined,
  ) {
    this.state = state;
    this.emit = emit;
    this.notShown = notShown;
    this.projectFolder = projectFolder;
  }

  private isHome(folder: string): boolean {
    return this.projectFolder !== undefined && isProjectFolderOf(this.projectFolder, folder);
  }

  get session(): string {
    return this.state.session;
  }

  /** Takes what every record's envelope says: time, folder, branch, version. */
  envelope(record: Fields): void {
    const at = time(record.timestamp);
    if (at !== undefined) {
      if (this.first === undefined || at < this.first) this.first = at;
      if (this.last === undefined || at > this.last) this.last = at;
    }
    const facts: { -readonly [K in keyof SessionFacts]: SessionFacts[K] } = {};
    const cwd = text(record.cwd);
    if (cwd !== undefined && !this.state.roots.includes(cwd)) {
      this.state.roots.push(cwd);
      // Told again it does no harm: the folders of a session are united.
      if (this.state.roots.length > REMEMBERED_ROOTS) this.state.roots.shift();
      facts.roots = [cwd];
      // Of a project that was moved, the session is where its file lies.
      if (this.state.cwd === undefined || this.isHome(cwd)) facts.cwd = this.state.cwd = cwd;
    }
    const branch = text(record.gitBranch);
    if (branch !== undefined && branch !== 'HEAD' && branch !== this.state.branch)
      facts.branch = this.state.branch = branch;
    if (record.sessionKind === 'bg' && !this.state.isHandedOver) facts.isHandedOver = this.state.isHandedOver = true;
    const version = text(record.version);
    const surface = text(record.entrypoint);
    if (
      (version ?? this.state.version) !== this.state.version ||
      (surface ?? this.state.surface) !== this.state.surface
    ) {
      if (version !== undefined) this.state.version = version;
      if (surface !== undefined) this.state.surface = surface;
      facts.client = {
        name: 'claude-code',
        ...(this.state.version !== undefined && { version: this.state.version }),
        ...(this.state.surface !== undefined && { surface: this.state.surface }),
      };
    }
    if (Object.keys(facts).length > 0) this.facts(facts);
  }

  facts(facts: SessionFacts): void {
    this.emit({ type: 'session', session: this.session, facts });
  }

  /** The first and the last time seen since the last call. */
  tellTimes(): void {
    if (this.first !== undefined) this.emit({ type: 'time', session: this.session, at: this.first });
    if (this.last !== undefined && this.last !== this.first)
      this.emit({ type: 'time', session: this.session, at: this.last });
    this.first = this.last = undefined;
  }

  link(record: Fields): void {
    const uuid = text(record.uuid);
    if (uuid !== undefined) this.emit({ type: 'link', session: this.session, record: uuid });
  }

  part(record: Fields, part: Part, grows = false): void {
    const uuid = text(record.uuid);
    this.emit({
      type: 'part',
      session: this.session,
      part,
      ...(uuid !== undefined && { record: uuid }),
      ...(grows && { grows }),
    });
  }

  notice(record: Fields, kind: NoticeKind, said: string, where: Where): void {
    if (said.trim() === '') this.link(record);
    else this.part(record, { type: 'notice', kind, text: said, where, ...at(record) });
  }

  /**
   * Of the messages that a progress record holds, oldest first, those that no record before it told: most are repeated
   * from record to record, and the text of an answer may stand in the repetition alone.
   */
  unheard(messages: readonly Fields[]): Fields[] {
    this.state.heard ??= [];
    const { heard } = this.state;
    const known = new Set(heard);
    const first = messages.findIndex((message) => known.has(nameOf(message)));
    // The oldest were told, and are forgotten.
    const candidates = heard.length < REMEMBERED_MESSAGES ? messages : messages.slice(Math.max(0, first));
    const unheard: Fields[] = [];
    for (const message of candidates) {
      const name = nameOf(message);
      if (known.has(name)) continue;
      known.add(name);
      heard.push(name);
      unheard.push(message);
    }
    heard.splice(0, heard.length - REMEMBERED_MESSAGES);
    return unheard;
  }

  /** What a record holds that is known but not shown: the record stays a link of the tree. */
  hidden(record: Fields, kind: string): void {
    this.notShown.add(kind);
    this.link(record);
  }

  /** A text that the program wrote under the user's name. */
  programText(record: Fields, kind: NoticeKind, said: string, where: Where): void {
    const injected = injectedWhole(said, true);
    if (injected !== undefined) this.hidden(record, injected);
    else this.notice(record, kind, said, where);
  }

  /** What a compaction left of the conversation before it. */
  compacted(record: Fields, said: string, where: Where): void {
    const { text: summary, kinds } = summaryFreed(said);
    for (const kind of kinds) this.notShown.add(kind);
    this.notice(record, 'compaction', summary, where);
  }

  /** A text under the user's name: opens a turn if a person (or the agent that gave a task) asked it. */
  said(record: Fields, texts: readonly string[], where: Where, attachments: readonly Part[] = []): void {
    const all: (Prompt | Noticed)[] = [];
    for (const said of texts.flatMap(tellApart))
      if (said.as === 'injected') this.notShown.add(said.kind);
      else all.push(said);
    const isPrompt = all.some((said) => said.as === 'prompt') || (attachments.length > 0 && all.length === 0);
    // A picture may come in a record of its own, before the words that go with it.
    if (isPrompt && !this.state.isPictureOnly) this.turn(record);
    if (isPrompt) this.state.isPictureOnly = all.length === 0;
    let told = isPrompt;
    for (const said of all) {
      if (said.as === 'notice') this.notice(record, said.kind, said.text, where);
      else this.part(record, { type: 'text', role: 'user', text: said.text, where, ...at(record) });
      told = true;
    }
    for (const attachment of attachments) this.part(record, attachment);
    if (!told && attachments.length === 0) this.link(record);
  }

  private turn(record: Fields): void {
    const uuid = text(record.uuid);
    const after = text(record.parentUuid);
    const when = time(record.timestamp);
    this.emit({
      type: 'turn',
      session: this.session,
      ...(uuid !== undefined && { anchor: uuid, record: uuid }),
      ...(after !== undefined && { after }),
      ...(when !== undefined && { at: when }),
    });
  }

  /** Whether the record goes on with the message that was written last. */
  isWriting(record: Fields): boolean {
    return this.state.message !== undefined && this.state.message.key === text(fields(record.message).id);
  }

  /**
   * An assistant's record: one content block or several of one message, and what the request cost. Of a record that
   * stands here again only what grew is told.
   */
  answer(record: Fields, where: Where, isRepeated = false): string | undefined {
    const message = fields(record.message);
    const key = text(message.id) ?? text(record.uuid) ?? `${this.session}:${where.offset}`;
    if (this.state.message?.key !== key) this.state.message = { key };
    this.state.isPictureOnly = false;
    let told = false;
    let unknown: string | undefined;
    const blocks =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : list(message.content);
    for (const raw of blocks) {
      const block = fields(raw);
      if (!isRepeated) unknown = this.notToBeShown(block) ?? unknown;
      told = this.block(record, block, where, isRepeated) || told;
    }
    const details = isRepeated ? undefined : errorDetails(record);
    if (details !== undefined) this.notice(record, 'system', details, where);
    else if (!told) this.link(record);
    this.usage(record, message, key);
    return unknown;
  }

  /** Counts a block that cannot be shown; gives the name of one that is not known. */
  private notToBeShown(block: Fields): string | undefined {
    const type = text(block.type) ?? 'untyped';
    if (type === 'thinking' && (text(block.thinking) ?? '').trim() === '') this.notShown.add('assistant thinking');
    else if (QUIET_BLOCKS.has(type)) this.notShown.add(`assistant ${type}`);
    else if (!SHOWN_BLOCKS.has(type)) return `assistant block:${type}`;
    return undefined;
  }

  private block(record: Fields, block: Fields, where: Where, isRepeated: boolean): boolean {
    if (block.type === 'text') return this.growing(record, 'text', text(block.text), where);
    if (block.type === 'thinking') return this.growing(record, 'thinking', text(block.thinking), where);
    if (block.type === 'tool_use' || block.type === 'server_tool_use' || block.type === 'mcp_tool_use') {
      if (isRepeated) return false;
      const name = text(block.name) ?? 'unknown';
      const kind = kindOf(name);
      const input = fields(block.input);
      const command = commandOf(kind, input);
      const callId = text(block.id);
      const when = time(record.timestamp);
      this.part(record, {
        type: 'tool_call',
        name,
        kind,
        input: block.input ?? {},
        paths: pathsOf(input),
        isError: false,
        where,
        ...at(record),
        ...(callId !== undefined && { callId }),
        ...(command !== undefined && { command }),
        ...(when !== undefined && { startedAt: when }),
      });
      return true;
    }
    return false;
  }

  /** A text of a message; where the message was written before, shorter, it takes that one's place. */
  private growing(record: Fields, type: 'text' | 'thinking', said: string | undefined, where: Where): boolean {
    if (said === undefined || said.trim() === '') return false;
    const message = this.state.message;
    const before = message?.[type];
    const grows =
      before !== undefined && before.length <= said.length && hash53(said.slice(0, before.length)) === before.hash;
    if (grows && before.length === said.length) return false;
    if (message) message[type] = { length: said.length, hash: hash53(said) };
    if (type === 'text') this.part(record, { type, role: 'assistant', text: said, where, ...at(record) }, grows);
    else this.part(record, { type, text: said, where, ...at(record) }, grows);
    return true;
  }

  private usage(record: Fields, message: Fields, key: string): void {
    const model = text(message.model);
    if (model === MODEL_OF_LOCAL_MESSAGES) return;
    if (model !== undefined && !this.state.models.includes(model)) {
      this.state.models.push(model);
      this.facts({ models: [model] });
    }
    const usage = fields(message.usage);
    const input = number(usage.input_tokens);
    const output = number(usage.output_tokens);
    if (input === undefined && output === undefined) return;
    const created = number(usage.cache_creation_input_tokens);
    const hour = number(fields(usage.cache_creation).ephemeral_1h_input_tokens);
    const read = number(usage.cache_read_input_tokens);
    const thought = number(fields(usage.output_tokens_details).thinking_tokens);
    const searches = number(fields(usage.server_tool_use).web_search_requests);
    const when = time(record.timestamp);
    this.emit({
      type: 'call',
      session: this.session,
      call: {
        key,
        ...(model !== undefined && { model }),
        ...(when !== undefined && { at: when }),
        ...(input !== undefined && { input }),
        ...(output !== undefined && { output }),
        ...(read !== undefined && { cacheRead: read }),
        ...(created !== undefined && { cacheWrite5m: Math.max(0, created - (hour ?? 0)) }),
        ...(hour !== undefined && { cacheWrite1h: hour }),
        ...(thought !== undefined && { reasoning: thought }),
        ...(searches !== undefined && { webSearches: searches }),
      },
    });
  }
}

function nameOf(message: Fields): string {
  return hash53(text(message.uuid) ?? JSON.stringify(message.message ?? null)).toString(36);
}

/** The record's time, to be spread into a part. */
export function at(record: Fields): { at?: number } {
  const when = time(record.timestamp);
  return when === undefined ? {} : { at: when };
}
