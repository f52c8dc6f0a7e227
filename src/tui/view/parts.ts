import { oneLine } from '../../render/safe.ts';
import { type Line, lineWidth, type Span, span, truncateLine } from '../../render/spans.ts';
import { glyphs, type Style } from '../../render/style.ts';
import type { Message } from '../state.ts';

/** The line in just `width` columns. */
export function fitted(line: Line, width: number, style: Style): Line {
  const cut = truncateLine(line, width, glyphs(style).ellipsis);
  const missing = width - lineWidth(cut);
  return missing > 0 ? [...cut, span(' '.repeat(missing))] : cut;
}

/** Two ends of one line; the left one is cut where both do not fit. */
export function ends(left: Line, right: Line, width: number, style: Style): Line {
  const room = width - lineWidth(right);
  if (right.length === 0 || room < 8) return fitted(left, width, style);
  return [...fitted(left, room - 1, style), span(' '), ...right];
}

/** A rule over the whole width with words in it, left and right. */
export function ruled(left: Line, right: Line, width: number, style: Style): Line {
  const { rule } = glyphs(style);
  const dash = (n: number) => span(rule.repeat(Math.max(0, n)), 'dim');
  const before: Span[] = left.length > 0 ? [dash(2), span(' ')] : [];
  const begin = [...before, ...truncateLine(left, width - 4, glyphs(style).ellipsis), span(left.length > 0 ? ' ' : '')];
  const end = right.length > 0 ? [span(' '), ...right, span(' '), dash(2)] : [];
  const room = width - lineWidth(begin) - lineWidth(end);
  return room < 1 ? [...begin, dash(width - lineWidth(begin))] : [...begin, dash(room), ...end];
}

/** Texts with a dot between them, those left out that are not there. */
export function dotted(texts: readonly (Span | undefined)[], style: Style): Line {
  const known = texts.filter((one) => one !== undefined && one.text !== '') as Span[];
  return known.flatMap((one, i) => (i > 0 ? [span(` ${glyphs(style).dot} `, 'dim'), one] : [one]));
}

/** Keys and what they do, as many as fit. */
export function hints(pairs: readonly (readonly [key: string, does: string])[], width: number): Line {
  const out: Span[] = [];
  for (const [key, does] of pairs) {
    const next = [span(out.length === 0 ? ' ' : '   '), span(key, 'bold'), span(` ${does}`, 'dim')];
    if (lineWidth(out) + lineWidth(next) > width) break;
    out.push(...next);
  }
  return out;
}

/** What the next key copies. */
export const COPY_HINTS = [
  ['c', 'copies the command that resumes it'],
  ['i', 'its id'],
  ['t', 'its text'],
] as const;

export function messageLine({ text, isError }: Message, columns: number, style: Style): Line {
  return fitted([span(` ${oneLine(text)}`, ...(isError ? (['red'] as const) : (['green'] as const)))], columns, style);
}
