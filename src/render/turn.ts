import type { Attachment, Notice, Part, Text, Thinking, Turn } from '../transcript/turn.ts';
import { markdownLines } from './markdown.ts';
import { formatBytes, formatCount, formatDuration } from './numbers.ts';
import { oneLine, safeText } from './safe.ts';
import { type Line, lineWidth, prefixed, print, type Span, span, wrapLine } from './spans.ts';
import { foldText, glyphs, measure, type Style } from './style.ts';
import { ageBeside, localTime } from './times.ts';
import { toolLines } from './tool.ts';

export interface TurnOptions {
  readonly outputs: 'folded' | 'full';
  readonly thinking: 'folded' | 'full' | 'hidden';
  /** With it the header also says how long ago the turn was. */
  readonly now?: number;
  /** The session's folder: paths below it are shown relative to it. */
  readonly cwd?: string;
}

const THOUGHT_LINES = 3;
const NOTICE_LINES = 3;
/** Commands, outputs and diffs use more of a wide terminal than prose. */
const WIDEST = 160;

/** A turn for reading: its header, then its parts in the order they happened. Lines without a final newline. */
export function renderTurn(turn: Turn, style: Style, options: TurnOptions): string {
  const width = measure(style);
  const blocks: Block[] = [];
  const hasPrompt = turn.parts.some((part) => part.type === 'text' && part.role === 'user');
  if (turn.prompt !== undefined && !hasPrompt) {
    blocks.push({ lines: promptLines(turn.prompt, undefined, style, width), terse: false });
  }
  for (const part of turn.parts) {
    const lines = partLines(part, style, width, options);
    if (lines.length > 0) blocks.push({ lines, terse: part.type === 'tool_call' && lines.length === 1 });
  }
  const out: Line[] = turnHeader(turn, style, width, options);
  for (const [i, block] of blocks.entries()) {
    // Calls that say all in one line stand together; everything else has air around it.
    if (!block.terse || !blocks[i - 1]?.terse) out.push([]);
    for (const line of block.lines) out.push(line);
  }
  return print(style, out);
}

interface Block {
  readonly lines: Line[];
  /** A call that takes one line. */
  readonly terse: boolean;
}

/** A turn's number and time above a rule. */
export function turnHeader(turn: Omit<Turn, 'parts'>, style: Style, width: number, options: TurnOptions): Line[] {
  const { rule, dot } = glyphs(style);
  const facts: Span[] = [];
  const fact = (part: Span) => facts.push(span(facts.length > 0 ? ` ${dot} ` : '  ', 'dim'), part);
  if (turn.startedAt !== undefined) {
    fact(span(localTime(turn.startedAt), 'dim'));
    const age = options.now === undefined ? undefined : ageBeside(turn.startedAt, options.now);
    if (age !== undefined) fact(span(age, 'dim'));
    const took = (turn.endedAt ?? turn.startedAt) - turn.startedAt;
    if (took >= 1000) fact(span(formatDuration(took), 'dim'));
  }
  if (turn.rewound) fact(span('rewound', 'yellow'));
  if (turn.superseded) fact(span('superseded: no longer in the agent’s file', 'yellow'));
  if (turn.replayOf !== undefined) fact(span(`replay of ${oneLine(turn.replayOf)}`, 'yellow'));
  const head: Line = [span(`#${turn.index}`, 'bold'), ...facts, span(' ')];
  const lines = wrapLine(head, width);
  const left = width - lineWidth(lines.at(-1)!) - 1;
  return left > 2 ? [...lines.slice(0, -1), [...lines.at(-1)!, span(` ${rule.repeat(left)}`, 'dim')]] : lines;
}

/** A part as lines of a page; none where there is nothing to show of it. */
export function partLines(part: Part, style: Style, width: number, options: TurnOptions): Line[] {
  const indent = [span('  ')];
  switch (part.type) {
    case 'text':
      return part.role === 'user'
        ? promptLines(part.text, part.cut, style, width)
        : prefixed([...markdownLines(part.text, style, width - 2), ...cutLines(part.cut)], indent);
    case 'thinking':
      return thoughtLines(part, style, width, options.thinking);
    case 'tool_call': {
      const { cwd } = options;
      return toolLines(part, style, Math.min(style.width, WIDEST), {
        full: options.outputs === 'full',
        ...(cwd === undefined ? {} : { cwd }),
      });
    }
    case 'notice':
      return noticeLines(part, style, width, options.outputs === 'full');
    case 'attachment':
      return wrapLine([span(attachmentText(part), 'cyan')], width - 2).map((line) => [...indent, ...line]);
  }
}

/** What a person said, beside a bar that the eye finds when it runs down the page. */
function promptLines(text: string, cut: Text['cut'], style: Style, width: number): Line[] {
  const lines = [...markdownLines(text, style, width - 2), ...cutLines(cut)];
  return prefixed(lines, [span(`${glyphs(style).bar} `, 'magenta', 'bold')]);
}

const cutLines = (cut: Text['cut']): Line[] =>
  cut
    ? [[span(`cut: ${formatCount(cut.kept)} of ${formatCount(cut.length)} characters were kept`, 'dim', 'italic')]]
    : [];

function thoughtLines(part: Thinking, style: Style, width: number, how: TurnOptions['thinking']): Line[] {
  const text = safeText(part.text).trim();
  if (how === 'hidden' || text === '') return [];
  const label = span('thinking  ', 'dim');
  const lines = text
    .split('\n')
    .filter((line) => how === 'full' || line.trim() !== '')
    .flatMap((line) => wrapLine([span(line, 'dim', 'italic')], width - 12));
  const rest = [span(' '.repeat(12))];
  return prefixed(folded(lines, THOUGHT_LINES, how === 'full', style), [span('  '), label], rest);
}

/** The first lines and how many follow. One line more is shown instead of being announced. */
function folded(lines: readonly Line[], most: number, full: boolean, style: Style): Line[] {
  if (full || lines.length <= most + 1) return [...lines];
  return [...lines.slice(0, most), [span(foldText(style, lines.length - most), 'dim', 'italic')]];
}

const NOTICES: Readonly<Record<Notice['kind'], string>> = {
  compaction: 'compacted',
  interruption: 'interrupted',
  command: 'command',
  system: 'system',
  summary: 'summary',
  'model-change': 'model',
  damage: 'damaged',
};
/** What a reader should not read past. */
const LOUD: ReadonlySet<Notice['kind']> = new Set(['interruption', 'damage']);

function noticeLines(part: Notice, style: Style, width: number, full: boolean): Line[] {
  const label = NOTICES[part.kind] ?? part.kind;
  const first = [span('  '), span(`${label}  `, LOUD.has(part.kind) ? 'yellow' : 'dim')];
  const rest = [span(' '.repeat(lineWidth(first)))];
  const lines = safeText(part.text)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => wrapLine([span(line.trim(), 'dim')], width - lineWidth(first)));
  const shown = [...folded(lines, NOTICE_LINES, full, style), ...cutLines(part.cut)];
  return shown.length > 0 ? prefixed(shown, first, rest) : [first];
}

function attachmentText({ kind, mime, bytes, name }: Attachment): string {
  const size = bytes === undefined ? undefined : formatBytes(bytes);
  const facts = [kind, mime, size, name].filter((fact) => fact !== undefined && fact !== '');
  return `[${facts.map((fact) => oneLine(fact!)).join(' ')}]`;
}
