import type { Where } from '../../transcript/index.ts';
import { type Fields, isFields, list, number, text, time } from '../fields.ts';
import type { Said } from '../session-teller.ts';
import type { Told } from './told.ts';
import { callOf, loggedArguments } from './tools.ts';

/** Types of lines that a tool writes: what it gave. */
const TOOLS: ReadonlySet<string> = new Set([
  'ASK_QUESTION',
  'BROWSER_SUBAGENT',
  'CODE_ACTION',
  'COMMAND_STATUS',
  'FIND',
  'GENERATE_IMAGE',
  'GENERIC',
  'GREP_SEARCH',
  'INVOKE_SUBAGENT',
  'LIST_DIRECTORY',
  'LIST_RESOURCES',
  'MCP_TOOL',
  'NOTIFY_USER',
  'READ_RESOURCE',
  'READ_URL_CONTENT',
  'RUN_COMMAND',
  'SEARCH_WEB',
  'SEND_COMMAND_INPUT',
  'TASK_BOUNDARY',
  'VIEW_FILE',
  'VIEW_FILE_OUTLINE',
]);
/** Types of lines that say nothing to a reader. */
const SILENT: ReadonlySet<string> = new Set([
  'CONVERSATION_HISTORY',
  'DIRECTORY_RULES',
  'EPHEMERAL_MESSAGE',
  'KNOWLEDGE_ARTIFACTS',
]);

/**
 * Tells the log of a conversation's steps, which Antigravity writes for the agent itself to read. Calls have no ids in
 * it: what tools gave follows the answer that called them, in order.
 */
export class LogTeller {
  private readonly told: Told;
  /** Calls of the last answer that nothing was given for yet. */
  private waiting: string[] = [];

  constructor(told: Told) {
    this.told = told;
  }

  line(record: Fields, where: Where): string | undefined {
    const { tell, notShown, id } = this.told;
    const type = text(record.type) ?? 'untyped';
    const at = time(record.created_at);
    const index = number(record.step_index);
    const seconds = at === undefined ? '' : `@${Math.floor(at / 1000)}`;
    const said: Said = { where, at, ...(index !== undefined && { record: `${id}/${index}${seconds}` }) };
    for (const field of list(record.truncated_fields)) notShown.add(`cut in the log: ${text(field) ?? 'a field'}`);
    const content = text(record.content);
    if (type === 'USER_INPUT') this.prompt(content ?? '', said);
    else if (type === 'PLANNER_RESPONSE') this.answer(record, index ?? where.line, said);
    else if (type === 'SYSTEM_MESSAGE') this.message(content, said);
    else if (type === 'ERROR_MESSAGE') this.failure(record, index, said);
    else if (type === 'CHECKPOINT') tell.notice('compaction', content, said);
    else if (SILENT.has(type)) {
      if (content !== undefined) notShown.add(`injected/${type}`);
    } else {
      this.gave(record, index, said, type);
      return TOOLS.has(type) ? undefined : `log:${type}`;
    }
    return undefined;
  }

  private prompt(content: string, said: Said): void {
    const { tell, notShown } = this.told;
    const { words, blocks } = promptIn(content);
    tell.turn(said);
    tell.text('user', words, said);
    for (const [name, block] of blocks) {
      notShown.add(`injected/${name}`);
      tell.model(MODEL.exec(block)?.[1]);
    }
  }

  private answer(record: Fields, index: number, said: Said): void {
    const { tell, cwd } = this.told;
    tell.thought(text(record.thinking), said);
    tell.text('assistant', text(record.content), said);
    this.waiting = list(record.tool_calls).flatMap((call, n) => {
      if (!isFields(call)) return [];
      const id = `${index}.${n}`;
      tell.called(callOf(id, text(call.name) ?? 'unknown', loggedArguments(call.args), cwd), said);
      return [id];
    });
    if (record.status === 'CANCELED') tell.notice('interruption', 'canceled', said);
  }

  /** What a tool gave. Nobody called the one that shows a file which the person gave. */
  private gave(record: Fields, index: number | undefined, said: Said, type: string): void {
    const { tell, ran, notShown, cwd } = this.told;
    const called = record.source === 'MODEL' ? this.waiting.shift() : undefined;
    const id = called ?? `${index ?? said.where.line}`;
    if (called === undefined) tell.called(callOf(id, type.toLowerCase(), {}, cwd), said);
    if (index !== undefined) ran.set(index, id);
    const content = text(record.content);
    const times = content === undefined ? null : TIMES.exec(content);
    if (times) notShown.add('injected/step times');
    const rest = content?.slice(times?.[0].length ?? 0);
    const words = rest === undefined ? undefined : withoutNumbers(rest);
    if (words !== rest) notShown.add('injected/line numbers');
    const log = TASK_LOG.exec(words ?? '')?.[1];
    const output = text(this.told.outputOf(log) ?? words);
    const code = exitCodeIn(words);
    tell.result(
      id,
      {
        isError: record.status === 'ERROR' || record.status === 'CANCELED' || (code !== undefined && code !== 0),
        ...(output !== undefined && { output }),
        ...(code !== undefined && { exitCode: code }),
        ...(log !== undefined && record.status === 'RUNNING' && { stage: 'runs-on' }),
      },
      { ...said, at: time(times?.[2] ?? times?.[1]) ?? said.at },
    );
  }

  /** A message of the system's: mostly that a task in the background is over, and how. */
  private message(content: string | undefined, said: Said): void {
    const { tell, notShown, ran } = this.told;
    if (content === undefined) return;
    const [, inner] = MESSAGE.exec(content) ?? [];
    if (inner !== undefined) notShown.add('injected/message wrapper');
    tell.notice('system', inner ?? content, said);
    const task = TASK.exec(content)?.[1];
    const call = task === undefined ? undefined : ran.get(Number(task));
    const code = exitCodeIn(content);
    if (call === undefined || code === undefined) return;
    tell.result(call, { isError: code !== 0, exitCode: code, stage: 'late' }, said);
  }

  /** An error: of the call that waits, where the model wrote one that cannot be run; else of the program. */
  private failure(record: Fields, index: number | undefined, said: Said): void {
    const { tell, ran, notShown } = this.told;
    const words = new Set([text(record.error), text(record.content)?.replace(TIMES, '')].flatMap((one) => one ?? []));
    const call = this.waiting.shift();
    if (call === undefined) {
      tell.notice('system', [...words][0], said);
      if (words.size > 1) notShown.add('injected/error guidance');
      return;
    }
    if (index !== undefined) ran.set(index, call);
    tell.result(call, { isError: true, output: [...words].join('\n') }, said);
  }
}

/** The text of a file that was shown, without the number before each of its lines and what says so. */
function withoutNumbers(content: string): string {
  const note = NOTE.exec(content);
  if (!note) return content;
  let next: number | undefined;
  // Where a part is left out, a line begins in its middle, and the numbers go on somewhere behind.
  let isCut = false;
  let isCode = true;
  const lines = content.slice(note.index + note[0].length).split('\n');
  const bare = lines.map((line) => {
    if (!isCode) return line;
    const number = NUMBER.exec(line);
    if (number && (next === undefined || Number(number[1]) === next)) {
      next = Number(number[1]) + 1;
      isCut = false;
      return line.slice(number[0].length);
    }
    isCode = LEFT_OUT.test(line) || isCut;
    isCut = LEFT_OUT.test(line);
    if (isCut) next = undefined;
    return line;
  });
  return content.slice(0, note.index) + bare.join('\n');
}

const NOTE = /^The following code has been modified to include a line number before every line[^\n]*\n/m;
const NUMBER = /^(\d+): /;
const LEFT_OUT = /^<truncated \d+ (?:bytes|lines)>$/;

const REQUEST = '<USER_REQUEST>';
const END = '</USER_REQUEST>';
/** What the program writes behind a prompt: the time, what the person set since. Seen in 2026-06. */
const BLOCK = /<([A-Z_]+)>\n?([\s\S]*?)<\/\1>/g;
const MODEL = /`Model Selection` from .* to (.+?)\. No need/;

/** A prompt as it was typed, and the blocks that stand behind it. */
function promptIn(content: string): { words: string; blocks: readonly (readonly [name: string, block: string])[] } {
  const end = content.lastIndexOf(END);
  if (!content.startsWith(REQUEST) || end < 0) return { words: content, blocks: [] };
  const typed = content.slice(REQUEST.length, end).replace(/^\n|\n$/g, '');
  const behind = content.slice(end + END.length);
  const blocks = [...behind.matchAll(BLOCK)].map(([, name = '', block = '']) => [name, block] as const);
  const rest = behind.replace(BLOCK, '').trim();
  return { words: rest === '' ? typed : `${typed}\n${rest}`, blocks };
}

/** What stands before what a tool gave. */
const TIMES = /^Created At: (\S+)\n(?:Completed At: (\S+)\n)?/;
const TASK_LOG = /^Tool is running as a background task[^\n]*\n[\s\S]*?^Task logs are available at: (\S.*)$/m;
const MESSAGE = /<SYSTEM_MESSAGE>\n([\s\S]*)\n<\/SYSTEM_MESSAGE>\s*$/;
const TASK = /Task id "[^"\n]*\/task-(\d+)" finished/;
const FAILED = /^\s*The command failed with exit code: (-?\d+)/m;
const DONE = /^\s*The command completed successfully\./m;

function exitCodeIn(content: string | undefined): number | undefined {
  if (content === undefined) return undefined;
  const failed = FAILED.exec(content);
  return failed ? Number(failed[1]) : DONE.test(content) ? 0 : undefined;
}
