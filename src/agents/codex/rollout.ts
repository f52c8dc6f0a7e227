import type { Client, Limit, Where } from '../../transcript/index.ts';
import { type Fields, fields, isFields, list, number, text } from '../fields.ts';
import type { RecordReader } from '../jsonl/reading.ts';
import { NotShownCounter } from '../not-shown.ts';
import { plainPath } from '../plain-path.ts';
import type { SourceEvent, Titles, Unit } from '../source.ts';
import { Calls, type CallsState } from './calls.ts';
import { completedItem } from './completed.ts';
import { Conversation, type ConversationState, type Told } from './conversation.ts';
import { beginningOf, isRecord, unwrapped } from './envelope.ts';
import { isSameLimit, limitOf } from './limits.ts';
import { messageApart } from './messages.ts';
import { factsOf, settingsOf } from './meta.ts';
import { imagesOf } from './outputs.ts';
import { homeOf, idOf } from './paths.ts';
import { HIDDEN_FIELDS, QUIET_EVENTS, QUIET_ITEMS, QUIET_RECORDS, UNPARSED } from './records.ts';
import { titlesOf } from './sidecars.ts';
import { argumentsOf, nameOf } from './tools.ts';
import { added, ofResponse, type Usage, type UsageState } from './usage.ts';
import { goal, plainWords, review } from './wording.ts';

export interface RolloutState {
  readonly conversation?: ConversationState;
  readonly usage: UsageState;
  /** The file's own `session_meta` was met: those that follow were copied along. */
  hasMeta?: boolean;
  model?: string;
  cwd?: string;
  roots: string[];
  models: string[];
  settings?: Client;
  window?: number;
  limit?: Limit;
  /** The sub-agent's own address among agents. */
  agentPath?: string;
  readonly calls?: CallsState;
}

/** The state is kept with every checkpoint, so it must stay small: the newest is remembered. */
const REMEMBERED_ROOTS = 100;

/** Reads the records of one rollout. */
export class Rollout implements RecordReader {
  readonly events: SourceEvent[] = [];
  readonly notShown = new NotShownCounter();
  readonly isRecord = isRecord;
  private readonly unit: Unit;
  private readonly kept: RolloutState;
  private conversation: Conversation | undefined;
  private readonly calls: Calls;
  private titles: Titles | undefined;
  private first: number | undefined;
  private last: number | undefined;

  constructor(unit: Unit, from: unknown) {
    this.unit = unit;
    // The state is this reader's own, kept with its checkpoint.
    this.kept = (from as RolloutState | undefined) ?? {
      usage: {},
      roots: [],
      models: [],
    };
    this.calls = new Calls(
      this.kept.calls,
      () => this.to,
      () => this.kept.cwd,
      this.notShown,
    );
    if (this.kept.conversation) this.conversation = this.open(this.kept.conversation);
  }

  state(): RolloutState {
    return {
      ...this.kept,
      ...(this.conversation && { conversation: this.conversation.keep() }),
      calls: this.calls.state(),
    };
  }

  private open(state: ConversationState): Conversation {
    return new Conversation(state, (event) => this.events.push(event), this.notShown);
  }

  /** A file without a message is a session too. */
  begin(): void {
    const id = idOf(this.unit.path);
    if (id !== undefined || this.conversation) this.start(id);
  }

  /** Where the file's name holds no id, the first `session_meta` says it. */
  private start(id: string | undefined): Conversation {
    const session = this.conversation?.session ?? id ?? stemOf(this.unit.path);
    this.conversation ??= this.open({ session, twice: [], before: [] });
    this.titles = titlesOf(homeOf(this.unit.path), session);
    this.conversation.facts({ kind: 'transcript', ...(this.titles && { titles: this.titles }) });
    return this.conversation;
  }

  private get to(): Conversation {
    return this.conversation ?? this.start(undefined);
  }

  settle(isLast: boolean): void {
    this.conversation?.settled(isLast);
    if (this.first !== undefined) this.to.time(this.first);
    if (this.last !== undefined && this.last !== this.first) this.to.time(this.last);
    this.first = this.last = undefined;
  }

  private passed(at: number | undefined): void {
    if (at === undefined) return;
    if (this.first === undefined || at < this.first) this.first = at;
    if (this.last === undefined || at > this.last) this.last = at;
  }

  skips(bytes: Buffer): boolean {
    const beginning = beginningOf(bytes);
    if (!beginning || !UNPARSED.has(beginning.kind)) return false;
    this.passed(beginning.at);
    this.notShown.add(beginning.kind);
    return true;
  }

  record(record: Fields, where: Where): string | undefined {
    const { type, payload, at } = unwrapped(record);
    this.passed(at);
    const told: Told = { where, ...(at !== undefined && { at }) };
    switch (type) {
      case 'session_meta':
        return this.meta(payload);
      case 'turn_context':
        return this.context(payload, told);
      case 'response_item':
        return this.item(payload, told);
      case 'event_msg':
        return this.event(payload, told);
      case 'compacted':
        return this.compacted(payload, told);
      case 'token_usage_record':
        return this.usageRecord(payload, told);
      default:
        return this.quiet(QUIET_RECORDS, type, type);
    }
  }

  /** Counts what is known and not shown; gives the name of anything else, which is unknown. */
  private quiet(known: ReadonlySet<string>, type: string, name: string): string | undefined {
    if (!known.has(type)) return name;
    this.notShown.add(name);
    return undefined;
  }

  private countFields(type: keyof typeof HIDDEN_FIELDS, record: Fields): void {
    for (const field of HIDDEN_FIELDS[type])
      if (isFields(record[field]) || list(record[field]).length > 0 || text(record[field]) !== undefined)
        this.notShown.add(`${type} ${field}`);
  }

  private meta(meta: Fields): undefined {
    this.countFields('session_meta', meta);
    const id = text(meta.id);
    if (!this.conversation) this.start(id);
    if (this.kept.hasMeta) {
      // A copy begins with the head of the file it was made from, which may begin with another's.
      if (id !== undefined) this.to.descends(id);
      if (id !== this.to.session) this.kept.usage.isCopy = true;
      return;
    }
    this.kept.hasMeta = true;
    if (id !== undefined) this.to.descends(id);
    const facts = factsOf(meta);
    const agentPath = text(meta.agent_path);
    if (agentPath !== undefined) this.kept.agentPath = agentPath;
    if (meta.history_base !== undefined || meta.forked_from_ordinal_exclusive !== undefined)
      this.kept.usage.continues = true;
    if (facts.cwd !== undefined) this.kept.cwd = facts.cwd;
    this.kept.roots.push(...(facts.roots ?? []));
    const titles = { ...facts.titles, ...this.titles };
    this.to.facts({ ...facts, ...(Object.keys(titles).length > 0 && { titles }) });
  }

  private context(context: Fields, told: Told): undefined {
    this.countFields('turn_context', context);
    this.to.turnBegins(text(context.turn_id));
    const cwd = text(context.cwd);
    const roots = [cwd, ...list(context.workspace_roots).map(text)].flatMap((path) => path ?? []).map(plainPath);
    const fresh = [...new Set(roots)].filter((path) => !this.kept.roots.includes(path));
    const isFirst = this.kept.cwd === undefined && roots[0] !== undefined;
    if (fresh.length > 0) this.kept.roots = [...this.kept.roots, ...fresh].slice(-REMEMBERED_ROOTS);
    const model = text(context.model);
    const isNew = model !== undefined && !this.kept.models.includes(model);
    if (isNew) this.kept.models.push(model);
    const settings = { ...this.kept.settings, ...settingsOf(context) };
    const isOther = JSON.stringify(settings) !== JSON.stringify(this.kept.settings ?? {});
    if (fresh.length > 0 || isFirst || isNew || isOther)
      this.to.facts({
        ...(isFirst && { cwd: roots[0]! }),
        ...(fresh.length > 0 && { roots: fresh }),
        ...(isNew && { models: [model] }),
        ...(isOther && { client: settings }),
      });
    if (cwd !== undefined) this.kept.cwd = plainPath(cwd);
    this.kept.settings = settings;
    if (model === undefined) return;
    const before = this.kept.model;
    this.kept.model = model;
    if (before !== undefined && before !== model) this.to.notice('model-change', `${before} → ${model}`, told, 'event');
  }

  private item(item: Fields, told: Told): string | undefined {
    const type = text(item.type) ?? (item.role === undefined ? 'untyped' : 'message');
    switch (type) {
      case 'message':
        return this.message(item, told);
      case 'reasoning':
        if (list(item.summary).length + list(item.content).length === 0) this.notShown.add('response_item/reasoning');
        for (const part of [...list(item.summary), ...list(item.content)])
          this.to.thought(text(fields(part).text) ?? '', 'item', told);
        return undefined;
      case 'function_call':
        return this.calls.called(item, nameOf(item), argumentsOf(item.arguments), told);
      case 'custom_tool_call':
        return this.calls.called(item, nameOf(item), argumentsOf(item.input), told);
      case 'local_shell_call':
        return this.calls.called(item, 'local_shell', item.action, told);
      case 'web_search_call':
        return this.calls.called(item, 'web_search', item.action ?? {}, told);
      case 'tool_search_call':
        return this.calls.called(item, 'tool_search', argumentsOf(item.arguments), told);
      case 'image_generation_call':
        return this.calls.called(item, 'image_generation', { prompt: item.revised_prompt }, told);
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.calls.output(item, told);
      case 'tool_search_output':
        this.to.result(text(item.call_id) ?? '', {
          isError: false,
          output: list(item.tools)
            .flatMap((tool) => text(fields(tool).name) ?? [])
            .join('\n'),
          ...told,
        });
        return undefined;
      case 'agent_message':
        return this.agentMessage(item, told);
      default:
        return this.quiet(QUIET_ITEMS, type, `response_item/${type}`);
    }
  }

  private message(item: Fields, told: Told): undefined {
    const { said, attachments } = messageApart(item, told, this.notShown);
    if (item.role === 'assistant') this.to.answered(said.map((one) => one.text).join('\n'), 'item', told);
    else this.to.heard(said, attachments, told);
  }

  /** A message of another agent: the task of a sub-agent, or what it answers. */
  private agentMessage(item: Fields, told: Told): undefined {
    const words = list(item.content)
      .map(fields)
      .map((block) => text(block.text) ?? plainWords(block.encrypted_content) ?? '')
      .join('');
    const own = this.kept.agentPath ?? ROOT;
    // What it said itself stands there as its answer, or in the call that sent it.
    if (words.trim() === '' || item.author === own) {
      this.notShown.add('response_item/agent_message');
      return;
    }
    const isTask = /^Message Type: NEW_TASK\b/.test(words) && item.recipient === own;
    const payload = words.indexOf('\nPayload:\n');
    const said = payload < 0 ? words : words.slice(payload + '\nPayload:\n'.length);
    if (said.trim() === '') return;
    this.to.tellPending();
    if (isTask) this.to.prompt({ said: [{ as: 'prompt', text: said }], attachments: [], ...told });
    else this.to.notice('system', `${text(item.author) ?? 'agent'}:\n${said}`, told, 'item');
  }

  private event(event: Fields, told: Told): string | undefined {
    const type = text(event.type) ?? 'untyped';
    switch (type) {
      case 'user_message':
        this.to.asked(text(event.message) ?? '', imagesOf(event, told.where, told.at), told);
        return undefined;
      case 'agent_message':
        this.to.answered(text(event.message) ?? '', 'event', told);
        return undefined;
      case 'agent_reasoning':
      case 'agent_reasoning_raw_content':
        this.to.thought(text(event.text) ?? '', 'event', told);
        return undefined;
      case 'token_count':
        return this.tokenCount(event, told);
      case 'task_started':
      case 'turn_started':
        this.kept.window = number(event.model_context_window) ?? this.kept.window ?? 0;
        this.to.tellPending();
        this.to.turnBegins(text(event.turn_id));
        return undefined;
      case 'task_complete':
      case 'turn_complete':
        this.to.tellPending();
        return undefined;
      case 'turn_aborted':
        this.to.tellPending();
        this.to.notice('interruption', `Turn aborted: ${text(event.reason) ?? 'no reason given'}`, told, 'event');
        return undefined;
      case 'item_completed':
        return completedItem(fields(event.item), told, this.to, this.calls, this.notShown);
      case 'exec_command_end':
        return this.calls.commandEnded(text(event.call_id) ?? '', event, told);
      case 'patch_apply_end':
        return this.calls.patchEnded(text(event.call_id) ?? '', event, told);
      case 'mcp_tool_call_end': {
        const { server, tool, arguments: input } = fields(event.invocation);
        return this.calls.mcpEnded(text(event.call_id) ?? '', { server, tool, input, result: event.result }, told);
      }
      case 'collab_agent_spawn_end':
        return this.calls.spawned(event.call_id, event.new_thread_id);
      case 'sub_agent_activity':
        return this.calls.spawned(event.event_id, event.agent_thread_id);
      case 'thread_name_updated': {
        const title = text(event.thread_name);
        if (title !== undefined) this.to.facts({ titles: { agent: title } });
        return undefined;
      }
      case 'error':
      case 'warning':
      case 'undo_completed':
        this.to.tellPending();
        this.to.notice('system', text(event.message) ?? text(fields(event.error).message) ?? '', told, 'event');
        return undefined;
      case 'thread_goal_updated':
        this.to.notice('system', goal(fields(event.goal)), told, 'event');
        return undefined;
      case 'entered_review_mode':
        this.to.notice('command', `/review ${text(event.user_facing_hint) ?? ''}`.trim(), told, 'event');
        return undefined;
      case 'exited_review_mode':
        this.to.notice('summary', review(fields(event.review_output)), told, 'event');
        return undefined;
      case 'thread_rolled_back':
        this.to.rolledBack(number(event.num_turns) ?? 0);
        return undefined;
      default:
        return this.quiet(QUIET_EVENTS, type, `event_msg/${type}`);
    }
  }

  private compacted(compacted: Fields, told: Told): undefined {
    this.countFields('compacted', compacted);
    this.to.tellPending();
    this.to.notice('compaction', text(compacted.message) ?? 'Context compacted', told, 'event');
  }

  private usageRecord(record: Fields, told: Told): undefined {
    const usage = ofResponse(record.usage);
    const key = text(record.response_id);
    if (!usage || key === undefined) return;
    this.kept.usage.byRecord = true;
    this.pay(key, usage, told);
  }

  private tokenCount(event: Fields, told: Told): undefined {
    const limit = limitOf(event.rate_limits, told.at);
    if (limit && !(this.kept.limit && isSameLimit(limit, this.kept.limit))) {
      this.kept.limit = limit;
      this.events.push({ type: 'limit', session: this.to.session, limit });
    }
    const info = fields(event.info);
    const window = number(info.model_context_window);
    if (window !== undefined) this.kept.window = window;
    const usage = added(this.kept.usage, info);
    if (!usage || this.kept.usage.byRecord) return;
    const { total } = this.kept.usage;
    this.pay(this.to.name('tokens', JSON.stringify(total)), usage, told);
  }

  private pay(key: string, usage: Usage, { at }: Told): void {
    const { model, window } = this.kept;
    this.events.push({
      type: 'call',
      session: this.to.session,
      call: {
        key,
        ...usage,
        ...(model !== undefined && { model }),
        ...(at !== undefined && { at }),
        ...(window !== undefined && window > 0 && { contextWindow: window }),
      },
    });
  }
}

/** The address of the agent that a person talks to. */
const ROOT = '/root';

function stemOf(path: string): string {
  return (path.split(/[/\\]/).at(-1) ?? '').replace(/\.jsonl?$/, '');
}
