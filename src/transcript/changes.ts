import { type DiffLine, lineDiff, withContext } from './linediff.ts';
import type { ToolCall } from './turn.ts';

/** What a tool call changed in one file. */
export interface FileDiff {
  readonly path?: string;
  readonly change: 'edit' | 'create' | 'delete';
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
}

/**
 * The changes that a tool call's arguments say: an old and a new text, a list of such edits, a file's content, or a
 * patch. Told by the arguments' shape, for agents name the same things differently. None for other calls.
 */
export function callDiffs(call: ToolCall): FileDiff[] {
  const input = call.input;
  if (typeof input === 'string') return isPatch(input) ? parsePatch(input) : [];
  if (Array.isArray(input)) return patchIn(input);
  if (input === null || typeof input !== 'object') return [];
  const fields = input as Record<string, unknown>;
  const path = text(fields, PATHS) ?? call.paths[0];
  const edits = Array.isArray(fields.edits) ? fields.edits.filter(isRecord) : [fields];
  const pairs = edits.flatMap((edit) => {
    const before = text(edit, OLD);
    const after = text(edit, NEW);
    return before === undefined && after === undefined ? [] : [[before ?? '', after ?? ''] as const];
  });
  if (pairs.length > 0) return [editDiff(pairs, path)];
  if (call.kind === 'write' || call.kind === 'edit') {
    const content = text(fields, CONTENT);
    if (content !== undefined && !isPatch(content)) return [summed(splitLines(content).map(added), 'create', path)];
  }
  return patchIn(Object.values(fields).flat());
}

const PATHS = ['file_path', 'filePath', 'path', 'filename', 'notebook_path', 'absolute_path', 'target_file'];
const OLD = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text', 'search'];
const NEW = ['new_string', 'newString', 'new_str', 'newText', 'new_text', 'replace', 'new_source'];
const CONTENT = ['content', 'contents', 'file_text', 'fileText', 'text', 'new_source'];

const isRecord = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object';
const added = (line: string): DiffLine => ({ sign: '+', text: line });

function text(fields: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) if (typeof fields[name] === 'string') return fields[name];
  return undefined;
}

/** Lines without the empty one that a final newline makes. */
function splitLines(content: string): string[] {
  if (content === '') return [];
  const lines = content.replace(/\r\n/g, '\n').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function editDiff(pairs: readonly (readonly [string, string])[], path: string | undefined): FileDiff {
  const lines = pairs.flatMap(([before, after], i): DiffLine[] => {
    const diff = withContext(lineDiff(splitLines(before), splitLines(after)));
    return i > 0 ? [{ sign: '@', text: '' }, ...diff] : diff;
  });
  return summed(lines, 'edit', path);
}

function summed(lines: readonly DiffLine[], change: FileDiff['change'], path: string | undefined): FileDiff {
  const count = (sign: string) => lines.filter((line) => line.sign === sign).length;
  return { ...(path === undefined ? {} : { path }), change, added: count('+'), removed: count('-'), lines };
}

const isPatch = (value: string) => /^\*\*\* Begin Patch|^--- .*\n\+\+\+ |^diff --git /m.test(value.slice(0, 20_000));

function patchIn(values: readonly unknown[]): FileDiff[] {
  const patch = values.find((value) => typeof value === 'string' && isPatch(value));
  return typeof patch === 'string' ? parsePatch(patch) : [];
}

/** The files of a patch, in the form `git diff` prints or in the one of `apply_patch`. */
export function parsePatch(patch: string): FileDiff[] {
  const files: { path: string | undefined; change: FileDiff['change']; lines: DiffLine[] }[] = [];
  const start = (path: string | undefined, change: FileDiff['change']) => files.push({ path, change, lines: [] });
  let before: string | undefined;
  for (const line of splitLines(patch)) {
    const header = /^\*\*\* (Update|Add|Delete) File: (.*)$/.exec(line);
    if (header) start(header[2]!, header[1] === 'Add' ? 'create' : header[1] === 'Delete' ? 'delete' : 'edit');
    else if (
      line.startsWith('*** ') ||
      /^(diff --git|index [0-9a-f]|new file|deleted file|old mode|new mode) ?/.test(line)
    )
      continue;
    else if (line.startsWith('--- ')) before = line.slice(4);
    else if (line.startsWith('+++ ') && before !== undefined) {
      const gone = line.slice(4).startsWith('/dev/null');
      const made = before.startsWith('/dev/null');
      start(patchPath(gone ? before : line.slice(4)), gone ? 'delete' : made ? 'create' : 'edit');
      before = undefined;
    } else {
      const file = files.at(-1);
      if (!file) continue;
      if (line.startsWith('@@')) file.lines.push({ sign: '@', text: line.replace(/^@@ ?$/, '') });
      else if (line.startsWith('+') || line.startsWith('-'))
        file.lines.push({ sign: line[0] as '+' | '-', text: line.slice(1) });
      else file.lines.push({ sign: ' ', text: line.replace(/^ /, '') });
    }
  }
  return files.map((file) => summed(dropFirstEmptyHead(file.lines), file.change, file.path));
}

const patchPath = (name: string) => name.replace(/\t.*$/, '').replace(/^[ab]\//, '');
const dropFirstEmptyHead = (lines: DiffLine[]) =>
  lines[0]?.sign === '@' && lines[0].text === '' ? lines.slice(1) : lines;
