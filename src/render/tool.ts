import { callDiffs, type FileDiff } from '../transcript/changes.ts';
import type { ToolCall } from '../transcript/turn.ts';
import { diffCounts, diffLines } from './diff.ts';
import { markdownLines } from './markdown.ts';
import { formatCount, formatDuration } from './numbers.ts';
import { oneLine, safeText } from './safe.ts';
import {
  type Line,
  lineWidth,
  prefixed,
  type Span,
  span,
  truncateLine,
  wrapHard,
  wrapIndented,
  wrapLine,
} from './spans.ts';
import { foldText, glyphs, type Style } from './style.ts';
import { truncate } from './width.ts';

export interface ToolOptions {
  readonly full: boolean;
  /** Paths below it are shown relative to it. */
  readonly cwd?: string;
}

const HEAD = 6;
const TAIL = 2;
const COMMAND_LINES = 8;
const LONGEST_VALUE = 60;
/** From here on it matters how long a call took. */
const SLOW = 2_000;

type Fields = Readonly<Record<string, unknown>>;

/** A tool call: one line of what was asked, then its change or its output. */
export function toolLines(call: ToolCall, style: Style, width: number, options: ToolOptions): Line[] {
  const g = glyphs(style);
  const diffs = callDiffs(call);
  const indent = [span('  ')];
  const head = prefixed(
    headLines(call, diffs, style, width - 2, options),
    [span(`${g.call} `, call.isError ? 'red' : 'green')],
    indent,
  );
  const body = [
    ...(call.isError ? [] : planLines(call, style, width - 2)),
    ...diffs.flatMap((diff) => changeLines(diff, diffs.length > 1, style, width - 4, options)),
    ...(showsOutput(call, diffs, options) ? outputLines(call, style, width - 4, options.full) : []),
  ];
  if (call.child !== undefined)
    body.push([span(`${g.arrow} sub-agent `, 'magenta'), span(oneLine(call.child), 'magenta')]);
  return [...head, ...prefixed(body, indent)];
}

/** What an edit's or a plan's output says in words stands above it already. */
function showsOutput(call: ToolCall, diffs: readonly FileDiff[], options: ToolOptions): boolean {
  if (call.output === undefined || call.output.trim() === '') return false;
  return options.full || call.isError || (diffs.length === 0 && call.kind !== 'plan');
}

function headLines(
  call: ToolCall,
  diffs: readonly FileDiff[],
  style: Style,
  width: number,
  options: ToolOptions,
): Line[] {
  const name = span(toolName(call, style), 'bold');
  const trailing = trailers(call, diffs, style);
  const command = call.command === undefined ? undefined : safeText(call.command).trim();
  if (command !== undefined && command !== '') return commandLines(command, name, trailing, style, width, options);
  const subject = subjectOf(call, diffs, options);
  const head = [name, ...(subject.length > 0 ? [span('  '), ...subject] : []), ...trailing];
  // The name stays on the first line; a long path or value goes on below it.
  return wrapLine(head, width).map((line, i) => (i === 0 ? line : [span('  '), ...line]));
}

function commandLines(
  command: string,
  name: Span,
  trailing: readonly Span[],
  style: Style,
  width: number,
  options: ToolOptions,
): Line[] {
  const source = command.split('\n');
  const first = lineWidth([name]) + 2;
  const hang = [span(' '.repeat(first))];
  const lines = source.flatMap((line) => wrapIndented(span(line), Math.max(20, width - first)));
  const kept = options.full || lines.length <= COMMAND_LINES + 1 ? lines : lines.slice(0, COMMAND_LINES);
  const left = lines.length - kept.length;
  const out = prefixed(kept, [name, span('  ')], hang);
  if (left > 0) out.push([...hang, span(foldText(style, left), 'dim')]);
  const last = out.pop()!;
  if (lineWidth(last) + lineWidth(trailing) <= width) return [...out, [...last, ...trailing]];
  return [...out, last, [...hang, ...trailing.slice(1)]];
}

/** Exit code, error mark, counts of a change, a long duration: what stands behind the subject. */
function trailers(call: ToolCall, diffs: readonly FileDiff[], style: Style): Span[] {
  const { fail } = glyphs(style);
  const out: Span[] = [];
  const total = diffs.reduce((sum, d) => ({ added: sum.added + d.added, removed: sum.removed + d.removed }), {
    added: 0,
    removed: 0,
  });
  const counts = diffCounts(total, style);
  if (counts.length > 0) out.push(span('  '), ...counts);
  if (call.exitCode !== undefined && call.exitCode !== 0)
    out.push(span('  '), span(`${fail} exit ${call.exitCode}`, 'red'));
  else if (call.isError) out.push(span('  '), span(`${fail} failed`, 'red'));
  const took = call.startedAt !== undefined && call.endedAt !== undefined ? call.endedAt - call.startedAt : 0;
  if (took >= SLOW) out.push(span('  '), span(formatDuration(took), 'dim'));
  return out;
}

/** A tool's name as people say it: `mcp__harbour__tide_table` is "harbour · tide_table". */
export function toolName(call: Pick<ToolCall, 'name' | 'kind'>, style: Style): string {
  const name = oneLine(call.name) || 'tool';
  const mcp = /^mcp__(.+?)__(.+)$/.exec(name);
  return mcp ? `${mcp[1]} ${glyphs(style).dot} ${mcp[2]}` : name;
}

function subjectOf(call: ToolCall, diffs: readonly FileDiff[], options: ToolOptions): Span[] {
  const fields = record(call.input);
  const paths = diffs.some((diff) => diff.path !== undefined) ? diffs.flatMap((diff) => diff.path ?? []) : call.paths;
  if (call.kind === 'edit' || call.kind === 'write') {
    if (paths.length > 1) return [span(`${paths.length} files`)];
    if (paths.length === 1) return [span(shortPath(paths[0]!, options.cwd))];
  }
  if (call.kind === 'read' && paths.length > 0) {
    return [span(paths.map((path) => shortPath(path, options.cwd)).join(', ')), span(rangeOf(fields), 'dim')];
  }
  if (typeof call.input === 'string') return [span(cut(call.input, 200))];
  const lead = leadOf(call, fields, options);
  const rest = Object.entries(fields).filter(([key, value]) => value !== undefined && !lead.used.has(key));
  // A sub-agent's task stands in its own session; a plan is shown below.
  const compact = call.kind === 'agent' || call.kind === 'plan' ? [] : rest.slice(0, 6);
  const spans = [...lead.spans];
  for (const [key, value] of compact) {
    if (spans.length > 0) spans.push(span('  '));
    spans.push(span(`${oneLine(key)}: `, 'dim'), span(shortValue(value, options)));
  }
  if (rest.length > compact.length && compact.length > 0)
    spans.push(span(`  +${rest.length - compact.length} more`, 'dim'));
  return spans;
}

/** The argument that says most, without its name. */
const LEADS: Partial<Record<ToolCall['kind'], readonly string[]>> = {
  search: ['pattern', 'query', 'regex', 'glob'],
  web: ['url', 'query'],
  agent: ['description', 'name', 'task', 'message', 'prompt'],
  plan: ['subject', 'title', 'explanation'],
  shell: ['command', 'cmd'],
};

function leadOf(call: ToolCall, fields: Fields, options: ToolOptions): { spans: Span[]; used: Set<string> } {
  const used = new Set<string>();
  const spans: Span[] = [];
  const name = LEADS[call.kind]?.find((key) => typeof fields[key] === 'string');
  if (name !== undefined) {
    used.add(name);
    spans.push(span(cut(fields[name] as string, 160)));
  }
  if (call.kind === 'search' && typeof fields.path === 'string') {
    used.add('path');
    spans.push(span(' in ', 'dim'), span(shortPath(fields.path, options.cwd)));
  }
  if (call.kind === 'agent' && typeof fields.subagent_type === 'string')
    spans.push(span(`  ${cut(fields.subagent_type, 40)}`, 'dim'));
  return { spans, used };
}

const record = (value: unknown): Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {};
const cut = (value: string, width: number) => truncate(oneLine(value.slice(0, width * 8)), width);

function rangeOf(fields: Fields): string {
  const { offset, limit } = fields;
  if (typeof offset !== 'number') return typeof limit === 'number' ? `  first ${formatCount(limit)} lines` : '';
  return `:${offset}${typeof limit === 'number' ? `-${offset + limit - 1}` : ''}`;
}

function shortValue(value: unknown, options: ToolOptions): string {
  if (typeof value === 'string')
    return cut(value.startsWith('/') ? shortPath(value, options.cwd) : value, LONGEST_VALUE);
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item !== 'object' || item === null)) {
    return cut(value.slice(0, 20).join(', '), LONGEST_VALUE);
  }
  return cut(JSON.stringify(value) ?? '', LONGEST_VALUE);
}

/** A path relative to the session's folder where it lies below it. */
export function shortPath(path: string, cwd: string | undefined): string {
  const clean = oneLine(path);
  if (cwd === undefined || cwd === '' || cwd === '/') return clean;
  const base = cwd.replace(/[/\\]+$/, '');
  return clean.startsWith(base) && /^[/\\]./.test(clean.slice(base.length)) ? clean.slice(base.length + 1) : clean;
}

/** A plan in words, or a list of tasks with boxes. */
function planLines(call: ToolCall, style: Style, width: number): Line[] {
  const fields = record(call.input);
  if (call.kind !== 'plan') return [];
  if (typeof fields.plan === 'string') return markdownLines(fields.plan, style, width);
  const list = [fields.todos, fields.plan, fields.items].find(Array.isArray) ?? [];
  const { done, doing, open } = glyphs(style);
  return list.map(record).flatMap((item): Line[] => {
    const label = [item.content, item.step, item.text, item.title, item.subject].find(
      (value) => typeof value === 'string',
    );
    if (typeof label !== 'string') return [];
    const box = /^(completed|done)$/.test(String(item.status))
      ? span(`${done} `, 'green')
      : span(`${item.status === 'in_progress' ? doing : open} `, 'dim');
    return prefixed(wrapLine([span(oneLine(label))], width - 4), [box], [span('    ')]);
  });
}

function changeLines(diff: FileDiff, named: boolean, style: Style, width: number, options: ToolOptions): Line[] {
  const lines = prefixed(diffLines(diff, style, width - 2, options.full), [span('  ')]);
  if (!named) return lines;
  const title: Line = [span(shortPath(diff.path ?? '', options.cwd), 'bold'), span('  '), ...diffCounts(diff, style)];
  return [title, ...lines];
}

/** An output beside its gutter: whole, or its first and last lines with the number of those between. */
export function outputLines(call: ToolCall, style: Style, width: number, full: boolean): Line[] {
  const { gutter, ellipsis } = glyphs(style);
  const lines = safeText(call.output ?? '')
    .replace(/^\n+|\s+$/g, '')
    .split('\n');
  const fold = !full && lines.length > HEAD + TAIL + 1;
  const shown = fold ? [...lines.slice(0, HEAD), ...lines.slice(-TAIL)] : lines;
  const edge = [span(`${gutter} `, ...(call.isError ? (['red'] as const) : (['dim'] as const)))];
  const out: Line[] = [];
  for (const [i, text] of shown.entries()) {
    if (fold && i === HEAD) out.push([...edge, span(foldText(style, lines.length - HEAD - TAIL), 'dim', 'italic')]);
    const line = [span(text, 'dim')];
    if (full) for (const part of wrapHard(line, width)) out.push([...edge, ...part]);
    else out.push([...edge, ...truncateLine(line, width, ellipsis)]);
  }
  if (call.cut) {
    const { kept, length } = call.cut;
    out.push([
      ...edge,
      span(`cut: ${formatCount(kept)} of ${formatCount(length)} characters were kept`, 'dim', 'italic'),
    ]);
  }
  return out;
}
