import type { Span } from './rule.ts';

/** A text as it is read on a screen, and where what is read stands in the text itself. */
export interface Seen {
  readonly text: string;
  /** Where a stretch of what is seen stands in the text itself. */
  place(span: Span): Span;
}

/** A stretch of a text that is seen as something else, or not at all. */
export interface Edit extends Span {
  readonly seen: string;
}

/** A text as it is seen with edits made in it, which come in order and never overlap; nothing without any. */
export function edited(text: string, edits: readonly Edit[]): Seen | undefined {
  if (edits.length === 0) return undefined;
  let out = '';
  let at = 0;
  // Where each edit stands in what is seen.
  const starts = new Float64Array(edits.length);
  edits.forEach(({ start, end, seen }, index) => {
    out += text.slice(at, start);
    starts[index] = out.length;
    out += seen;
    at = end;
  });
  out += text.slice(at);

  /** Where a character that is seen stands: from and up to. */
  const place = (seen: number): Span => {
    const index = lastNotAfter(starts, seen);
    const edit = edits[index];
    if (edit === undefined) return { start: seen, end: seen + 1 };
    const inside = seen - starts[index]!;
    if (inside < edit.seen.length) return edit;
    const start = edit.end + inside - edit.seen.length;
    return { start, end: start + 1 };
  };
  return { text: out, place: ({ start, end }) => ({ start: place(start).start, end: place(end - 1).end }) };
}

/** The index of the last number that is not greater; -1 where all are. */
function lastNotAfter(numbers: Float64Array, most: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
