import type { ToolKind } from '../../transcript/index.ts';
import { type Fields, fields, list, number, text } from '../fields.ts';
import { parsedJson } from '../json.ts';
import type { Called } from '../session-teller.ts';
import type { ToolResult } from '../source.ts';

/** By the names of the editor, without the version behind them, and by those of the agent. */
const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['run_terminal_command', 'shell'],
  ['run_terminal_cmd', 'shell'],
  ['Shell', 'shell'],
  ['read_file', 'read'],
  ['ReadFile', 'read'],
  ['Read', 'read'],
  ['edit_file', 'edit'],
  ['search_replace', 'edit'],
  ['apply_patch', 'edit'],
  ['ApplyPatch', 'edit'],
  ['StrReplace', 'edit'],
  ['Edit', 'edit'],
  ['delete_file', 'edit'],
  ['Delete', 'edit'],
  ['write', 'write'],
  ['Write', 'write'],
  ['glob_file_search', 'search'],
  ['Glob', 'search'],
  ['list_dir', 'search'],
  ['LS', 'search'],
  ['grep_search', 'search'],
  ['ripgrep', 'search'],
  ['ripgrep_raw_search', 'search'],
  ['rg', 'search'],
  ['Grep', 'search'],
  ['file_search', 'search'],
  ['codebase_search', 'search'],
  ['SemanticSearch', 'search'],
  ['web_search', 'web'],
  ['WebSearch', 'web'],
  ['WebFetch', 'web'],
  ['task', 'agent'],
  ['Task', 'agent'],
  ['Subagent', 'agent'],
  ['todo_write', 'plan'],
  ['TodoWrite', 'plan'],
  ['create_plan', 'plan'],
  ['CreatePlan', 'plan'],
  ['CallMcpTool', 'mcp'],
]);
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/** A call of a tool, from what the editor or the agent keeps of it. */
export function callOf(callId: string | undefined, name: string, input: unknown): Called {
  const kind = KINDS.get(name.replace(/_v\d+$/, '')) ?? (/^mcp[-_]/.test(name) ? 'mcp' : 'other');
  const given = fields(input);
  const patched = typeof input === 'string' ? [...input.matchAll(PATCHED)].map(([, path]) => path!) : [];
  return {
    callId,
    name,
    kind,
    input,
    paths: [...pathsIn(given), ...patched],
    ...(kind === 'shell' && { command: text(given.command) }),
  };
}

function pathsIn(given: Fields): string[] {
  const named = [
    given.targetFile,
    given.relativeWorkspacePath,
    given.path,
    given.file_path,
    given.filePath,
    given.target_file,
  ];
  return [...named, ...list(given.paths)].flatMap((path) => text(path) ?? []);
}

/** What the editor keeps of a call: its arguments, as it understood them. */
export function editorCall(data: Fields): Called {
  const input = parsedJson(data.params) ?? parsedJson(data.rawArgs) ?? text(data.rawArgs) ?? {};
  return callOf(text(data.toolCallId), text(data.name) ?? 'unknown', input);
}

/** What came of it: what was printed, or read, or how a file differs since; undefined where it has not ended. */
export function editorResult(data: Fields): Omit<ToolResult, 'where' | 'at'> | undefined {
  const status = text(data.status);
  const written = text(data.result);
  const difference = differenceIn(fields(fields(data.additionalData).precomputedDiff));
  if (written === undefined && difference === undefined && status !== 'error' && status !== 'cancelled')
    return undefined;
  const result = fields(parsedJson(written));
  const failure = text(fields(parsedJson(data.error)).clientVisibleErrorMessage) ?? text(data.error);
  const output = difference ?? text(result.output) ?? text(result.contents) ?? written ?? failure;
  const exitCode = number(result.exitCodeV2) ?? number(result.exitCode);
  return {
    isError: status === 'error' || result.rejected === true || (exitCode !== undefined && exitCode !== 0),
    ...(output !== undefined && { output }),
    ...(exitCode !== undefined && { exitCode }),
  };
}

const SIGNS: ReadonlyMap<unknown, string> = new Map([
  ['added', '+'],
  ['removed', '-'],
]);

function differenceIn({ lines }: Fields): string | undefined {
  const all = list(lines).map(fields);
  if (all.length === 0) return undefined;
  return all.map(({ type, content }) => `${SIGNS.get(type) ?? ' '}${text(content) ?? ''}`).join('\n');
}
