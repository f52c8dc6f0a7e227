import type { Attachment, Where } from '../../transcript/index.ts';
import { type Fields, fields, isFields, list, number, text } from '../fields.ts';
import type { RecordReader } from '../jsonl/reading.ts';
import { NotShownCounter } from '../not-shown.ts';
import type { SourceEvent, Unit } from '../source.ts';
import { attachmentOf, tellAttachment } from './attachments.ts';
import { at, Conversation, type ConversationState } from './conversation.ts';
import { contentRead } from './injected.ts';
import { KnownNames } from './known-names.ts';
import { systemNotice } from './notices.ts';
import { agentId, placeOf } from './paths.ts';
import { isFromProgram } from './prompts.ts';
import { PromptQueue, type QueueState } from './queue.ts';
import { Reads, type ReadsState } from './reads.ts';
import { BOOKKEEPING, HIDDEN_SYSTEM_FIELDS, isRecord, QUIET_PROGRESS, QUIET_SYSTEM, unparsedType } from './records.ts';
import { fieldsNotShown } from './results.ts';
import { type SearchesState, WebSearches } from './searches.ts';
import { customTitle, desktopFacts, metaOf } from './sidecars.ts';
import { spilledOutput } from './spilled.ts';
import { exitCodeOf, pathsOfResult, searchesOf, textOfContent } from './tools.ts';

export interface TranscriptState {
  readonly conversations: ConversationState[];
  /** Where the records of side chains inside the file belong: the last record of each chain. */
  readonly chains: Readonly<Record<string, string>>;
  readonly searches: SearchesState;
  readonly queue: QueueState;
  readonly reads: ReadsState;
}

/** The state is kept with every checkpoint, so it must stay small: of what may go on, the newest is remembered. */
const REMEMBERED_CHAINS = 100;
const REMEMBERED_CONVERSATIONS = 30;

/** Reads the records of one transcript file: a session, or a sub-agent with a file of its own. */
export class Transcript implements RecordReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  readonly isRecord = isRecord;
  private readonly unit: Unit;
  private readonly emit = (event: SourceEvent) => void this.events.push(event);
  private readonly kept: TranscriptState;
  private readonly conversations = new Map<string, Conversation>();
  private readonly place: ReturnType<typeof placeOf>;
  private readonly projectFolder: string | undefined;
  private readonly names = new KnownNames();
  private readonly chains: Map<string, string>;
  private readonly queue: PromptQueue;
  private readonly searches: WebSearches;
  private readonly reads: Reads;
  private main: Conversation | undefined;

  constructor(unit: Unit, from?: TranscriptState) {
    this.unit = unit;
    this.place = placeOf(unit.path);
    // The desktop program's folders are those of its own machine; it tells elsewhere where the work is.
    this.projectFolder = unit.layout === 'desktop' ? undefined : this.place.projectFolder;
    this.kept = from ?? {
      conversations: [],
      chains: {},
      searches: { running: {}, made: {} },
      queue: [],
      reads: [],
    };
    this.chains = new Map(Object.entries(this.kept.chains));
    this.queue = new PromptQueue(this.kept.queue);
    this.searches = new WebSearches(this.kept.searches);
    this.reads = new Reads(this.kept.reads);
    for (const state of this.kept.conversations)
      this.conversations.set(state.session, new Conversation(state, this.emit, this.notShown, this.projectFolder));
    this.main = this.conversations.values().next().value;
  }

  skips(bytes: Buffer): boolean {
    const type = unparsedType(bytes);
    if (type !== undefined) this.notShown.add(type);
    return type !== undefined;
  }

  state(): TranscriptState {
    const [main, ...others] = this.kept.conversations;
    return {
      conversations: main ? [main, ...others.slice(-REMEMBERED_CONVERSATIONS)] : [],
      chains: Object.fromEntries([...this.chains].slice(-REMEMBERED_CHAINS)),
      searches: this.searches.state(),
      queue: this.kept.queue,
      reads: this.kept.reads,
    };
  }

  settle(): void {
    for (const conversation of this.conversations.values()) conversation.tellTimes();
  }

  /** A file without a message is a session too. */
  begin(): void {
    if (!this.place.isAgent) this.tellSidecars(this.mainConversation({}));
    else if (this.main) this.tellSidecars(this.main);
  }

  record(record: Fields, where: Where): string | undefined {
    const type = text(record.type) ?? 'untyped';
    if (BOOKKEEPING.has(type)) {
      this.notShown.add(type);
      return undefined;
    }
    const main = this.mainConversation(record);
    switch (type) {
      case 'user':
      case 'assistant':
        return this.message(type, record, where);
      case 'attachment':
        return tellAttachment(this.conversationOf(record), record, where, () => this.isFirst(record));
      case 'system':
        this.conversationOf(record).envelope(record);
        return this.system(record, where);
      case 'progress':
        main.envelope(record);
        return this.progress(record, where);
      case 'summary':
        return this.summary(record, where);
      case 'custom-title':
        return this.title('user', record.customTitle);
      case 'agent-name':
        return this.title('agent', record.agentName);
      case 'ai-title':
        return this.title('generated', record.aiTitle);
      case 'queue-operation':
        if (record.operation === 'enqueue') this.notShown.add('queue-operation/enqueue');
        this.queue.operation(record, where, main);
        return undefined;
      case 'pr-link':
        return this.pullRequest(record);
      default:
        main.link(record);
        return type;
    }
  }

  private mainConversation(record: Fields): Conversation {
    if (this.main) return this.main;
    const { stem, parentFolder, isAgent } = this.place;
    const parent = isAgent ? (parentFolder ?? text(record.sessionId)) : undefined;
    const main = this.conversation(isAgent ? agentId(stem.slice('agent-'.length), parent) : stem);
    this.main = main;
    if (isAgent) {
      if (parent !== undefined) main.facts({ parent: { nativeId: parent, relation: 'subagent' } });
      this.tellSidecars(main);
    } else main.facts({ kind: 'transcript' });
    return main;
  }

  /** What stands in files beside the transcript: it may come later than the transcript. */
  private tellSidecars(main: Conversation): void {
    if (this.place.isAgent) {
      const { title, startedBy } = metaOf(this.unit.path);
      if (title !== undefined) main.facts({ titles: { agent: title } });
      if (startedBy !== undefined) main.facts({ startedBy });
      return;
    }
    const renamed = customTitle(this.unit.path);
    if (renamed !== undefined) main.facts({ titles: { user: renamed } });
    const desktop = desktopFacts(this.unit);
    if (!desktop) return;
    main.facts(desktop);
    // The folder that a person chose, not the one that the machine inside has for it.
    if (desktop.cwd !== undefined) main.state.cwd ??= desktop.cwd;
  }

  private conversation(session: string): Conversation {
    let found = this.conversations.get(session);
    if (!found) {
      const state: ConversationState = { session, roots: [], models: [] };
      this.kept.conversations.push(state);
      found = new Conversation(state, this.emit, this.notShown, this.projectFolder);
      this.conversations.set(session, found);
    }
    return found;
  }

  /** The conversation that a record belongs to: side chains inside a session's file are sub-agents of their own. */
  private conversationOf(record: Fields): Conversation {
    const main = this.mainConversation(record);
    if (this.place.isAgent || record.isSidechain !== true) return main;
    const uuid = text(record.uuid) ?? '';
    const after = text(record.parentUuid);
    const known = after === undefined ? undefined : this.chains.get(after);
    const latest = [...this.chains.values()].at(-1);
    const session =
      known ?? (after !== undefined ? latest : undefined) ?? `${main.session}/sidechain-${uuid.slice(0, 8)}`;
    if (after !== undefined && known !== undefined) this.chains.delete(after);
    this.chains.set(uuid, session);
    const isNew = !this.conversations.has(session);
    const chain = this.conversation(session);
    if (isNew) chain.facts({ parent: { nativeId: main.session, relation: 'subagent' } });
    return chain;
  }

  private message(type: 'user' | 'assistant', record: Fields, where: Where): string | undefined {
    const conversation = this.conversationOf(record);
    conversation.envelope(record);
    if (type === 'assistant') {
      const isRepeated = !this.isFirst(record);
      if (isRepeated && !conversation.isWriting(record)) return undefined;
      this.searches.note(record);
      this.reads.note(record);
      return conversation.answer(record, where, isRepeated);
    }
    const first = this.names.first(record);
    if (first) this.user(conversation, first, where);
    return undefined;
  }

  private isFirst(record: Fields): boolean {
    return this.names.first(record) !== undefined;
  }

  private user(conversation: Conversation, record: Fields, where: Where): void {
    const content = fields(record.message).content;
    const blocks: readonly unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
    const texts: string[] = [];
    const attachments: Attachment[] = [];
    let results = 0;
    for (const raw of blocks) {
      const block = fields(raw);
      if (block.type === 'tool_result') {
        this.result(conversation, record, block, where);
        results++;
      } else if (typeof block.text === 'string') texts.push(block.text);
      else if (typeof raw === 'string') texts.push(raw);
      else if (isFields(raw)) attachments.push(attachmentOf(block, record, where));
    }
    if (record.isCompactSummary === true) for (const said of texts) conversation.compacted(record, said, where);
    else if (record.isMeta === true || results > 0 || isFromProgram(record)) {
      for (const said of texts) conversation.programText(record, noticeKind(said), said, where);
      for (const attachment of attachments) conversation.part(record, attachment);
      if (texts.length + attachments.length === 0) conversation.link(record);
    } else conversation.said(record, texts, where, attachments);
  }

  private result(conversation: Conversation, record: Fields, block: Fields, where: Where): void {
    const callId = text(block.tool_use_id) ?? '';
    const told = fields(record.toolUseResult);
    const content = textOfContent(block.content);
    const whole = spilledOutput(this.unit.path, content.text, told);
    const given = whole?.text ?? content.text;
    const output = this.reads.isResult(callId, told) && given !== undefined ? this.freed(given) : given;
    for (const field of fieldsNotShown(record.toolUseResult, output ?? '')) this.notShown.add(`user ${field}`);
    const uuid = text(record.uuid);
    const agent = text(told.agentId);
    const exitCode = output === undefined ? undefined : exitCodeOf(output);
    const searches = searchesOf(told);
    const paid = searches === undefined ? undefined : this.searches.count(callId, searches);
    if (paid) this.emit({ type: 'call', session: conversation.session, call: paid });
    this.emit({
      type: 'result',
      session: conversation.session,
      callId,
      ...(uuid !== undefined && { record: uuid }),
      result: {
        isError: block.is_error === true,
        where: whole?.where ?? where,
        paths: pathsOfResult(told),
        attachments: content.others.map((other) => attachmentOf(other, record, where)),
        ...at(record),
        ...(output !== undefined && { output }),
        ...(exitCode !== undefined && { exitCode }),
        ...(agent !== undefined && { child: agentId(agent, this.mainConversation(record).session) }),
      },
    });
  }

  private freed(read: string): string {
    const { text: content, kinds } = contentRead(read);
    for (const kind of kinds) this.notShown.add(kind);
    return content;
  }

  private system(record: Fields, where: Where): string | undefined {
    const conversation = this.conversationOf(record);
    const subtype = text(record.subtype) ?? 'untyped';
    if (subtype === 'local_command') {
      conversation.said(record, [text(record.content) ?? ''], where);
      return undefined;
    }
    for (const field of HIDDEN_SYSTEM_FIELDS)
      if (list(record[field]).length > 0) this.notShown.add(`system/${subtype} ${field}`);
    if (QUIET_SYSTEM.has(subtype)) {
      conversation.hidden(record, `system/${subtype}`);
      return undefined;
    }
    const told = systemNotice(subtype, record);
    if (told) conversation.notice(record, told.kind, told.text, where);
    else conversation.link(record);
    return told ? undefined : `system:${subtype}`;
  }

  private progress(record: Fields, where: Where): string | undefined {
    const data = fields(record.data);
    const type = text(data.type) ?? 'untyped';
    this.mainConversation(record).link(record);
    if (QUIET_PROGRESS.has(type)) this.notShown.add(`progress/${type}`);
    else if (type === 'agent_progress') return this.agentProgress(record, data, where);
    else return `progress:${type}`;
    return undefined;
  }

  /** Before sub-agents had files of their own, their messages came wrapped in progress records (2.1.12 to 2.1.83). */
  private agentProgress(record: Fields, data: Fields, where: Where): string | undefined {
    const inner = fields(data.message);
    const agent = text(data.agentId);
    if (agent === undefined || (inner.type !== 'user' && inner.type !== 'assistant')) return 'progress:agent_progress';
    const main = this.mainConversation(record);
    const session = `${main.session}/progress-${agent}`;
    const isNew = !this.conversations.has(session);
    const conversation = this.conversation(session);
    const startedBy = text(record.parentToolUseID);
    if (isNew)
      conversation.facts({
        parent: { nativeId: main.session, relation: 'subagent' },
        isEcho: true,
        ...(startedBy !== undefined && { startedBy }),
      });
    for (const message of conversation.unheard([...list(data.normalizedMessages).map(fields), inner]))
      this.wrapped(conversation, { ...record, parentUuid: undefined, ...message }, where);
    return undefined;
  }

  private wrapped(conversation: Conversation, message: Fields, where: Where): void {
    conversation.envelope(message);
    if (message.type === 'assistant') {
      this.reads.note(message);
      conversation.answer(message, where);
    } else if (message.type === 'user' && this.isFirst(message)) this.user(conversation, message, where);
  }

  private summary(record: Fields, where: Where): undefined {
    const said = text(record.summary);
    const leaf = text(record.leafUuid);
    if (said === undefined) return;
    const main = this.mainConversation(record);
    if (leaf !== undefined) main.facts({ titles: { summaries: [{ text: said, leaf }] } });
    main.notice(record, 'summary', said, where);
  }

  private title(from: 'user' | 'agent' | 'generated', title: unknown): undefined {
    const said = text(title);
    if (said !== undefined && this.main) this.main.facts({ titles: { [from]: said } });
  }

  private pullRequest(record: Fields): undefined {
    const url = text(record.prUrl);
    if (url === undefined || !this.main) return;
    const prNumber = number(record.prNumber);
    const repository = text(record.prRepository);
    this.main.facts({
      pullRequests: [
        { url, ...(prNumber !== undefined && { number: prNumber }), ...(repository !== undefined && { repository }) },
      ],
    });
  }
}

function noticeKind(said: string) {
  if (said.startsWith('[Request interrupted')) return 'interruption' as const;
  return said.startsWith('This session is being continued') ? ('compaction' as const) : ('system' as const);
}
