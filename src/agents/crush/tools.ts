import type { ToolKind } from '../../transcript/index.ts';
import { type Fields, fields, text } from '../fields.ts';
import { pathIn } from '../plain-path.ts';
import type { Called } from '../session-teller.ts';

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['bash', 'shell'],
  ['job_output', 'shell'],
  ['job_kill', 'shell'],
  ['view', 'read'],
  ['edit', 'edit'],
  ['multiedit', 'edit'],
  ['write', 'write'],
  ['download', 'web'],
  ['fetch', 'web'],
  ['web_fetch', 'web'],
  ['web_search', 'web'],
  ['agentic_fetch', 'agent'],
  ['agent', 'agent'],
  ['ls', 'search'],
  ['glob', 'search'],
  ['grep', 'search'],
  ['rg', 'search'],
  ['sourcegraph', 'search'],
  ['lsp_references', 'search'],
  ['lsp_diagnostics', 'read'],
  ['diagnostics', 'read'],
  ['todos', 'plan'],
]);

/** A call as its part has it: the arguments are JSON in a text, or what a model wrote in its place. */
export function callOf(data: Fields, cwd: string): Called {
  const name = text(data.name) ?? 'unknown';
  const kind = KINDS.get(name) ?? (name.startsWith('mcp_') ? 'mcp' : 'other');
  const input = argumentsOf(data.input);
  const given = fields(input);
  return {
    callId: text(data.id),
    name,
    kind,
    input,
    paths: [given.file_path, given.path].flatMap((path) => {
      const named = text(path);
      return named === undefined ? [] : [pathIn(cwd, named)];
    }),
    ...(kind === 'shell' && { command: text(given.command) }),
  };
}

function argumentsOf(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
