import type { ToolKind } from '../../transcript/index.ts';
import { type Fields, list, text } from '../fields.ts';
import { pathIn } from '../plain-path.ts';

/** Amp's tools, of all versions that were seen, in small letters. */
const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['bash', 'shell'],
  ['read', 'read'],
  ['read_file', 'read'],
  ['create_file', 'write'],
  ['edit_file', 'edit'],
  ['undo_edit', 'edit'],
  ['grep', 'search'],
  ['glob', 'search'],
  ['finder', 'search'],
  ['list_directory', 'search'],
  ['codebase_search_agent', 'agent'],
  ['read_web_page', 'web'],
  ['web_search', 'web'],
  ['task', 'agent'],
  ['oracle', 'agent'],
  ['librarian', 'agent'],
  ['todo_read', 'plan'],
  ['todo_write', 'plan'],
]);

export function kindOf(tool: string): ToolKind {
  return KINDS.get(tool.toLowerCase()) ?? (tool.startsWith('mcp__') ? 'mcp' : 'other');
}

/** The command line that a shell call runs. */
export function commandOf(input: Fields): string | undefined {
  return text(input.cmd) ?? text(input.command);
}

/** The files that a call names. */
export function pathsOf(input: Fields, cwd: string | undefined): string[] {
  return [input.path, ...list(input.files)].flatMap((path) => {
    const named = text(path);
    return named === undefined ? [] : [pathIn(cwd, named)];
  });
}
