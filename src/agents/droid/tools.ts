import type { ToolKind } from '../../transcript/index.ts';
import { type Fields, fields, text } from '../fields.ts';
import type { Called } from '../session-teller.ts';

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ['Execute', 'shell'],
  ['Read', 'read'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['ApplyPatch', 'edit'],
  ['Create', 'write'],
  ['LS', 'search'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['FetchUrl', 'web'],
  ['WebSearch', 'web'],
  ['Task', 'agent'],
  ['TodoWrite', 'plan'],
  ['ExitSpecMode', 'plan'],
]);

/** A call of a tool; a server's has three lines between the server's name and its own. */
export function callOf({ id, name, input }: Fields): Called {
  const called = text(name) ?? 'unknown';
  const kind = KINDS.get(called) ?? (called.includes('___') ? 'mcp' : 'other');
  const given = fields(input);
  return {
    callId: text(id),
    name: called,
    kind,
    input,
    paths: [given.file_path, given.path, given.directory_path].flatMap((path) => text(path) ?? []),
    ...(kind === 'shell' && { command: text(given.command) }),
  };
}

/** The exit code that a failed command's output ends with. */
export function exitCodeIn(output: string | undefined): number | undefined {
  const found = output === undefined ? null : /\[Process exited with code (\d{1,3})\]\s*$/.exec(output);
  return found ? Number(found[1]) : undefined;
}
