import { dirname, join } from 'node:path';
import type { ToolKind } from '../../transcript/index.ts';
import { type Fields, fields, isFields, list, text } from '../fields.ts';
import type { NotShownCounter } from '../not-shown.ts';
import type { Called } from '../session-teller.ts';
import type { ToolResult } from '../source.ts';
import { textOfFile } from '../text-of-file.ts';

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['run_shell_command', 'shell'],
  ['read_file', 'read'],
  ['read_many_files', 'read'],
  ['list_directory', 'search'],
  ['glob', 'search'],
  ['grep_search', 'search'],
  ['search_file_content', 'search'],
  ['replace', 'edit'],
  ['edit', 'edit'],
  ['write_file', 'write'],
  ['web_fetch', 'web'],
  ['google_web_search', 'web'],
  ['web_search', 'web'],
  ['write_todos', 'plan'],
  ['todo_write', 'plan'],
  ['update_topic', 'plan'],
  ['enter_plan_mode', 'plan'],
  ['exit_plan_mode', 'plan'],
  ['invoke_agent', 'agent'],
  ['delegate_to_agent', 'agent'],
  ['codebase_investigator', 'agent'],
  ['task', 'agent'],
]);

export function kindOf(tool: string): ToolKind {
  return KINDS.get(tool) ?? (tool.startsWith('mcp_') ? 'mcp' : 'other');
}

/** A call as a message has it. */
export function callOf(call: Fields): Called {
  const name = text(call.name) ?? 'unknown';
  const kind = kindOf(name);
  const input = fields(call.args);
  return {
    callId: text(call.id),
    name,
    kind,
    input: call.args,
    paths: pathsOf(input, call),
    ...(kind === 'shell' && { command: text(input.command) }),
  };
}

/** The files that a call names, and that a change was shown of. */
export function pathsOf(input: Fields, call: Fields = {}): string[] {
  const shown = fields(call.resultDisplay).filePath;
  return [input.file_path, input.absolute_path, input.path, input.dir_path, ...list(input.paths), shown].flatMap(
    (path) => text(path) ?? [],
  );
}

/** Fields of a call that say its result once more: for the screen, or what a file was before and after. */
const REPEATED = ['fileDiff', 'originalContent', 'newContent', 'files', 'matches', 'recentActivity', 'todos'];

/** What a call gave; undefined of one that was never run. The sub-agent that ran is named by `agentId`. */
export function outcomeOf(
  call: Fields,
  chat: string,
  notShown: NotShownCounter,
): Omit<ToolResult, 'where' | 'at'> | undefined {
  const responses = list(call.result).map((one) => fields(fields(fields(one).functionResponse).response));
  const errors = responses.flatMap(({ error }) => text(error) ?? []);
  const texts = [
    ...responses.flatMap(({ output, error }) => text(output) ?? text(error) ?? []),
    ...list(call.result).flatMap((one) => text(fields(one).text) ?? []),
  ];
  const display = call.resultDisplay;
  const given = texts.length > 0 ? texts.join('\n') : text(display);
  if (isFields(display))
    for (const name of REPEATED) if (display[name] !== undefined) notShown.add(`resultDisplay ${name}`);
  if (typeof display === 'string' && given !== display && !given?.includes(display)) notShown.add('resultDisplay');
  if (given === undefined && call.status === undefined) return undefined;
  const output = given === undefined ? undefined : (offloaded(given, chat) ?? given);
  const exit = output === undefined ? null : /^Exit Code: (\d{1,3})\s*$/m.exec(output);
  const child = text(call.agentId);
  return {
    isError:
      call.status === 'error' || call.status === 'cancelled' || errors.length > 0 || (exit !== null && exit[1] !== '0'),
    ...(output !== undefined && { output }),
    ...(exit !== null && { exitCode: Number(exit[1]) }),
    ...(child !== undefined && { child }),
  };
}

/** More than this of an output that lies in a file of its own is not read. */
const MOST = 16 << 20;
const SPILLED = /tool-outputs[\\/](?:(session-[\w-]+)[\\/])?([\w.-]+\.txt)/;

/** The whole of an output of which the model was given a part: it lies beside the chats, and is read from there alone. */
function offloaded(given: string, chat: string): string | undefined {
  const found = SPILLED.exec(given);
  if (!found) return undefined;
  const chats = chat.lastIndexOf('chats');
  const outputs = join(chats < 0 ? dirname(chat) : chat.slice(0, chats), 'tool-outputs');
  const folder = found[1] === undefined ? outputs : join(outputs, found[1]);
  return textOfFile(join(folder, found[2]!), folder, MOST);
}

/** The text of a message: a text, or parts. */
export function textOfParts(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  const texts = list(content).flatMap((part) => (typeof part === 'string' ? part : (text(fields(part).text) ?? [])));
  return texts.length > 0 ? texts.join('\n') : undefined;
}
