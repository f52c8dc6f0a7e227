import type { ToolKind } from '../../transcript/index.ts';
import { fields, isFields, text } from '../fields.ts';
import { parsedJson } from '../json.ts';
import { pathIn, plainPath } from '../plain-path.ts';
import type { Called } from '../session-teller.ts';

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['run_command', 'shell'],
  ['command_status', 'shell'],
  ['send_command_input', 'shell'],
  ['manage_task', 'shell'],
  ['view_file', 'read'],
  ['view_file_outline', 'read'],
  ['view_code_item', 'read'],
  ['list_dir', 'search'],
  ['grep_search', 'search'],
  ['find_by_name', 'search'],
  ['codebase_search', 'search'],
  ['replace_file_content', 'edit'],
  ['multi_replace_file_content', 'edit'],
  ['write_to_file', 'write'],
  ['search_web', 'web'],
  ['read_url_content', 'web'],
  ['call_mcp_tool', 'mcp'],
  ['list_resources', 'mcp'],
  ['read_resource', 'mcp'],
  ['browser_subagent', 'agent'],
  ['invoke_subagent', 'agent'],
  ['task_boundary', 'plan'],
]);
/** Arguments that name a file or folder. */
const PATHS = ['AbsolutePath', 'TargetFile', 'DirectoryPath', 'SearchPath', 'SearchDirectory'];

/** A call as a step has it, its arguments parsed. */
export function callOf(callId: string, name: string, input: unknown, cwd: string | undefined): Called {
  const kind = KINDS.get(name) ?? (name.startsWith('mcp_') ? 'mcp' : 'other');
  const given = fields(input);
  const folder = text(given.Cwd) ?? cwd;
  return {
    callId,
    name,
    kind,
    input,
    paths: PATHS.flatMap((argument) => {
      const path = text(given[argument]);
      return path === undefined ? [] : [pathIn(folder && plainPath(folder), path)];
    }),
    ...(kind === 'shell' && { command: text(given.CommandLine) }),
  };
}

/** The arguments as a database has them: JSON, or what a model wrote in its place. */
export function argumentsOf(json: string | undefined): unknown {
  return json === undefined ? {} : (parsedJson(json) ?? json);
}

/** The arguments as a log has them: the JSON of each value. One that was cut is no JSON, and stays as it is. */
export function loggedArguments(args: unknown): unknown {
  if (!isFields(args)) return args ?? {};
  const entries = Object.entries(args);
  return Object.fromEntries(entries.map(([name, value]) => [name, parsedJson(value) ?? value]));
}
