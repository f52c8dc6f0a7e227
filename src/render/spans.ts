import { isRaw, strictLine } from './safe.ts';
import { type Mark, paint, type Style } from './style.ts';
import { clusters, displayWidth, splitAt } from './width.ts';

/** A run of text in one dress. Lines are laid out as spans and painted last, so that no width counts a sequence. */
export interface Span {
  readonly text: string;
  readonly marks?: readonly Mark[];
}
export type Line = readonly Span[];

export const span = (text: string, ...marks: Mark[]): Span => (marks.length > 0 ? { text, marks } : { text });

/** The columns of a line. */
export const lineWidth = (line: Line) => line.reduce((sum, { text }) => sum + displayWidth(text), 0);

/** The lines as the terminal gets them. The last gate: a control left in any text is made visible here. */
export function print(style: Style, lines: readonly Line[]): string {
  return lines.map((line) => printLine(style, line)).join('\n');
}

export function printLine(style: Style, line: Line): string {
  let out = '';
  for (const { text, marks } of merged(line)) out += paint(style, isRaw(text) ? strictLine(text) : text, ...marks);
  return out.trimEnd();
}

const NO_MARKS: readonly Mark[] = [];

function merged(line: Line): { text: string; marks: readonly Mark[] }[] {
  const out: { text: string; marks: readonly Mark[] }[] = [];
  for (const { text, marks = NO_MARKS } of line) {
    const last = out.at(-1);
    if (last && (last.marks === marks || last.marks.join() === marks.join())) last.text += text;
    else out.push({ text, marks });
  }
  return out;
}

/** Every line behind a prefix: `first` before the first of them, `rest` before the others. */
export function prefixed(lines: readonly Line[], first: Line, rest: Line = first): Line[] {
  return lines.map((line, i) => [...(i === 0 ? first : rest), ...line]);
}

/** The spans with more marks on each. */
export const marked = (line: Line, ...marks: Mark[]): Line =>
  line.map((part) => ({ text: part.text, marks: [...new Set([...marks, ...(part.marks ?? [])])] }));

/** Two ends of one line, the right one flush with `width`; on two lines where both do not fit. */
export function apart(left: Line, right: Line, width: number): Line[] {
  const room = width - lineWidth(left) - lineWidth(right);
  return room >= 2 ? [[...left, span(' '.repeat(room)), ...right]] : [left, right];
}

/** A line's beginning up to `width` columns, with an ellipsis where something was left out. */
export function truncateLine(line: Line, width: number, ellipsis = '…'): Line {
  if (lineWidth(line) <= width) return line;
  const out: Span[] = [];
  let room = width - displayWidth(ellipsis);
  for (const part of line) {
    const [kept, rest] = splitAt(part.text, room);
    out.push({ ...part, text: kept });
    room -= displayWidth(kept);
    if (rest !== '') break;
  }
  out.push(span(ellipsis, 'dim'));
  return out;
}

/** Wraps where the columns end and keeps every space: for code and outputs. */
export function wrapHard(line: Line, width: number): Line[] {
  const lines: Span[][] = [];
  let current: Span[] = [];
  let room = Math.max(2, width);
  for (const part of line) {
    let rest = part.text;
    while (rest !== '') {
      const [kept, after] = splitAt(rest, room);
      if (kept !== '') current.push({ ...part, text: kept });
      room -= displayWidth(kept);
      rest = after;
      if (rest === '') break;
      lines.push(current);
      current = [];
      room = Math.max(2, width);
    }
  }
  lines.push(current);
  return lines;
}

/** A word with the space before it. `tight` words may stand at a line's end or beginning without one (CJK). */
interface Word {
  readonly gap: Span | undefined;
  readonly spans: Span[];
  width: number;
}

/** Signs that may not begin a line, and signs that may not end one, in Chinese and Japanese. */
const NO_START = /^[、。，．・：；？！）」』】〉》〕］｝ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ%,.:;!?)\]}'"’”…]/u;
const NO_END = /^[（「『【〈《〔［｛([{'"‘“]/u;
const NARROW = /^[\x20-\x7e\u00a1-\u02ff\u0370-\u0482\u048a-\u0590]*$/;

function words(line: Line): Word[] {
  const out: Word[] = [];
  let gap: Span | undefined;
  let open = false;
  const add = (part: Span, width: number, breakable: boolean) => {
    const last = out.at(-1);
    if (last && gap === undefined && (open || !breakable)) {
      last.spans.push(part);
      last.width += width;
    } else out.push({ gap, spans: [part], width });
    gap = undefined;
    open = true;
  };
  for (const part of line) {
    for (const [token] of part.text.matchAll(/ +|[^ ]+/g)) {
      if (token.startsWith(' ')) {
        gap = { ...part, text: (gap?.text ?? '') + token };
        open = false;
      } else if (NARROW.test(token)) add({ ...part, text: token }, token.length, !NO_START.test(token));
      else {
        for (const { text, width } of clusters(token)) {
          if (width === 2) open = false;
          add({ ...part, text }, width, !NO_START.test(text));
          if (width === 2) open = NO_END.test(text);
        }
      }
    }
  }
  return out;
}

/**
 * Wraps a line at spaces, between CJK characters, and inside words wider than a whole line. Only spaces at the seams
 * are dropped.
 */
export function wrapLine(line: Line, width: number): Line[] {
  const columns = Math.max(2, width);
  const lines: Span[][] = [];
  let current: Span[] = [];
  let used = 0;
  for (const word of words(line)) {
    const gap = used > 0 ? (word.gap?.text.length ?? 0) : 0;
    if (used > 0 && used + gap + word.width > columns) {
      lines.push(current);
      current = [];
      used = 0;
    } else if (gap > 0 && word.gap) {
      current.push(word.gap);
      used += gap;
    }
    if (word.width <= columns) {
      for (const part of word.spans) current.push(part);
      used += word.width;
      continue;
    }
    const pieces = wrapHard(merged(word.spans), columns);
    for (const part of pieces[0]!) current.push(part);
    for (const piece of pieces.slice(1)) {
      lines.push(current);
      current = [...piece];
    }
    used = lineWidth(current);
  }
  lines.push(current);
  return lines;
}

/** Code wrapped at spaces; what goes on below keeps the line's indentation. */
export function wrapIndented(code: Span, width: number): Line[] {
  const indent = Math.min(code.text.length - code.text.trimStart().length, width >> 1);
  const lines = wrapLine([{ ...code, text: code.text.trim() }], width - indent);
  return indent > 0 ? prefixed(lines, [span(' '.repeat(indent))]) : lines;
}

/** Plain text of any number of lines, wrapped at words. */
export function wrap(text: string, width: number): string[] {
  return text
    .split('\n')
    .flatMap((line) => wrapLine([span(line)], width).map((part) => part.map((s) => s.text).join('')));
}
