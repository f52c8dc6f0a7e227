import type { ToolKind } from '../../transcript/index.ts';
import { type Fields, fields, list, text } from '../fields.ts';

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['Read', 'read'],
  ['NotebookRead', 'read'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Write', 'write'],
  ['Bash', 'shell'],
  ['bash', 'shell'],
  ['PowerShell', 'shell'],
  ['BashOutput', 'shell'],
  ['KillShell', 'shell'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['LS', 'search'],
  ['ToolSearch', 'search'],
  ['WebFetch', 'web'],
  ['WebSearch', 'web'],
  ['web_search', 'web'],
  ['web_fetch', 'web'],
  ['Task', 'agent'],
  ['Agent', 'agent'],
  ['Workflow', 'agent'],
  ['TodoWrite', 'plan'],
  ['TaskCreate', 'plan'],
  ['TaskUpdate', 'plan'],
  ['TaskList', 'plan'],
  ['EnterPlanMode', 'plan'],
  ['ExitPlanMode', 'plan'],
]);

export function kindOf(tool: string): ToolKind {
  return KINDS.get(tool) ?? (tool.startsWith('mcp__') ? 'mcp' : 'other');
}

/** The command line that a call runs, for tools that run one. */
export function commandOf(kind: ToolKind, input: Fields): string | undefined {
  return kind === 'shell' ? text(input.command) : undefined;
}

/** The files and folders that a call names. Edits that a shell makes are invisible here. */
export function pathsOf(input: Fields): string[] {
  return [input.file_path, input.notebook_path, input.path].flatMap((path) => text(path) ?? []);
}

/** Files that a result names beside the call's own. */
export function pathsOfResult(result: Fields): string[] {
  return [text(result.filePath), text(fields(result.file).filePath)].flatMap((path) => path ?? []);
}

/** The exit code that an error's text begins with. */
export function exitCodeOf(output: string): number | undefined {
  const said = /^(?:Error: )?Exit code (\d{1,3})\b/.exec(output);
  return said ? Number(said[1]) : undefined;
}

/** How many searches a web search really made: the usage of the command line's own tool says 0. */
export function searchesOf(result: Fields): number | undefined {
  return typeof result.searchCount === 'number' ? result.searchCount : undefined;
}

/** The texts of a result's content, joined; its other blocks apart. */
export function textOfContent(content: unknown): { readonly text?: string; readonly others: readonly Fields[] } {
  if (typeof content === 'string') return { text: content, others: [] };
  const texts: string[] = [];
  const others: Fields[] = [];
  for (const block of list(content)) {
    const known = fields(block);
    if (typeof block === 'string') texts.push(block);
    else if (known.type === 'text' && typeof known.text === 'string') texts.push(known.text);
    else others.push(known);
  }
  return texts.length > 0 ? { text: texts.join('\n'), others } : { others };
}
