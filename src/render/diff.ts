import type { FileDiff } from '../transcript/changes.ts';
import type { DiffLine } from '../transcript/linediff.ts';
import { oneLine, safeText } from './safe.ts';
import { type Line, prefixed, print, type Span, span, wrapIndented } from './spans.ts';
import { foldText, glyphs, type Style } from './style.ts';

const FOLD_HEAD = 16;
const FOLD_TAIL = 4;

/** "+3 −1", coloured; without text where nothing changed. */
export function diffCounts(diff: Pick<FileDiff, 'added' | 'removed'>, style: Style): Span[] {
  const out: Span[] = [];
  if (diff.added > 0) out.push(span(`+${diff.added}`, 'green'));
  if (diff.added > 0 && diff.removed > 0) out.push(span(' '));
  if (diff.removed > 0) out.push(span(`${glyphs(style).minus}${diff.removed}`, 'red'));
  return out;
}

/** A diff as text, folded where it is long unless `full`. */
export function renderDiff(diff: FileDiff, style: Style, options: { readonly full?: boolean } = {}): string {
  return print(style, diffLines(diff, style, style.width, options.full ?? false));
}

/** The same as lines, without the file's name. */
export function diffLines(diff: FileDiff, style: Style, width: number, full: boolean): Line[] {
  const fold = !full && diff.lines.length > FOLD_HEAD + FOLD_TAIL + 3;
  const left = diff.lines.length - FOLD_HEAD - FOLD_TAIL;
  const shown = fold ? [...diff.lines.slice(0, FOLD_HEAD), ...diff.lines.slice(-FOLD_TAIL)] : diff.lines;
  const out: Line[] = [];
  for (const [i, line] of shown.entries()) {
    if (fold && i === FOLD_HEAD) out.push([span(foldText(style, left), 'dim')]);
    for (const part of diffLine(line, style, width)) out.push(part);
  }
  return out;
}

function diffLine({ sign, text: raw }: DiffLine, style: Style, width: number): Line[] {
  if (sign === '@') return [[span(raw === '' ? glyphs(style).ellipsis : oneLine(raw), 'cyan', 'dim')]];
  const marks = sign === '+' ? (['green'] as const) : sign === '-' ? (['red'] as const) : (['dim'] as const);
  // A carriage return inside a line would become a line of its own, without a sign.
  const body = safeText(raw.replace(/\r/g, '')).replace(/\n/g, ' ');
  return prefixed(
    wrapIndented(span(body, ...marks), Math.max(8, width - 2)),
    [span(`${sign} `, ...marks)],
    [span('  ')],
  );
}
