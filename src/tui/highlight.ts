import type { Line, Span } from '../render/spans.ts';
import type { Mark } from '../render/style.ts';

/** A stretch of a line: UTF-16 offsets into its text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export const textOf = (line: Line) => line.map(({ text }) => text).join('');

/** The line with some stretches of it in other marks. They are in order and do not overlap. */
export function highlighted(line: Line, stretches: readonly Stretch[], marks: readonly Mark[]): Line {
  if (stretches.length === 0) return line;
  const out: Span[] = [];
  let at = 0;
  let next = 0;
  for (const part of line) {
    let from = 0;
    while (from < part.text.length) {
      while (next < stretches.length && stretches[next]!.end <= at + from) next++;
      const stretch = stretches[next];
      const isInside = stretch !== undefined && stretch.start <= at + from;
      const edge = stretch === undefined ? Number.POSITIVE_INFINITY : isInside ? stretch.end : stretch.start;
      const to = Math.min(part.text.length, edge - at);
      out.push({ ...part, text: part.text.slice(from, to), ...(isInside && { marks }) });
      from = to;
    }
    at += part.text.length;
  }
  return out;
}

/** What `Text` is not: spaces, and the signs that stand beside it on a page. */
const BESIDE = /[\s│┆▌╭─●▸•◦▪]/;

/**
 * Where a text stands on a page, whatever its case, and though it is wrapped: spaces and line ends are not compared.
 * A match over several lines gives a stretch on each; `first` is true of the one where it begins.
 */
export function findOn(lines: readonly Line[], needle: string): (Stretch & { line: number; first: boolean })[] {
  const wanted = squeezed(needle);
  if (wanted === '') return [];
  let hay = '';
  const places: { line: number; at: number }[] = [];
  for (const [line, spans] of lines.entries()) {
    const text = textOf(spans).toLowerCase();
    for (let at = 0; at < text.length; at++) {
      if (BESIDE.test(text[at]!)) continue;
      hay += text[at];
      places.push({ line, at });
    }
  }
  const found: (Stretch & { line: number; first: boolean })[] = [];
  for (let at = hay.indexOf(wanted); at >= 0; at = hay.indexOf(wanted, at + wanted.length)) {
    let from = at;
    while (from < at + wanted.length) {
      const { line, at: start } = places[from]!;
      let to = from;
      while (to + 1 < at + wanted.length && places[to + 1]!.line === line) to++;
      found.push({ line, start, end: places[to]!.at + 1, first: from === at });
      from = to + 1;
    }
  }
  return found;
}

/** A text without case, spaces, and what stands beside text. */
export const squeezed = (text: string) => text.toLowerCase().replace(new RegExp(BESIDE, 'g'), '');
