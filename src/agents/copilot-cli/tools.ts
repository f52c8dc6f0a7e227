import type { ToolKind } from '../../transcript/index.ts';
import { type Fields, list, text } from '../fields.ts';
import type { Called } from '../session-teller.ts';

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['bash', 'shell'],
  ['powershell', 'shell'],
  ['read_bash', 'shell'],
  ['write_bash', 'shell'],
  ['stop_bash', 'shell'],
  ['read_powershell', 'shell'],
  ['view', 'read'],
  ['str_replace_editor', 'edit'],
  ['edit', 'edit'],
  ['apply_patch', 'edit'],
  ['create', 'write'],
  ['grep', 'search'],
  ['glob', 'search'],
  ['lsp', 'search'],
  ['web_fetch', 'web'],
  ['web_search', 'web'],
  ['task', 'agent'],
  ['read_agent', 'agent'],
  ['update_todo', 'plan'],
  ['report_intent', 'plan'],
  ['exit_plan_mode', 'plan'],
]);
const OTHERS: ReadonlySet<string> = new Set([
  'ask_user',
  'sql',
  'skill',
  'store_memory',
  'fetch_copilot_cli_documentation',
]);

/** A call of a tool; one with a dash in its name is a server's. */
export function calledWith(callId: string | undefined, name: string, input: unknown, given: Fields): Called {
  const kind = KINDS.get(name) ?? (name.includes('-') && !OTHERS.has(name) ? 'mcp' : 'other');
  return {
    callId,
    name,
    kind,
    input,
    paths: [given.path, given.file_path, ...list(given.paths)].flatMap((path) => text(path) ?? []),
    ...(kind === 'shell' && { command: text(given.command) }),
  };
}

/** The exit code that an output ends with. */
export function exitCodeIn(output: string | undefined): number | undefined {
  const found = output === undefined ? null : /<exited with exit code (\d{1,3})>\s*$/.exec(output);
  return found ? Number(found[1]) : undefined;
}
