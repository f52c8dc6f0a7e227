import type { ToolKind } from '../../transcript/index.ts';
import { type Fields, fields, isFields, list, text } from '../fields.ts';
import { pathIn } from '../plain-path.ts';

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['shell', 'shell'],
  ['shell_command', 'shell'],
  ['local_shell', 'shell'],
  ['exec_command', 'shell'],
  ['write_stdin', 'shell'],
  ['container.exec', 'shell'],
  ['apply_patch', 'edit'],
  ['view_image', 'read'],
  ['read_file', 'read'],
  ['list_dir', 'search'],
  ['grep_files', 'search'],
  ['tool_search', 'search'],
  ['web_search', 'web'],
  ['update_plan', 'plan'],
  ['spawn_agent', 'agent'],
  ['send_input', 'agent'],
  ['send_message', 'agent'],
  ['followup_task', 'agent'],
  ['resume_agent', 'agent'],
  ['close_agent', 'agent'],
  ['interrupt_agent', 'agent'],
  ['list_agents', 'agent'],
  ['wait', 'agent'],
  ['wait_agent', 'agent'],
  ['list_mcp_resources', 'mcp'],
  ['list_mcp_resource_templates', 'mcp'],
  ['read_mcp_resource', 'mcp'],
]);

export function kindOf(tool: string): ToolKind {
  return KINDS.get(tool) ?? (tool.startsWith('mcp__') ? 'mcp' : 'other');
}

/** A tool's name; a server's stands before that of its tool. */
export function nameOf(call: Fields): string {
  const name = text(call.name) ?? 'unknown';
  const namespace = text(call.namespace);
  return namespace?.startsWith('mcp__') && !name.startsWith('mcp__') ? `${namespace}__${name}` : name;
}

/** Arguments as the model gave them: parsed where they are JSON. */
export function argumentsOf(written: unknown): unknown {
  if (typeof written !== 'string') return written ?? {};
  const start = written.trimStart();
  if (!start.startsWith('{') && !start.startsWith('[')) return written;
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

/** The command line that a call runs, for tools that run one. */
export function commandOf(kind: ToolKind, input: unknown): string | undefined {
  if (kind !== 'shell' || !isFields(input)) return undefined;
  const command = input.cmd ?? input.command;
  return typeof command === 'string' ? text(command) : commandLine(command);
}

/** What stands behind `-lc`, `-Command` or `/c` where a shell is called; else all words. */
export function commandLine(words: unknown): string | undefined {
  const all = list(words).filter((word) => typeof word === 'string');
  const shell = all[0]?.replace(/^.*[/\\]/, '').replace(/\.exe$/i, '');
  const last = all.at(-1);
  if (all.length >= 3 && last !== undefined && shell !== undefined && SHELLS.has(shell.toLowerCase())) return last;
  if (all.length === 0) return undefined;
  return all.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

const SHELLS = new Set(['bash', 'sh', 'zsh', 'fish', 'dash', 'powershell', 'pwsh', 'cmd']);

/** The files and folders that a call names: those of a patch, wherever it stands, and a folder to run in that is not the session's. */
export function pathsOf(name: string, input: unknown, command: string | undefined, cwd: string | undefined): string[] {
  const given = fields(input);
  const elsewhere = text(given.workdir) ?? text(given.working_directory);
  const folder = elsewhere ?? cwd;
  const patch =
    name === 'apply_patch' ? (typeof input === 'string' ? input : (text(given.input) ?? text(given.patch))) : undefined;
  const inCommand = command?.includes('*** Begin Patch') ? command : undefined;
  const named = [given.path, given.file_path, given.dir_path].flatMap((path) => text(path) ?? []);
  const all = [...patched(patch ?? inCommand ?? ''), ...named];
  const ranIn = elsewhere === undefined || elsewhere === cwd ? [] : [pathIn(cwd, elsewhere)];
  return [...new Set([...all.map((path) => pathIn(folder, path)), ...ranIn])];
}

function patched(patch: string): string[] {
  return [...patch.matchAll(PATCHED)].map((found) => found[1]!.trim());
}

const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/** The files of a set of changes, and where they were moved to. */
export function changedPaths(changes: unknown, cwd: string | undefined): string[] {
  const paths = Object.entries(fields(changes)).flatMap(([path, change]) => [
    path,
    ...(text(fields(change).move_path) !== undefined ? [text(fields(change).move_path)!] : []),
  ]);
  return [...new Set(paths.map((path) => pathIn(cwd, path)))];
}
