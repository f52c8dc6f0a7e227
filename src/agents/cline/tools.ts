import type { ToolKind } from '../../transcript/index.ts';
import { type Fields, fields, list, text } from '../fields.ts';
import type { Called } from '../session-teller.ts';

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['execute_command', 'shell'],
  ['run_commands', 'shell'],
  ['read_file', 'read'],
  ['read_files', 'read'],
  ['write_to_file', 'write'],
  ['new_rule', 'write'],
  ['replace_in_file', 'edit'],
  ['apply_diff', 'edit'],
  ['apply_patch', 'edit'],
  ['insert_content', 'edit'],
  ['search_and_replace', 'edit'],
  ['edit_file', 'edit'],
  ['editor', 'edit'],
  ['search_files', 'search'],
  ['search_codebase', 'search'],
  ['codebase_search', 'search'],
  ['list_files', 'search'],
  ['list_code_definition_names', 'search'],
  ['browser_action', 'web'],
  ['web_fetch', 'web'],
  ['web_search', 'web'],
  ['fetch_web_content', 'web'],
  ['use_mcp_tool', 'mcp'],
  ['access_mcp_resource', 'mcp'],
  ['new_task', 'agent'],
  ['use_subagents', 'agent'],
  ['spawn_agent', 'agent'],
  ['update_todo_list', 'plan'],
  ['focus_chain', 'plan'],
  ['switch_mode', 'plan'],
]);

/** The arguments in which a tool that speaks to the person says its words. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['attempt_completion', ['result', 'command']],
  ['ask_followup_question', ['question', 'options', 'follow_up']],
  ['plan_mode_respond', ['response', 'options']],
]);

/** Whether a tool is how the agent speaks to the person. */
export function speaks(name: string): boolean {
  return WORDS.has(name);
}

/** What a call says to the person; undefined where it is a call that does something. */
export function wordsOf(name: string, input: unknown): string | undefined {
  const words = WORDS.get(name)?.map((key) => fields(input)[key]);
  if (words === undefined) return undefined;
  return words.flatMap((word) => (Array.isArray(word) ? word : [word]).flatMap((one) => text(one) ?? [])).join('\n');
}

export function callOf(callId: string | undefined, name: string, input: unknown): Called {
  const kind = KINDS.get(name) ?? 'other';
  const given = fields(input);
  const commands = list(given.commands).flatMap((command) => text(command) ?? []);
  return {
    callId,
    name,
    kind,
    input,
    paths: pathsIn(given),
    ...(kind === 'shell' && {
      command: text(given.command) ?? (commands.length > 0 ? commands.join('\n') : undefined),
    }),
  };
}

function pathsIn(given: Fields): string[] {
  const files = list(given.files).map((file) => (typeof file === 'string' ? file : fields(file).path));
  return [given.path, given.file_path, given.absolutePath, ...files].flatMap((path) => text(path) ?? []);
}

/** A call, and what stood before it, in an answer of the versions that wrote calls as tags. */
export interface TaggedCall {
  readonly before: string;
  readonly name: string;
  readonly input: Fields;
}

const TAGGED = new RegExp(`<(${[...KINDS.keys(), ...WORDS.keys()].join('|')})>([\\s\\S]*?)</\\1>`, 'g');
const ARGUMENT = /<([a-z_]+)>\n?([\s\S]*?)\n?<\/\1>/g;

/** The calls that an answer holds as tags, in their order, and what stands behind the last one. */
export function taggedCalls(answer: string): { readonly calls: readonly TaggedCall[]; readonly rest: string } {
  const calls: TaggedCall[] = [];
  let end = 0;
  for (const found of answer.matchAll(TAGGED)) {
    const [whole, name = '', body = ''] = found;
    const input = Object.fromEntries([...body.matchAll(ARGUMENT)].map(([, key = '', value = '']) => [key, value]));
    calls.push({ before: answer.slice(end, found.index), name, input });
    end = found.index + whole.length;
  }
  return { calls, rest: answer.slice(end) };
}
