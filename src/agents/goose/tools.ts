import type { ToolKind } from '../../transcript/index.ts';
import { type Fields, fields, list, text } from '../fields.ts';
import type { Called } from '../session-teller.ts';
import type { ToolResult } from '../source.ts';

/** Goose's own tools, by what stands behind the name of their extension. */
const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['shell', 'shell'],
  ['text_editor', 'edit'],
  ['edit_file', 'edit'],
  ['write', 'write'],
  ['edit', 'edit'],
  ['tree', 'search'],
  ['analyze', 'search'],
  ['fetch', 'web'],
  ['web_scrape', 'web'],
  ['todo_write', 'plan'],
  ['todo_read', 'plan'],
  ['dynamic_task__create_task', 'agent'],
  ['subagent__execute_task', 'agent'],
  ['delegate', 'agent'],
]);
/** What the editor does by its `command`. */
const EDITS: ReadonlyMap<string, ToolKind> = new Map([
  ['view', 'read'],
  ['write', 'write'],
]);

/** A call: `{status, value: {name, arguments}}`, or an error where the model asked for what is none. */
export function callOf(block: Fields): Called {
  const value = fields(fields(block.toolCall).value);
  const name = text(value.name) ?? 'unknown';
  const input = fields(value.arguments);
  const own = name.replace(/^developer__/, '');
  const edits = own === 'text_editor' ? EDITS.get(text(input.command) ?? '') : undefined;
  const kind = edits ?? KINDS.get(own) ?? (name.includes('__') ? 'mcp' : 'other');
  return {
    callId: text(block.id),
    name,
    kind,
    input: value.arguments ?? block.toolCall ?? {},
    paths: [input.path, input.file_path].flatMap((path) => text(path) ?? []),
    ...(kind === 'shell' && { command: text(input.command) }),
  };
}

/** What a call gave: contents as MCP has them, or an error. */
export function resultOf(block: Fields): Omit<ToolResult, 'where' | 'at'> {
  const result = fields(block.toolResult);
  const value = fields(result.value);
  const contents = Array.isArray(result.value) ? result.value : list(value.content);
  const texts = contents.flatMap(
    (content) => text(fields(content).text) ?? text(fields(fields(content).resource).text) ?? [],
  );
  const output = texts.length > 0 ? texts.join('\n') : text(result.error);
  return {
    isError: result.status === 'error' || text(result.error) !== undefined || value.isError === true,
    ...(output !== undefined && { output }),
  };
}
