/**
 * A witness of Claude Code histories. It shares no code with the reader: it walks the raw JSON of every transcript under
 * a home and says what a faithful product shows of it, item by item; what need not be found word for word has a named kind.
 *
 * What the census counts (`corpus/census.json`, reproduced here from the raw files):
 *
 *   sessions    files `projects/**` ending in .jsonl, but for `agent-*.jsonl` (sub-agent files) and `journal.jsonl`
 *   tool calls  distinct `tool_use.id` of assistant records; calls inside `progress/agent_progress` are left out
 *   tokens      one entry per `message.id` over the home, `agent_progress` included, the one with the largest output_tokens
 *   prompts     records of type `user` in session files that are no side chain, not isMeta, not isCompactSummary, hold no
 *               tool_result, hold some text, and do not begin with `<local-command-`, `<bash-stdout>`,
 *               `<task-notification>`, `[Request interrupted` or `Caveat:`
 *
 * The 490 of homes/claude are:
 *   362  that a person typed: 22 behind a block of editor context, 11 with images (one has both). An image alone
 *        (2cabbded:13) is not counted: its text is the next record.
 *    88  `Unknown skill: x`, what the program answered to a command that it does not know (85 of them in the probes of CodexBar)
 *    39  command envelopes: 32 that begin with `<command-name>`, 7 with `<command-message>`
 *     1  in the copied beginning of a forked file (12cd7dd6)
 * Portolan's prompts, those that open a turn, are 454 = 490 - 88 - 32 - 1 (of the command envelopes the model answers those
 * that begin with `<command-message>`), and besides
 *    74  tasks of sub-agents: 78 files, 4 of them warm-ups of one answer without a question
 *    10  typed while the agent was busy, delivered as attachment queued_command (6 more of these are task notifications)
 *     1  on the side chain inside 87a3ed75
 * The 191 of natural/cli are 174 typed ones and 17 command envelopes. `promptDifferences` counts all this from the files.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type Broken, type Fields, fields, type Json, list, number, readValues, string } from './jsonl.ts';

/** How an item must be found. What is not `word for word` is a named kind, counted in `Survey.kinds`. */
export type Kind =
  /** In a part of its own type, once, in the file's order. */
  | 'word for word'
  // --- found elsewhere than in a text of the user
  | 'editor context or reminder, in a notice'
  | 'command envelope, in a notice'
  | 'command that the model answered, as a prompt'
  | 'shell command typed by the user, in a notice'
  | 'what a command answered, in a notice'
  | 'unknown command answered, in a notice'
  | 'text that the program injected, in a notice'
  | 'interruption, in a notice'
  | 'task notification, in a notice'
  | 'summary of a compaction, in a notice'
  | 'text beside a tool result'
  | 'result without its call'
  // --- found as another text
  | 'spilled output, found whole'
  | 'spilled output, its file is missing'
  // --- may be found, in a notice or as a text; opens no turn
  | 'typed while the agent was busy, told by the queue alone'
  // --- found in a notice that says so
  | 'typed while the agent was busy, then taken back'
  | 'what a hook said, in a notice'
  | 'details of an API error, in a notice'
  // --- must not be shown
  | 'caveat before local commands'
  | 'reminder for the model'
  // --- need not be found
  | 'replayed record'
  | 'record written twice'
  | 'copy of a sub-agent in agent_progress'
  | 'sub-agent known from agent_progress alone'
  | 'blank text'
  | 'thinking not disclosed'
  | 'block of another type'
  | 'image';

/** Kinds whose text need not be found in the session's own turns. */
export const ABSENT: ReadonlySet<Kind> = new Set<Kind>([
  'replayed record',
  'record written twice',
  'copy of a sub-agent in agent_progress',
  'caveat before local commands',
  'blank text',
  'thinking not disclosed',
  'block of another type',
  'image',
  'reminder for the model',
]);

/** Kinds whose text is no content. */
export const FORBIDDEN: ReadonlySet<Kind> = new Set<Kind>(['caveat before local commands', 'reminder for the model']);

/** Shown where the queue handed it over. */
export const QUEUED: Kind = 'typed while the agent was busy, told by the queue alone';

export type ItemType = 'user' | 'assistant' | 'thinking' | 'call' | 'output' | 'image';

/** A piece of a transcript that a reader of the history may look for. */
export interface Item {
  readonly type: ItemType;
  readonly kind: Kind;
  /** Text of a text, a thinking or an output; for an output its blocks one by one. */
  readonly texts: readonly string[];
  readonly callId?: string;
  readonly name?: string;
  readonly input?: Json;
  readonly isError?: boolean;
  readonly line: number;
  readonly uuid?: string;
  /** On a side chain inside a session's own file: it belongs to a sub-agent's session. */
  readonly inline: boolean;
  /** A prompt by Portolan's rule: it opens a turn. */
  readonly opens: boolean;
}

/** The four token counts of a call, in the census's words. */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

export interface Transcript {
  readonly path: string;
  /** Below `.claude/projects/`, with slashes. */
  readonly name: string;
  readonly stem: string;
  readonly isAgent: boolean;
  /** The stem of the session that started this agent: the folder's, else the records' session id. */
  readonly parent?: string;
  readonly items: Item[];
  readonly broken: readonly Broken[];
  readonly records: number;
  readonly types: Readonly<Record<string, number>>;
}

export interface Survey {
  readonly transcripts: Transcript[];
  readonly sessions: number;
  readonly agentFiles: number;
  readonly toolCalls: Readonly<Record<string, number>>;
  readonly distinctToolCalls: number;
  readonly tokens: Readonly<Record<string, Usage>>;
  /** Every call by its message id, with the transcript that it counts in. */
  readonly calls: ReadonlyMap<string, { readonly model: string; readonly file: string; readonly usage: Usage }>;
  /** Tokens of each transcript by the forks' rule: a call counts in the file that owns its record. */
  readonly tokensByFile: ReadonlyMap<string, Usage>;
  readonly censusPrompts: number;
  readonly prompts: number;
  /** From the census's prompts to Portolan's, each difference with its signed count; all together they add up. */
  readonly promptDifferences: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
}

/** A record with its place, and what the whole home says about it. */
interface Raw {
  readonly file: RawFile;
  readonly record: Fields;
  readonly line: number;
  readonly index: number;
  readonly uuid?: string;
}

interface RawFile {
  readonly path: string;
  readonly name: string;
  readonly stem: string;
  readonly isAgent: boolean;
  readonly records: Raw[];
  readonly broken: readonly Broken[];
  readonly uuids: ReadonlySet<string>;
}

/** Everything that is to be known of the Claude Code history in a folder that holds `.claude/`. */
export function surveyClaude(home: string): Survey {
  const root = join(home, '.claude', 'projects');
  const files = transcriptPaths(root).map((path) => readTranscript(root, path));
  return surveyFiles(files);
}

/** The same for transcripts that lie anywhere. */
export function surveyTranscripts(root: string, paths: readonly string[]): Survey {
  return surveyFiles(paths.map((path) => readTranscript(root, path)));
}

function surveyFiles(files: readonly RawFile[]): Survey {
  const owners = ownersOf(files);
  const agentIds = new Set(files.filter((file) => file.isAgent).map((file) => file.stem.replace(/^agent-/, '')));
  const transcripts = files.map((file) => transcriptOf(file, owners, agentIds));
  const calls = callsOf(files);
  const tools = toolCallsOf(files);
  const counted = promptsOf(files, transcripts);
  const kinds: Partial<Record<Kind, number>> = {};
  for (const item of transcripts.flatMap((each) => each.items)) {
    kinds[item.kind] = (kinds[item.kind] ?? 0) + 1;
  }
  return {
    transcripts,
    sessions: files.filter((file) => !file.isAgent).length,
    agentFiles: files.filter((file) => file.isAgent).length,
    toolCalls: tools,
    distinctToolCalls: Object.values(tools).reduce((a, b) => a + b, 0),
    tokens: sumBy(calls, (call) => call.model),
    calls: new Map(
      calls.map((call) => [call.key, { model: call.model, file: ownerOfCall(call, owners).name, usage: call.usage }]),
    ),
    tokensByFile: new Map(Object.entries(sumBy(calls, (call) => ownerOfCall(call, owners).name))),
    ...counted,
    kinds,
  };
}

// ------------------------------------------------------------------------------------------------ files

/** Every `*.jsonl` below a folder that is a transcript, sorted by path. */
export function transcriptPaths(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl') && entry.name !== 'journal.jsonl')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function readTranscript(root: string, path: string): RawFile {
  const { values, broken } = readValues(path);
  const stem = basename(path, '.jsonl');
  const file: RawFile = {
    path,
    name: relative(root, path).split(sep).join('/'),
    stem,
    isAgent: stem.startsWith('agent-'),
    records: [],
    broken,
    uuids: new Set(values.map(({ value }) => string(fields(value).uuid)).filter((uuid) => uuid !== undefined)),
  };
  for (const [index, { value, line }] of values.entries()) {
    const record = fields(value);
    const uuid = string(record.uuid);
    file.records.push({ file, record, line, index, ...(uuid === undefined ? {} : { uuid }) });
  }
  return file;
}

// ------------------------------------------------------------------------------------------------ copies of records

/**
 * The file that a record belongs to, for each record that stands in several: of two files with common records
 *   1. a session comes before a sub-agent that replays it (a question aside, a compaction: they are parts of it);
 *   2. else the one that ends inside the common run: the other goes on from it;
 *   3. else the one whose first record that the other has not is the earlier;
 *   4. else by path.
 */
function ownersOf(files: readonly RawFile[]): ReadonlyMap<string, RawFile> {
  const holders = new Map<string, RawFile[]>();
  for (const file of files) {
    for (const uuid of file.uuids) {
      const known = holders.get(uuid);
      if (known === undefined) holders.set(uuid, [file]);
      else known.push(file);
    }
  }
  const owners = new Map<string, RawFile>();
  for (const [uuid, holding] of holders) {
    if (holding.length === 1) continue;
    const owner = holding.find((a) => holding.every((b) => a === b || comesBefore(a, b)));
    if (owner === undefined) throw new Error(`no file owns record ${uuid}: ${holding.map((each) => each.name)}`);
    owners.set(uuid, owner);
  }
  return owners;
}

function comesBefore(a: RawFile, b: RawFile): boolean {
  if (a.isAgent !== b.isAgent) return b.isAgent;
  const endsInside = (one: RawFile, other: RawFile) => {
    const last = one.records.findLast((raw) => raw.uuid !== undefined);
    return last?.uuid !== undefined && other.uuids.has(last.uuid);
  };
  if (endsInside(a, b) !== endsInside(b, a)) return endsInside(a, b);
  const firstOwn = (one: RawFile, other: RawFile) => {
    const own = one.records.find((raw) => raw.uuid !== undefined && !other.uuids.has(raw.uuid));
    const at = Date.parse(string(own?.record.timestamp) ?? '');
    return Number.isNaN(at) ? Number.POSITIVE_INFINITY : at;
  };
  const [ownA, ownB] = [firstOwn(a, b), firstOwn(b, a)];
  return ownA === ownB ? a.path < b.path : ownA < ownB;
}

// ------------------------------------------------------------------------------------------------ items

function transcriptOf(file: RawFile, owners: ReadonlyMap<string, RawFile>, agentIds: ReadonlySet<string>): Transcript {
  const seen = new Set<string>();
  // A result may stand before the line of its call: several calls run at once.
  const called: Called = {
    own: new Map(file.records.flatMap(({ record }) => (record.type === 'assistant' ? callsIn(record) : []))),
    inProgress: new Map(file.records.flatMap(({ record }) => messagesInProgress(record).flatMap(callsIn))),
  };
  const heard = new Set<string>();
  const items: Item[] = [];
  const queue = new Queue();
  const types: Record<string, number> = {};
  for (const raw of file.records) {
    const type = string(raw.record.type) ?? '?';
    types[type] = (types[type] ?? 0) + 1;
    const elsewhere = copyKind(raw, owners, seen);
    if (raw.uuid !== undefined) seen.add(raw.uuid);
    for (const item of itemsOf(raw, called, agentIds, queue, heard)) {
      items.push(elsewhere === undefined ? item : { ...item, kind: elsewhere, opens: false });
    }
  }
  const parent = parentOf(file);
  return {
    path: file.path,
    name: file.name,
    stem: file.stem,
    isAgent: file.isAgent,
    ...(parent === undefined ? {} : { parent }),
    items,
    broken: file.broken,
    records: file.records.length,
    types,
  };
}

/** Names of calls by their ids: those of the file's own messages, and those of messages that progress records wrap. */
interface Called {
  readonly own: ReadonlyMap<string, string>;
  readonly inProgress: ReadonlyMap<string, string>;
}

const callsIn = (record: Fields): [string, string][] =>
  list(fields(record.message).content)
    .map(fields)
    .filter((block) => block.type === 'tool_use')
    .map((block) => [String(block.id), String(block.name)]);

const messagesInProgress = (record: Fields): Fields[] => {
  const data = fields(record.data);
  return [...list(data.normalizedMessages).map(fields), fields(data.message)];
};

function copyKind(raw: Raw, owners: ReadonlyMap<string, RawFile>, seen: ReadonlySet<string>): Kind | undefined {
  if (raw.uuid === undefined) return undefined;
  if (seen.has(raw.uuid)) return 'record written twice';
  const owner = owners.get(raw.uuid);
  return owner !== undefined && owner !== raw.file ? 'replayed record' : undefined;
}

function parentOf(file: RawFile): string | undefined {
  if (!file.isAgent) return undefined;
  const folder = /([^/]+)\/subagents\//.exec(file.name)?.[1];
  // `projects/<slug>/subagents/` has no session's folder above it.
  if (folder !== undefined && file.name.split('/').indexOf('subagents') >= 2) return folder;
  for (const { record } of file.records) {
    const id = string(record.sessionId);
    if (id !== undefined) return id;
  }
  return undefined;
}

function* itemsOf(
  raw: Raw,
  called: Called,
  agentIds: ReadonlySet<string>,
  queue: Queue,
  heard: Set<string>,
): Generator<Item> {
  const { record } = raw;
  if (record.type === 'user') yield* userItems(raw, record, called.own);
  else if (record.type === 'assistant') yield* assistantItems(raw, record);
  else if (record.type === 'attachment') yield* attachedItems(raw);
  else if (record.type === 'system') yield* stopHookItems(raw);
  else if (record.type === 'progress') yield* progressItems(raw, agentIds, called, heard);
  else if (record.type === 'queue-operation') yield* queue.items(raw);
  queue.see(record);
}

/** What all items of a record have in common. */
function placeOf(raw: Raw) {
  return {
    line: raw.line,
    ...(raw.uuid === undefined ? {} : { uuid: raw.uuid }),
    inline: !raw.file.isAgent && raw.record.isSidechain === true,
    opens: false,
  };
}

function* userItems(raw: Raw, record: Fields, called: ReadonlyMap<string, string>): Generator<Item> {
  const content = fields(record.message).content;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(fields);
  const besideResult = blocks.some((block) => block.type === 'tool_result');
  const place = placeOf(raw);
  // A record opens one turn, however many blocks it has.
  let opened = false;
  for (const block of blocks) {
    if (block.type === 'tool_result') yield outputItem(raw, block, called);
    else if (block.type === 'image') yield { ...place, type: 'image', kind: 'image', texts: [] };
    else if (block.type === 'text') {
      for (const { text, kind } of userTexts(record, string(block.text) ?? '')) {
        const isAsked = kind === 'word for word' || kind === 'command that the model answered, as a prompt';
        const isPrompt = isAsked && !besideResult && notFromTheProgram(record);
        yield {
          ...place,
          type: 'user',
          kind: kind === 'word for word' && besideResult ? 'text beside a tool result' : kind,
          texts: [text],
          opens: isPrompt && !opened,
        };
        opened ||= isPrompt;
      }
    }
  }
}

/** A record that the program wrote in the user's name says where it comes from. */
const notFromTheProgram = (record: Fields) => string(fields(record.origin).kind) !== 'task-notification';

const WRAPPERS = ['system-reminder', 'ide_opened_file', 'ide_selection', 'ide_diagnostics'];
const WRAPPER = new RegExp(`^\\s*<(${WRAPPERS.join('|')})>[\\s\\S]*?</\\1>\\s*`);

/** Reminders are known by what they begin with; a person may begin a prompt with the same tag. */
const FOR_THE_MODEL = ['>This is a side question from the user. You must answer'];

/** A user's text block in its pieces, each with the way it must be found. */
function* userTexts(record: Fields, text: string): Generator<{ text: string; kind: Kind }> {
  if (text.trim() === '') return yield { text, kind: 'blank text' };
  const kind = wholeTextKind(record, text);
  if (kind === 'summary of a compaction, in a notice') return yield { text: withoutToolsUsed(text), kind };
  if (kind !== undefined) return yield { text, kind };
  let rest = text;
  for (let found = WRAPPER.exec(rest); found !== null; found = WRAPPER.exec(rest)) {
    const isForTheModel = FOR_THE_MODEL.some((opening) => found[0].includes(opening));
    yield {
      text: found[0],
      kind: isForTheModel ? 'reminder for the model' : 'editor context or reminder, in a notice',
    };
    rest = rest.slice(found[0].length);
  }
  if (rest.trim() !== '') yield { text: rest, kind: 'word for word' };
}

/** The program tells the model in the summary which tools it had used. */
function withoutToolsUsed(summary: string): string {
  const from = summary.indexOf('<system-reminder>\n<tools-used-before-summary>');
  const end = '</system-reminder>\n';
  return from < 0 ? summary : summary.slice(0, from) + summary.slice(summary.indexOf(end, from) + end.length);
}

function wholeTextKind(record: Fields, text: string): Kind | undefined {
  const start = text.trimStart();
  if (record.isCompactSummary === true) return 'summary of a compaction, in a notice';
  if (/^(<local-command-caveat>|Caveat: The messages below)/.test(start)) return 'caveat before local commands';
  if (record.isMeta === true)
    return start.startsWith('<system-reminder>')
      ? 'reminder for the model'
      : 'text that the program injected, in a notice';
  if (!notFromTheProgram(record)) return 'task notification, in a notice';
  if (/^<local-command-stdout><\/local-command-stdout>$/.test(start.trimEnd())) return 'blank text';
  if (/^<local-command-/.test(start) || /^<bash-std/.test(start)) return 'what a command answered, in a notice';
  if (start.startsWith('<command-message>')) return 'command that the model answered, as a prompt';
  if (start.startsWith('<command-name>')) return 'command envelope, in a notice';
  if (start.startsWith('<bash-input>')) return 'shell command typed by the user, in a notice';
  if (start.startsWith('<task-notification>')) return 'task notification, in a notice';
  if (start.startsWith('[Request interrupted')) return 'interruption, in a notice';
  if (/^Unknown (skill|slash command): \S+$/.test(start.trimEnd())) return 'unknown command answered, in a notice';
  return undefined;
}

function outputItem(raw: Raw, block: Fields, called: ReadonlyMap<string, string>): Item {
  const callId = string(block.tool_use_id);
  const content = block.content;
  const texts = (typeof content === 'string' ? [content] : list(content).map((each) => string(fields(each).text) ?? ''))
    .map((text) => (called.get(callId ?? '') === 'Read' ? linesOfTheFile(text) : text))
    // An image inside a result has no text, neither has a reference to a tool.
    .filter((text) => text.trim() !== '');
  const spilled = spilledTo(raw.file, texts.join('\n'));
  const base = {
    ...placeOf(raw),
    type: 'output' as const,
    ...(callId === undefined ? {} : { callId }),
    isError: block.is_error === true,
  };
  if (texts.length === 0) return { ...base, kind: 'blank text', texts };
  if (callId === undefined || !called.has(callId)) return { ...base, kind: 'result without its call', texts };
  if (spilled === undefined) return { ...base, kind: 'word for word', texts };
  if (!existsSync(spilled)) return { ...base, kind: 'spilled output, its file is missing', texts };
  return { ...base, kind: 'spilled output, found whole', texts: [readFileSync(spilled, 'utf8')] };
}

/**
 * What the reading tool found in the file. The program gives each line its number, counting on, and writes its reminders
 * before the first and behind the last of them.
 */
function linesOfTheFile(text: string): string {
  const lines = text.split('\n');
  const numberOf = (line: string | undefined) => Number(/^ *(\d+)(?:→|\t)/.exec(line ?? '')?.[1] ?? Number.NaN);
  const first = lines.findIndex((line) => !Number.isNaN(numberOf(line)));
  if (first < 0) return isReminders(text) ? '' : text;
  let last = first;
  while (numberOf(lines[last + 1]) === numberOf(lines[last]) + 1) last += 1;
  const [before, after] = [lines.slice(0, first).join('\n'), lines.slice(last + 1).join('\n')];
  if (!isReminders(before)) return text;
  const own = lines.slice(first, last + 1).map((line) => line.slice(line.search(/[→\t]/) + 1));
  return (isReminders(after) ? own : [...own, after]).join('\n');
}

const isReminders = (text: string) =>
  text
    .split('</system-reminder>')
    .every((piece) => piece.trim() === '' || piece.trim().startsWith('<system-reminder>'));

/** Where the whole of an output lies that was too long for the transcript: beside the session that the agent is of. */
function spilledTo(file: RawFile, text: string): string | undefined {
  if (!text.trimStart().startsWith('<persisted-output>')) return undefined;
  const name = /saved to: (.*)/.exec(text)?.[1]?.trim().split(/[\\/]/).at(-1);
  if (name === undefined) return undefined;
  const session = file.isAgent
    ? file.path.slice(0, file.path.lastIndexOf(`${sep}subagents${sep}`))
    : join(dirname(file.path), file.stem);
  return join(session, 'tool-results', name);
}

function* assistantItems(raw: Raw, record: Fields): Generator<Item> {
  const content = fields(record.message).content;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(fields);
  const place = placeOf(raw);
  for (const block of blocks) {
    if (block.type === 'text') {
      const text = string(block.text) ?? '';
      yield { ...place, type: 'assistant', kind: text.trim() === '' ? 'blank text' : 'word for word', texts: [text] };
    } else if (block.type === 'thinking') {
      const text = string(block.thinking) ?? '';
      const kind = text.trim() === '' ? 'thinking not disclosed' : 'word for word';
      yield { ...place, type: 'thinking', kind, texts: [text] };
    } else if (block.type === 'tool_use') {
      const callId = string(block.id);
      const name = string(block.name);
      yield {
        ...place,
        type: 'call',
        kind: 'word for word',
        texts: [],
        ...(callId === undefined ? {} : { callId }),
        ...(name === undefined ? {} : { name }),
        input: block.input ?? null,
      };
    } else {
      // Redacted thinking; in a fixture, a note that another model took over. None of the real files has one.
      yield { ...place, type: 'assistant', kind: 'block of another type', texts: [] };
    }
  }
  const details = string(record.errorDetails);
  if (details !== undefined && details !== '')
    yield { ...place, type: 'user', kind: 'details of an API error, in a notice', texts: [details] };
}

/** What hooks said, and prompts that were typed while the agent was busy. */
function* attachedItems(raw: Raw): Generator<Item> {
  const attachment = fields(raw.record.attachment);
  if (attachment.type === 'queued_command') return yield* queuedItems(raw, attachment);
  if (!string(attachment.type)?.startsWith('hook_')) return;
  const { content, stderr, blockingError } = attachment;
  const said = [
    ...(typeof content === 'string' ? [content] : list(content)),
    stderr,
    fields(blockingError).blockingError,
  ];
  yield* hookItems(raw, said);
}

function* stopHookItems(raw: Raw): Generator<Item> {
  const { subtype, hookErrors, hookAdditionalContext, stopReason } = raw.record;
  if (subtype !== 'stop_hook_summary') return;
  yield* hookItems(raw, [...list(hookErrors), ...list(hookAdditionalContext), stopReason]);
}

function* hookItems(raw: Raw, said: readonly (Json | undefined)[]): Generator<Item> {
  for (const each of said) {
    const text = string(each) ?? string(fields(each).text) ?? '';
    if (text.trim() !== '')
      yield { ...placeOf(raw), type: 'user', kind: 'what a hook said, in a notice', texts: [text] };
  }
}

/** A prompt that was typed while the agent was busy comes as an attachment; so do notices of background tasks. */
function* queuedItems(raw: Raw, attachment: Fields): Generator<Item> {
  const prompt = attachment.prompt;
  const texts = typeof prompt === 'string' ? [prompt] : list(prompt).map((block) => string(fields(block).text) ?? '');
  const fromTask =
    fields(attachment.origin).kind === 'task-notification' || attachment.commandMode === 'task-notification';
  let opened = false;
  for (const block of texts) {
    for (const { text, kind } of userTexts({}, block)) {
      const found = kind === 'word for word' && fromTask ? 'task notification, in a notice' : kind;
      const opens: boolean = found === 'word for word' && !opened;
      yield { ...placeOf(raw), type: 'user', kind: found, texts: [text], opens };
      opened ||= opens;
    }
  }
}

/**
 * What is typed while the agent is busy is queued. The queue gives it up as a prompt (`dequeue`), or gives it to the turn
 * that runs (`remove`): versions from 2.1.101 on then write an attachment, older ones nothing, and the queue alone has
 * the text. A command that was queued is told by what it did, a task notification by its task.
 */
class Queue {
  private waiting: string[] = [];
  private version = '';

  see(record: Fields): void {
    this.version = string(record.version) ?? this.version;
  }

  *items(raw: Raw): Generator<Item> {
    const { operation, content } = raw.record;
    const text = string(content)?.trim();
    if (operation === 'popAll') {
      for (const waited of this.waiting.splice(0))
        if (!/^(\/|<task-notification>)/.test(waited))
          yield {
            ...placeOf(raw),
            type: 'user',
            kind: 'typed while the agent was busy, then taken back',
            texts: [waited],
          };
    }
    if (operation === 'enqueue' && text !== undefined) this.waiting.push(text);
    if (operation === 'dequeue') this.waiting.shift();
    if (operation !== 'remove') return;
    const index = text === undefined ? 0 : this.waiting.indexOf(text);
    const removed = index < 0 ? undefined : this.waiting.splice(index, 1)[0];
    const patch = Number(/^2\.1\.(\d+)/.exec(this.version)?.[1] ?? (this.version.startsWith('2.0') ? 0 : 999));
    if (removed === undefined || patch >= 101 || /^(\/|<task-notification>)/.test(removed)) return;
    const kind = 'typed while the agent was busy, told by the queue alone';
    yield { ...placeOf(raw), type: 'user', kind, texts: [removed] };
  }
}

/** What a sub-agent does is copied into its parent's file while it runs. */
function* progressItems(raw: Raw, agentIds: ReadonlySet<string>, called: Called, heard: Set<string>): Generator<Item> {
  const data = fields(raw.record.data);
  if (data.type !== 'agent_progress') return;
  // A message stands where it is met first: some have no record of their own, and are only repeated.
  for (const message of messagesInProgress(raw.record)) {
    const uuid = string(message.uuid);
    if (uuid !== undefined && heard.has(uuid)) continue;
    if (uuid !== undefined) heard.add(uuid);
    yield* wrappedItems(raw, message, data, agentIds, called);
  }
}

function* wrappedItems(
  raw: Raw,
  message: Fields,
  data: Fields,
  agentIds: ReadonlySet<string>,
  called: Called,
): Generator<Item> {
  const kind: Kind = agentIds.has(string(data.agentId) ?? '')
    ? 'copy of a sub-agent in agent_progress'
    : 'sub-agent known from agent_progress alone';
  const inner: Raw = { ...raw, record: message };
  const items = message.type === 'user' ? userItems(inner, message, called.inProgress) : assistantItems(inner, message);
  const isInline = kind === 'sub-agent known from agent_progress alone';
  for (const item of items) {
    const isBlank = item.kind === 'blank text' || item.kind === 'thinking not disclosed';
    yield {
      ...item,
      kind: isBlank ? item.kind : kind,
      line: raw.line,
      inline: isInline,
      opens: isInline && item.type === 'user',
    };
  }
}

// ------------------------------------------------------------------------------------------------ counts

interface Call {
  readonly key: string;
  readonly model: string;
  readonly usage: Usage;
  readonly holders: Raw[];
}

const USAGE = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;
const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

/** One call a message id: of its lines, wherever they stand, the one with the largest output, the last of equals. */
function callsOf(files: readonly RawFile[]): Call[] {
  const calls = new Map<string, Call>();
  for (const raw of files.flatMap((file) => file.records)) {
    const message = fields(messageOf(raw.record)?.message);
    const usage = fields(message.usage);
    const model = string(message.model);
    // A message of the program's own carries a usage of nothing but zeros.
    if (message.usage === undefined || model === undefined || model === '<synthetic>') continue;
    const key = string(message.id) ?? raw.uuid ?? `${raw.file.name}:${raw.index}`;
    const known = calls.get(key);
    const holders = [...(known?.holders ?? []), raw];
    if (known !== undefined && number(usage.output_tokens) < known.usage.output_tokens) {
      calls.set(key, { ...known, holders });
    } else {
      const counts = { ...NO_USAGE };
      for (const name of USAGE) counts[name] = number(usage[name]);
      calls.set(key, { key, model, usage: counts, holders });
    }
  }
  return [...calls.values()];
}

/** The record of an assistant's message: itself, or the one that `agent_progress` wraps. */
function messageOf(record: Fields): Fields | undefined {
  if (record.type === 'assistant') return record;
  const data = fields(record.data);
  const inner = fields(data.message);
  return record.type === 'progress' && data.type === 'agent_progress' && inner.type === 'assistant' ? inner : undefined;
}

/** A call belongs to the owner of its first record; a copy in `agent_progress` only if the agent has no file. */
function ownerOfCall(call: Call, owners: ReadonlyMap<string, RawFile>): RawFile {
  const own = call.holders.find((raw) => raw.record.type === 'assistant') ?? call.holders[0];
  if (own === undefined) throw new Error(`call ${call.key} stands nowhere`);
  return (own.uuid === undefined ? undefined : owners.get(own.uuid)) ?? own.file;
}

function sumBy(calls: readonly Call[], keyOf: (call: Call) => string): Record<string, Usage> {
  const sums: Record<string, Usage> = {};
  for (const call of calls) {
    const key = keyOf(call);
    const sum = { ...(sums[key] ?? NO_USAGE) };
    for (const name of USAGE) sum[name] += call.usage[name];
    sums[key] = sum;
  }
  return sums;
}

function toolCallsOf(files: readonly RawFile[]): Record<string, number> {
  const names = new Map<string, string>();
  for (const { record } of files.flatMap((file) => file.records)) {
    if (record.type !== 'assistant') continue;
    for (const block of list(fields(record.message).content).map(fields)) {
      if (block.type === 'tool_use') names.set(String(block.id), String(block.name));
    }
  }
  const counts: Record<string, number> = {};
  for (const name of names.values()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

// ------------------------------------------------------------------------------------------------ prompts

function promptsOf(files: readonly RawFile[], transcripts: readonly Transcript[]) {
  const differences: Record<string, number> = {};
  const differ = (name: string, by: number) => {
    differences[name] = (differences[name] ?? 0) + by;
  };
  let censusPrompts = 0;
  let prompts = 0;
  for (const [index, file] of files.entries()) {
    const transcript = transcripts[index];
    const counted = new Set(file.records.filter(isCensusPrompt));
    censusPrompts += counted.size;
    const opening = transcript?.items.filter((item) => item.opens) ?? [];
    prompts += opening.length;
    const itemsByLine = Map.groupBy(transcript?.items ?? [], (item) => item.line);
    for (const raw of file.records) {
      const items = (itemsByLine.get(raw.line) ?? []).filter((item) => item.type === 'user');
      const opens = items.some((item) => item.opens);
      if (counted.has(raw) && !opens) {
        const kind = items.find((item) => item.kind !== 'word for word')?.kind ?? 'no reason known';
        differ(`not a prompt: ${kind}`, -1);
      } else if (!counted.has(raw) && opens) {
        const inline = items.some((item) => item.inline);
        const why = file.isAgent
          ? "a sub-agent's task"
          : inline
            ? 'the task of a sub-agent inside a session'
            : undefined;
        differ(
          `a prompt: ${why ?? (raw.record.type === 'attachment' ? 'queued while the agent was busy' : 'no reason known')}`,
          1,
        );
      }
    }
  }
  return { censusPrompts, prompts, promptDifferences: differences };
}

/** The census's rule; see the top of this file. */
function isCensusPrompt({ file, record }: Raw): boolean {
  if (file.isAgent || record.type !== 'user' || record.isSidechain === true) return false;
  if (record.isMeta === true || record.isCompactSummary === true) return false;
  const content = fields(record.message).content;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(fields);
  if (blocks.some((block) => block.type === 'tool_result')) return false;
  const text = blocks.map((block) => string(block.text) ?? '').join('');
  return (
    text.trim() !== '' &&
    !/^\s*(<local-command-|<bash-stdout>|<task-notification>|\[Request interrupted|Caveat:)/.test(text)
  );
}
