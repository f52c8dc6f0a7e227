/**
 * A witness of Codex histories. It shares no code with the reader: it walks the raw JSON of every rollout under a home and
 * says what a faithful product shows of it, item by item; what need not be found word for word has a named kind.
 *
 * What the census counts (`corpus/census.json`, reproduced here from the raw files):
 *
 *   sessions    rollouts, sub-agents' and forks' included
 *   prompts     events `user_message`
 *   tool calls  `function_call`, `custom_tool_call` by their name, and `web_search_call`
 *   tokens      increases of `total_token_usage` inside a file, a decrease starts a new segment, the model is that of the
 *               last `turn_context`; forked files are counted whole
 *
 * Portolan's prompts are those that open a turn. All 499 of homes/codex do: the one rollout that begins with a copy of its
 * parent's records stands there without the parent, so nothing says that they are a copy. In a home that has the parent,
 * the copy's prompts and tokens count there alone.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Broken, type Fields, fields, type Json, list, number, readValues, string } from './jsonl.ts';

/** How an item must be found. What is not `word for word` is a named kind, counted in `CodexSurvey.kinds`. */
export type Kind =
  /** In a part of its own type, once, in the file's order. */
  | 'word for word'
  // --- found elsewhere than in a text of the user
  | 'context of the program, in a notice'
  | 'editor context before a prompt, in a notice'
  | 'shell command typed by the user'
  | 'interruption, in a notice'
  | 'compaction, in a notice'
  | 'error, in a notice'
  | 'message of another agent, in a notice'
  // --- found in a call: as one of its own, or in the one that ran it
  | 'command run in code mode'
  | 'change made in code mode'
  | 'MCP call made in code mode'
  // --- found as a prompt, its header apart
  | 'task of a sub-agent'
  | 'result without its call'
  // --- must not be shown
  | 'injected for the model alone'
  // --- may be shown or not
  | 'developer instructions'
  | 'summary before its compaction'
  // --- need not be found
  | 'replayed record'
  | 'the same words in the other family'
  | 'history repeated by a compaction'
  | 'encrypted reasoning'
  | 'encrypted message'
  | 'blank text'
  | 'image';

/** Kinds whose text need not be found in the session's own turns. */
export const ABSENT: ReadonlySet<Kind> = new Set<Kind>([
  'replayed record',
  'the same words in the other family',
  'history repeated by a compaction',
  'encrypted reasoning',
  'encrypted message',
  'blank text',
  'image',
  'injected for the model alone',
]);

/** Kinds whose text is no content. */
export const FORBIDDEN: ReadonlySet<Kind> = new Set<Kind>(['injected for the model alone']);

/** Kinds that are looked for, and not missed. */
export const OPTIONAL: ReadonlySet<Kind> = new Set<Kind>(['developer instructions', 'summary before its compaction']);

export type ItemType = 'user' | 'assistant' | 'thinking' | 'call' | 'output' | 'notice' | 'work' | 'image';

/** What a command or a tool did that a code-mode script called. */
export interface Work {
  /** The call that ran the script. */
  readonly outer?: string;
  readonly command?: string;
  readonly output?: string;
  readonly exitCode?: number;
  readonly paths?: readonly string[];
  readonly tool?: string;
  readonly input?: Json;
}

/** A piece of a rollout that a reader of the history may look for. */
export interface Item {
  readonly type: ItemType;
  readonly kind: Kind;
  readonly texts: readonly string[];
  readonly callId?: string;
  /** Names that the call may be shown under; the recorded one is the first. */
  readonly names?: readonly string[];
  readonly input?: Json;
  readonly exitCode?: number;
  readonly work?: Work;
  /** The lines that hold it: in each family of records one. The first is the item's own. */
  readonly lines: readonly number[];
  /** A prompt by Portolan's rule: it opens a turn. */
  readonly opens: boolean;
}

/** The four token counts, as Portolan means them: input without what was cached, output with what was thought. */
export interface Tokens {
  input: number;
  cacheRead: number;
  output: number;
  reasoning: number;
}

/** The five of a rollout, in its own words. */
export interface RawTokens {
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  reasoning_output_tokens: number;
  total_tokens: number;
}

export interface Rollout {
  readonly path: string;
  /** Below `.codex/`, with slashes. */
  readonly name: string;
  /** The uuid in the file's name, else its stem. */
  readonly id: string;
  readonly parent?: { readonly id: string; readonly relation: 'subagent' | 'fork' };
  readonly items: Item[];
  readonly broken: readonly Broken[];
  readonly records: number;
  /** Records by type, and by the type of their payload. */
  readonly types: Readonly<Record<string, number>>;
  /** How many records it copied from its parent. */
  readonly replayed: number;
  readonly tokens: Readonly<Record<string, Tokens>>;
}

export interface CodexSurvey {
  readonly rollouts: Rollout[];
  readonly subagents: number;
  readonly forks: number;
  readonly toolCalls: Readonly<Record<string, number>>;
  readonly censusPrompts: number;
  readonly censusTokens: Readonly<Record<string, RawTokens>>;
  readonly prompts: number;
  /** From the census's prompts to Portolan's, each difference with its signed count; all together they add up. */
  readonly promptDifferences: Readonly<Record<string, number>>;
  readonly tokens: Readonly<Record<string, Tokens>>;
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
}

interface Raw {
  readonly type: string;
  readonly payload: Fields;
  readonly line: number;
}

interface RawFile {
  readonly path: string;
  readonly name: string;
  readonly id: string;
  readonly meta: Fields;
  readonly records: Raw[];
  readonly broken: readonly Broken[];
}

/** Everything that is to be known of the Codex history in a folder that holds `.codex/`. */
export function surveyCodex(home: string): CodexSurvey {
  const root = join(home, '.codex');
  const files = rolloutPaths(home).map((path) => readRollout(root, path));
  const byId = new Map(files.map((file) => [file.id, file]));
  const copies = new Map(files.map((file) => [file, copiedFrom(file, byId)]));
  const rollouts = files.map((file) => rolloutOf(file, copies.get(file) ?? NOTHING));
  const kinds: Partial<Record<Kind, number>> = {};
  for (const item of rollouts.flatMap((each) => each.items)) kinds[item.kind] = (kinds[item.kind] ?? 0) + 1;
  return {
    rollouts,
    subagents: rollouts.filter(({ parent }) => parent?.relation === 'subagent').length,
    forks: files.filter(({ meta }) => string(meta.forked_from_id) !== undefined).length,
    toolCalls: toolCallsOf(files),
    ...promptsOf(files, rollouts),
    censusTokens: sumUp(files.flatMap((file) => increasesOf(file))),
    tokens: sumByModel(rollouts.map(({ tokens }) => tokens)),
    kinds,
  };
}

// ------------------------------------------------------------------------------------------------ files

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Every rollout of a home, sorted by path. */
export function rolloutPaths(home: string): string[] {
  return ['sessions', 'archived_sessions']
    .map((folder) => join(home, '.codex', folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.startsWith('rollout-') && entry.name.endsWith('.jsonl'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Types of records that stand bare, without an envelope, in rollouts of before September 2025. */
const BARE = /^(message|reasoning|(local_shell|function|custom_tool|web_search)_call(_output)?)$/;

function readRollout(root: string, path: string): RawFile {
  const { values, broken } = readValues(path);
  const stem = basename(path, '.jsonl');
  const records = values.map(({ value, line }, index): Raw => {
    const record = fields(value);
    const type = string(record.type);
    if (type === undefined && index === 0) return { type: 'session_meta', payload: record, line };
    if (type !== undefined && BARE.test(type)) return { type: 'response_item', payload: record, line };
    return { type: type ?? string(record.record_type) ?? '?', payload: fields(record.payload), line };
  });
  const meta = records.find(({ type }) => type === 'session_meta')?.payload ?? {};
  const id = UUID.exec(stem)?.[0] ?? stem;
  return { path, name: relative(root, path).split(sep).join('/'), id, meta, records, broken };
}

const kindOf = ({ type, payload }: Raw) => {
  const inner = string(payload.type);
  if (inner === undefined) return type;
  const item = string(fields(payload.item).type);
  return item === undefined ? `${type}/${inner}` : `${type}/${inner}:${item}`;
};

// ------------------------------------------------------------------------------------------------ copies of records

const NOTHING: ReadonlySet<Raw> = new Set();

const spawnOf = (meta: Fields) => fields(fields(fields(meta.source).subagent).thread_spawn);

function parentOf(file: RawFile): Rollout['parent'] {
  const spawned = string(spawnOf(file.meta).parent_thread_id) ?? string(file.meta.parent_thread_id);
  if (spawned !== undefined) return { id: spawned, relation: 'subagent' };
  const forked = string(file.meta.forked_from_id);
  return forked === undefined ? undefined : { id: forked, relation: 'fork' };
}

/**
 * The records that a rollout copied from its parent: behind its own `session_meta`, as far as each equals one of the
 * parent's, times aside, in the parent's order. Not every record is copied: what a sub-agent is given leaves out the calls.
 * A rollout with a `history_base` points into its parent and copies nothing.
 */
function copiedFrom(file: RawFile, byId: ReadonlyMap<string, RawFile>): ReadonlySet<Raw> {
  const parent = byId.get(string(file.meta.forked_from_id) ?? parentOf(file)?.id ?? '');
  if (parent === undefined || file.meta.history_base !== undefined) return NOTHING;
  // A sub-agent that was given nothing of its parent may still begin with the same instructions.
  if (file.meta.forked_from_id === undefined && file.records[1]?.type !== 'session_meta') return NOTHING;
  const copied = new Set<Raw>();
  let from = 0;
  for (const raw of file.records.slice(1)) {
    const at = parent.records.findIndex((other, index) => index >= from && isSame(raw, other));
    if (at === -1) break;
    copied.add(raw);
    from = at + 1;
  }
  return copied;
}

const isSame = (a: Raw, b: Raw) => a.type === b.type && isDeepStrictEqual(a.payload, b.payload);

// ------------------------------------------------------------------------------------------------ items

function rolloutOf(file: RawFile, copied: ReadonlySet<Raw>): Rollout {
  const types: Record<string, number> = {};
  for (const raw of file.records) types[kindOf(raw)] = (types[kindOf(raw)] ?? 0) + 1;
  const walk = new Walk(file);
  for (const raw of file.records) walk.take(raw, copied.has(raw));
  const parent = parentOf(file);
  return {
    path: file.path,
    name: file.name,
    id: file.id,
    ...(parent === undefined ? {} : { parent }),
    items: walk.items,
    broken: file.broken,
    records: file.records.length,
    types,
    replayed: copied.size,
    tokens: tokensOf(file, copied),
  };
}

/** Elements that the program writes for the model alone, and those in which it tells what happened. */
const FOR_THE_MODEL =
  'environment_context user_instructions INSTRUCTIONS app-context permissions collaboration_mode model_switch personality_spec recommended_plugins plugins_instructions skills_instructions apps_instructions multi_agent_role multi_agent_mode tools';
const TELLING = 'skill subagent_notification goal_context codex_internal_context';
/** Origins that newer versions give to such texts. */
const ORIGIN = /^(?!user\.|generic\.|shell\.|unknown$)\w+\./;

/** What a text of the model's input is that no person wrote: it is one element from its first letter to its last. */
function programText(text: string, origin: string | undefined): Kind | undefined {
  const body = text.trim();
  if (origin !== undefined && ORIGIN.test(origin)) return 'injected for the model alone';
  if (body.startsWith('Approved command prefix saved:')) return 'injected for the model alone';
  const element = body.startsWith('# AGENTS.md instructions') ? body.slice(body.indexOf('<')) : body;
  const name = element.startsWith('<') ? (element.slice(1).split(/[\s>]/, 1)[0] ?? '') : '';
  const end = element.lastIndexOf('</');
  if (name === '' || !element.slice(end + 2).startsWith(name) || element.at(-1) !== '>') return undefined;
  if (FOR_THE_MODEL.split(' ').includes(name)) return 'injected for the model alone';
  return TELLING.split(' ').includes(name) ? 'context of the program, in a notice' : undefined;
}
/** An editor puts what it knows before the prompt, under this heading. */
const REQUEST = /(?:^|\n)## My request for Codex:[ \t]*\n/;
const ENCRYPTED = /^gAAAA[\w-]+=*$/;

type Draft = { -readonly [K in keyof Item]: Item[K] } & { replayed: boolean };

class Walk {
  private readonly drafts: Draft[] = [];
  private readonly calls: ReadonlySet<string>;
  private readonly agentPath: string;
  /** The call of code mode that runs. */
  private outer: string | undefined;
  private readonly exitCodes = new Map<string, number>();

  constructor(file: RawFile) {
    const called = file.records.filter(({ type, payload }) => type === 'response_item' && isCall(payload));
    this.calls = new Set(called.flatMap(({ payload }) => string(payload.call_id) ?? string(payload.id) ?? []));
    this.agentPath = string(file.meta.agent_path) ?? string(spawnOf(file.meta).agent_path) ?? '/root';
    for (const { payload } of file.records) {
      const item = fields(payload.item);
      const id = string(payload.call_id) ?? string(item.id);
      const code = payload.exit_code ?? item.exit_code;
      if (id !== undefined && typeof code === 'number') this.exitCodes.set(id, code);
    }
  }

  get items(): Item[] {
    return this.drafts
      .map(({ replayed, ...item }) => (replayed ? { ...item, kind: 'replayed record' as const, opens: false } : item))
      .sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
  }

  take(raw: Raw, replayed: boolean): void {
    const first = this.drafts.length;
    if (raw.type === 'response_item') this.response(raw);
    else if (raw.type === 'event_msg') this.event(raw);
    else if (raw.type === 'compacted') this.compaction(raw);
    for (const draft of this.drafts.slice(first)) draft.replayed = replayed;
  }

  private add(raw: Raw, item: Omit<Item, 'lines' | 'opens'> & { opens?: boolean }): void {
    this.drafts.push({ opens: false, ...item, lines: [raw.line], replayed: false });
  }

  /** A text that each family of records tells: the second time it is the same, told twice. */
  private tell(raw: Raw, family: string, item: Omit<Item, 'lines' | 'opens'> & { opens?: boolean }): void {
    const words = wordsOf(item);
    const twin = this.drafts.find(
      (draft) => draft.type === item.type && this.families.get(draft) === other(family) && wordsOf(draft) === words,
    );
    if (twin === undefined) {
      this.add(raw, item);
      const draft = this.drafts.at(-1);
      if (draft !== undefined) this.families.set(draft, family);
      return;
    }
    this.families.delete(twin);
    twin.lines = [...twin.lines, raw.line];
    twin.opens ||= item.opens === true;
    this.repeat(raw);
  }
  /** Texts that one family has told, and the other has not. */
  private readonly families = new Map<Draft, string>();

  private repeat(raw: Raw): void {
    this.add(raw, { type: 'notice', kind: 'the same words in the other family', texts: [] });
  }

  // ------------------------------------------------ the items of the model's answers

  private response(raw: Raw): void {
    const { payload } = raw;
    const type = string(payload.type);
    if (type === 'message' || (type === undefined && payload.role !== undefined)) this.message(raw);
    else if (type === 'reasoning') this.reasoning(raw);
    else if (isCall(payload)) this.call(raw);
    else if (type?.endsWith('_output')) this.output(raw);
    else if (type === 'agent_message') this.agentMessage(raw);
  }

  private message(raw: Raw): void {
    const blocks = list(raw.payload.content).map(fields);
    const texts = blocks.flatMap((block) => string(block.text) ?? []);
    const role = string(raw.payload.role);
    const origins = list(fields(raw.payload.internal_chat_message_metadata_passthrough).content_item_kinds);
    const originOf = (text: string) => string(origins[blocks.findIndex((block) => block.text === text)]);
    if (role === 'developer' || role === 'system') {
      for (const text of texts) {
        const kind = programText(text, originOf(text)) ?? 'developer instructions';
        this.add(raw, { type: 'notice', kind, texts: [text] });
      }
      return;
    }
    if (role === 'assistant') {
      if (texts.join('').trim() !== '') this.tell(raw, 'response', { type: 'assistant', kind: 'word for word', texts });
      return;
    }
    for (const _ of blocks.filter((block) => block.type === 'input_image'))
      this.add(raw, { type: 'image', kind: 'image', texts: [] });
    // An image is wrapped in tags.
    const words = texts.filter((text) => !/^<\/?image\b[^>]*>$/.test(text.trim()));
    const rest: string[] = [];
    for (const text of words) {
      const kind = programText(text, originOf(text));
      if (kind === undefined) rest.push(text);
      else this.add(raw, { type: 'notice', kind, texts: [text] });
    }
    const text = rest.join('\n');
    if (text.trim() === '') return;
    if (text.trimStart().startsWith('<turn_aborted>')) this.interruption(raw, 'response', text);
    else if (text.trimStart().startsWith('<user_shell_command>'))
      this.add(raw, { type: 'notice', kind: 'shell command typed by the user', texts: [text] });
    else this.prompt(raw, 'response', text);
  }

  private prompt(raw: Raw, family: string, text: string): void {
    const cut = REQUEST.exec(text);
    const request = cut === null ? text : text.slice(cut.index + cut[0].length);
    const context = cut === null ? '' : text.slice(0, cut.index);
    if (context.trim() !== '') {
      const kind = 'editor context before a prompt, in a notice';
      this.tell(raw, family, { type: 'notice', kind, texts: [context] });
    }
    this.tell(raw, family, { type: 'user', kind: 'word for word', texts: [request], opens: true });
  }

  private reasoning(raw: Raw): void {
    const { summary, content } = raw.payload;
    const texts = [...list(summary), ...list(content)].flatMap((each) => string(fields(each).text) ?? []);
    for (const text of texts) this.thought(raw, 'response', text);
    if (texts.length === 0) this.add(raw, { type: 'thinking', kind: 'encrypted reasoning', texts: [] });
  }

  private thought(raw: Raw, family: string, text: string): void {
    if (text.trim() !== '') this.tell(raw, family, { type: 'thinking', kind: 'word for word', texts: [text] });
  }

  private call(raw: Raw): void {
    const { payload } = raw;
    const type = string(payload.type) ?? '';
    const callId = string(payload.call_id) ?? string(payload.id);
    const name = string(payload.name);
    const namespace = string(payload.namespace);
    const own = type.replace(/_call$/, '');
    const names =
      name === undefined
        ? [type, own]
        : [name, ...(namespace === undefined ? [] : ['.', '/', '__', ''].map((glue) => namespace + glue + name))];
    const input = payload.arguments ?? payload.input ?? payload.action ?? null;
    if (type === 'custom_tool_call') this.outer = callId;
    this.add(raw, {
      type: 'call',
      kind: 'word for word',
      texts: [],
      names,
      input,
      ...(callId === undefined ? {} : { callId }),
    });
  }

  private output(raw: Raw): void {
    const { payload } = raw;
    const callId = string(payload.call_id);
    const { output, tools } = payload;
    const blocks = typeof output === 'string' ? [output] : Array.isArray(output) ? output : [output ?? tools ?? null];
    const texts = blocks
      .flatMap((block) =>
        typeof block === 'string' ? block : (string(fields(block).text) ?? string(fields(block).content) ?? []),
      )
      .filter((text) => text.trim() !== '');
    const exitCode = exitCodeOf(texts.join('\n')) ?? this.exitCodes.get(callId ?? '');
    const isOrphan = callId === undefined || !this.calls.has(callId);
    this.add(raw, {
      type: 'output',
      kind: texts.length === 0 ? 'blank text' : isOrphan ? 'result without its call' : 'word for word',
      texts,
      ...(callId === undefined ? {} : { callId }),
      ...(exitCode === undefined ? {} : { exitCode }),
    });
  }

  /** Agents write to one another: the task to the one that was started, the answer to the one that waits. */
  private agentMessage(raw: Raw): void {
    const { author, recipient, content } = raw.payload;
    const texts = list(content).map(
      (block) => string(fields(block).text) ?? string(fields(block).encrypted_content) ?? '',
    );
    const words = texts.filter((text) => text.trim() !== '' && !ENCRYPTED.test(text.trim()));
    const text = words.join('').replace(/^[\s\S]*?\nPayload:\n/, '');
    if (text.trim() === '') this.add(raw, { type: 'notice', kind: 'encrypted message', texts: words });
    else if (author === this.agentPath) this.repeat(raw);
    else if (recipient === this.agentPath && /^Message Type: NEW_TASK\n/.test(words[0] ?? ''))
      this.add(raw, { type: 'user', kind: 'task of a sub-agent', texts: [text], opens: true });
    else this.add(raw, { type: 'notice', kind: 'message of another agent, in a notice', texts: [text] });
  }

  // ------------------------------------------------ the program's own events

  private event(raw: Raw): void {
    const { payload } = raw;
    const type = string(payload.type) ?? '';
    if (type === 'user_message') this.prompt(raw, 'event', string(payload.message) ?? '');
    else if (type === 'agent_message') this.answer(raw, string(payload.message) ?? '');
    else if (type === 'agent_reasoning') this.thought(raw, 'event', string(payload.text) ?? '');
    else if (type === 'turn_aborted') this.interruption(raw, 'event', '');
    else if (type === 'error') {
      const text = string(payload.message) ?? string(fields(payload.error).message) ?? '';
      this.add(raw, { type: 'notice', kind: 'error, in a notice', texts: [text] });
    } else if (type === 'item_completed') this.completed(raw, fields(payload.item));
    else if (
      type === 'context_compacted' ||
      /^(exec_command|patch_apply|mcp_tool_call|web_search|view_image)_/.test(type)
    )
      this.repeat(raw);
  }

  private answer(raw: Raw, text: string): void {
    if (text.trim() !== '') this.tell(raw, 'event', { type: 'assistant', kind: 'word for word', texts: [text] });
  }

  private completed(raw: Raw, item: Fields): void {
    const type = string(item.type);
    const texts = list(item.content).flatMap((block) => string(fields(block).text) ?? []);
    if (type === 'UserMessage') this.prompt(raw, 'event', texts.join('\n'));
    else if (type === 'AgentMessage') this.answer(raw, texts.join('\n'));
    else if (type === 'Plan') this.answer(raw, string(item.text) ?? '');
    else if (type === 'Reasoning')
      for (const text of list(item.summary_text)) this.thought(raw, 'event', string(text) ?? '');
    else if (type === 'CommandExecution' || type === 'FileChange' || type === 'McpToolCall') this.work(raw, item);
    else this.repeat(raw);
  }

  /** What was done for a call of the model's is told by that call; what a script of code mode called, by nothing else. */
  private work(raw: Raw, item: Fields): void {
    const id = string(item.id) ?? '';
    if (this.calls.has(id) || item.source === 'user_shell') {
      this.repeat(raw);
      return;
    }
    const base = { type: 'work' as const, texts: [], callId: id };
    const outer = this.outer === undefined ? {} : { outer: this.outer };
    if (item.type === 'CommandExecution') {
      const command = list(item.command).map(String);
      const exitCode = typeof item.exit_code === 'number' ? { exitCode: item.exit_code } : {};
      const work = {
        ...outer,
        command: command.at(-1) ?? '',
        output: string(item.aggregated_output) ?? '',
        ...exitCode,
      };
      this.add(raw, { ...base, kind: 'command run in code mode', work });
    } else if (item.type === 'FileChange') {
      const work = { ...outer, paths: Object.keys(fields(item.changes)) };
      this.add(raw, { ...base, kind: 'change made in code mode', work });
    } else {
      const work = { ...outer, tool: string(item.tool) ?? '', input: item.arguments ?? null };
      this.add(raw, { ...base, kind: 'MCP call made in code mode', work });
    }
  }

  /** One interruption is told by an event, by a text in the user's name, or by both. */
  private interruption(raw: Raw, family: string, text: string): void {
    const twin = [...this.families.keys()].findLast((draft) => draft.kind === 'interruption, in a notice');
    if (twin !== undefined && this.families.get(twin) === other(family)) {
      this.families.delete(twin);
      twin.lines = [...twin.lines, raw.line];
      this.repeat(raw);
      return;
    }
    this.add(raw, { type: 'notice', kind: 'interruption, in a notice', texts: text === '' ? [] : [text] });
    const draft = this.drafts.at(-1);
    if (draft !== undefined) this.families.set(draft, family);
  }

  private compaction(raw: Raw): void {
    const message = string(raw.payload.message) ?? '';
    const texts = message.trim() === '' ? [] : [message];
    // The answer of the compaction's own call stands before it, told by no event.
    const answer = this.drafts.findLast((draft) => draft.type === 'assistant');
    const words = answer?.texts.join('\n').trim() ?? '';
    const isSummary = raw.payload.compaction_response_id !== undefined || message.includes(words);
    if (answer !== undefined && words !== '' && isSummary && this.families.get(answer) === 'response')
      answer.kind = 'summary before its compaction';
    this.add(raw, { type: 'notice', kind: 'compaction, in a notice', texts });
    for (const _ of list(raw.payload.replacement_history))
      this.add(raw, { type: 'notice', kind: 'history repeated by a compaction', texts: [] });
  }
}

/** What a text says. A plan is told as an item, and in tags as a message. */
const wordsOf = ({ texts }: Pick<Item, 'texts'>) =>
  texts
    .join('\n')
    .replace(/<\/?proposed_plan>/g, '')
    .trim();
const other = (family: string) => (family === 'event' ? 'response' : 'event');
const isCall = (payload: Fields) => /_call$/.test(string(payload.type) ?? '');

/** The exit code that a tool's output tells. */
function exitCodeOf(output: string): number | undefined {
  const head = output.slice(0, 100_000);
  const told =
    /^(?:Command: [\s\S]*?\n)?(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Exit code: |Process exited with code )(-?\d+)\n/.exec(
      head,
    );
  if (told !== null) return Number(told[1]);
  if (!output.startsWith('{')) return undefined;
  try {
    const code = fields(fields(JSON.parse(output) as Json).metadata).exit_code;
    return typeof code === 'number' ? code : undefined;
  } catch {
    return undefined;
  }
}

// ------------------------------------------------------------------------------------------------ tokens

const COUNTS = [
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_output_tokens',
  'total_tokens',
] as const;

interface Increase {
  readonly raw: Raw;
  readonly model: string;
  readonly usage: RawTokens;
}

const rawTokens = (value: Json | undefined): RawTokens => {
  const usage = {} as RawTokens;
  for (const name of COUNTS) usage[name] = number(fields(value)[name]);
  return usage;
};

/** By how much the total of a rollout grew, each time it was told. */
function increasesOf(file: RawFile): Increase[] {
  const increases: Increase[] = [];
  let model = '';
  let total = rawTokens(undefined);
  for (const raw of file.records) {
    if (raw.type === 'turn_context') model = string(raw.payload.model) ?? model;
    const told = fields(fields(raw.payload.info).total_token_usage);
    if (raw.payload.type !== 'token_count' || Object.keys(told).length === 0) continue;
    const next = rawTokens(told);
    const start = next.total_tokens < total.total_tokens ? rawTokens(undefined) : total;
    const usage = {} as RawTokens;
    for (const name of COUNTS) usage[name] = next[name] - start[name];
    increases.push({ raw, model, usage });
    total = next;
  }
  return increases;
}

/** What a session's own calls cost: as told for each answer, where that is told; else by how much the total grew. */
function tokensOf(file: RawFile, copied: ReadonlySet<Raw>): Record<string, Tokens> {
  const answers = answersOf(file);
  const increases = increasesOf(file);
  const first = increases[0];
  if (answers.length === 0 && first !== undefined && file.meta.history_base !== undefined) {
    // The total goes on from the parent's.
    const usage = rawTokens(fields(first.raw.payload.info).last_token_usage);
    increases[0] = { ...first, usage };
  }
  const own = (answers.length > 0 ? answers : increases).filter(({ raw }) => !copied.has(raw));
  return Object.fromEntries(Object.entries(sumUp(own)).map(([model, usage]) => [model, asTokens(usage)]));
}

/** One entry for each answer of the model. */
function answersOf(file: RawFile): Increase[] {
  const answers = new Map<string, Increase>();
  let model = '';
  for (const raw of file.records) {
    if (raw.type === 'turn_context') model = string(raw.payload.model) ?? model;
    if (raw.type !== 'token_usage_record') continue;
    const key = string(raw.payload.response_id) ?? `line ${raw.line}`;
    if (!answers.has(key)) answers.set(key, { raw, model, usage: rawTokens(raw.payload.usage) });
  }
  return [...answers.values()];
}

function sumUp(increases: readonly Increase[]): Record<string, RawTokens> {
  const sums: Record<string, RawTokens> = {};
  for (const { model, usage } of increases) {
    if (COUNTS.every((name) => usage[name] === 0)) continue;
    const sum = { ...(sums[model] ?? rawTokens(undefined)) };
    for (const name of COUNTS) sum[name] += usage[name];
    sums[model] = sum;
  }
  return sums;
}

export const asTokens = (usage: RawTokens): Tokens => ({
  input: usage.input_tokens - usage.cached_input_tokens,
  cacheRead: usage.cached_input_tokens,
  output: usage.output_tokens,
  reasoning: usage.reasoning_output_tokens,
});

export function addTokens(all: readonly Tokens[]): Tokens {
  const sum: Tokens = { input: 0, cacheRead: 0, output: 0, reasoning: 0 };
  for (const tokens of all) for (const name of Object.keys(sum) as (keyof Tokens)[]) sum[name] += tokens[name];
  return sum;
}

export function sumByModel(all: readonly Readonly<Record<string, Tokens>>[]): Record<string, Tokens> {
  const sums: Record<string, Tokens> = {};
  for (const [model, tokens] of all.flatMap((each) => Object.entries(each))) {
    const sum = addTokens([tokens, ...(sums[model] === undefined ? [] : [sums[model]])]);
    if (Object.values(sum).some((count) => count !== 0)) sums[model] = sum;
  }
  return sums;
}

// ------------------------------------------------------------------------------------------------ counts

function toolCallsOf(files: readonly RawFile[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type, payload } of files.flatMap((file) => file.records)) {
    if (type !== 'response_item' || !isCall(payload)) continue;
    const name = string(payload.name) ?? string(payload.type) ?? '';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function promptsOf(files: readonly RawFile[], rollouts: readonly Rollout[]) {
  const differences: Record<string, number> = {};
  let censusPrompts = 0;
  let prompts = 0;
  for (const [index, file] of files.entries()) {
    const counted = new Set(file.records.filter(isCensusPrompt).map(({ line }) => line));
    censusPrompts += counted.size;
    const items = rollouts[index]?.items ?? [];
    const opening = items.filter((item) => item.opens);
    prompts += opening.length;
    const differ = (name: string, by: number) => {
      differences[name] = (differences[name] ?? 0) + by;
    };
    for (const item of opening) {
      if (item.lines.some((line) => counted.has(line))) continue;
      const told = item.lines.length > 1 ? 'told by item_completed' : 'told by a response item alone';
      differ(`a prompt: ${item.kind === 'word for word' ? told : item.kind}`, 1);
    }
    for (const line of counted) {
      if (opening.some((item) => item.lines.includes(line))) continue;
      const item = items.find((each) => each.type === 'user' && each.lines.includes(line));
      differ(`not a prompt: ${item?.kind ?? 'no reason known'}`, -1);
    }
  }
  return { censusPrompts, prompts, promptDifferences: differences };
}

const isCensusPrompt = ({ type, payload }: Raw) => type === 'event_msg' && payload.type === 'user_message';
