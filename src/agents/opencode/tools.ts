import { basename, join } from 'node:path';
import type { ToolKind } from '../../transcript/index.ts';
import { type Fields, fields, list, number, text } from '../fields.ts';
import type { NotShownCounter } from '../not-shown.ts';
import type { Called } from '../session-teller.ts';
import type { ToolResult } from '../source.ts';
import { textOfFile } from '../text-of-file.ts';

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['bash', 'shell'],
  ['read', 'read'],
  ['edit', 'edit'],
  ['multiedit', 'edit'],
  ['patch', 'edit'],
  ['apply_patch', 'edit'],
  ['write', 'write'],
  ['glob', 'search'],
  ['grep', 'search'],
  ['list', 'search'],
  ['codesearch', 'search'],
  ['lsp', 'search'],
  ['webfetch', 'web'],
  ['websearch', 'web'],
  ['task', 'agent'],
  ['agent', 'agent'],
  ['todowrite', 'plan'],
  ['todoread', 'plan'],
]);
/** Tools of its own that touch nothing; what is none of all these and has two names is a server's. */
const OTHERS: ReadonlySet<string> = new Set([
  'question',
  'skill',
  'invalid',
  'batch',
  'plan_enter',
  'plan_exit',
  'suggest',
]);

/** A call as a part has it. */
export function callOf(part: Fields): Called {
  const name = text(part.tool) ?? 'unknown';
  const kind = KINDS.get(name) ?? (name.includes('_') && !OTHERS.has(name) ? 'mcp' : 'other');
  const { input } = fields(part.state);
  const given = fields(input);
  return {
    callId: text(part.callID),
    name,
    kind,
    input: input ?? {},
    paths: [given.filePath, given.path, ...list(given.paths)].flatMap((path) => text(path) ?? []),
    ...(kind === 'shell' && { command: text(given.command) }),
  };
}

/** More than this of an output that lies in a file of its own is not read. */
const MOST = 16 << 20;
/** Fields of a result that say it once more, or what the screen shows of it. */
const REPEATED = ['output', 'diff', 'filediff', 'diagnostics', 'preview', 'display', 'todos', 'loaded', 'view'];

/** What a call gave; undefined while it runs. A sub-agent is named by its session. */
export function resultOf(
  state: Fields,
  outputs: string,
  notShown: NotShownCounter,
): Omit<ToolResult, 'where' | 'at'> | undefined {
  const metadata = fields(state.metadata);
  for (const name of REPEATED) if (metadata[name] !== undefined) notShown.add(`metadata ${name}`);
  if (state.status !== 'completed' && state.status !== 'error') return undefined;
  const given = text(state.output) ?? text(state.error);
  const path = text(metadata.outputPath);
  const whole = path === undefined ? undefined : textOfFile(join(outputs, basename(path)), outputs, MOST);
  const output = whole ?? given;
  const exitCode = number(metadata.exit);
  const child = text(metadata.sessionId);
  return {
    isError: state.status === 'error' || (exitCode !== undefined && exitCode !== 0),
    ...(output !== undefined && { output }),
    ...(exitCode !== undefined && { exitCode }),
    ...(child !== undefined && { child }),
  };
}
