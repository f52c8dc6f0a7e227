import type { Matcher } from '../../search/matching/matcher.ts';
import type { Part } from '../../transcript/index.ts';
import { findOn, textOf } from '../highlight.ts';
import type { Block, Document, Folds, Position } from './document.ts';

/** A place in a document, and the folds with which it is on the screen. */
export interface Place {
  readonly at: Position;
  readonly folds: Folds;
}

export type Direction = 1 | -1;

/** The folds with one block unfolded. */
export const unfolded = (folds: Folds, key: string): Folds => ({ ...folds, own: new Map(folds.own).set(key, 'full') });

/**
 * The next place on one page where a text stands, beyond a line in a direction. What is folded away is looked through
 * too, and unfolded where the text is there.
 */
export function findOnPage(
  document: Document,
  page: number,
  needle: string,
  beyond: number,
  direction: Direction,
  folds: Folds,
): (Place & { readonly nth: number }) | undefined {
  if (!document.mayHold(page, needle)) return undefined;
  const { lines, blocks } = document.page(page, folds);
  const whole = document.page(page, { all: 'full', own: new Map() });
  const places = whole.blocks.flatMap((full): { line: number; place: Place }[] => {
    const shown = blocks.find(({ key }) => key === full.key);
    const offsets = beginnings(whole.lines.slice(full.first, full.first + full.count), needle);
    if (!shown || offsets.length === 0) return [];
    const here = beginnings(lines.slice(shown.first, shown.first + shown.count), needle);
    const isShown = here.length === offsets.length;
    return (isShown ? here : offsets).map((offset) => ({
      // Folded away it stands behind what is shown of its block.
      line: shown.first + (isShown ? offset : shown.count - 0.5),
      place: {
        at: { page, line: shown.first + offset },
        folds: isShown ? folds : unfolded(folds, shown.key),
      },
    }));
  });
  const nth =
    direction > 0 ? places.findIndex(({ line }) => line > beyond) : places.findLastIndex(({ line }) => line < beyond);
  return nth < 0 ? undefined : { ...places[nth]!.place, nth };
}

/** How often a text stands on a page, also where it is folded away. */
export function countOnPage(document: Document, page: number, needle: string): number {
  if (!document.mayHold(page, needle)) return 0;
  const { lines, blocks } = document.page(page, { all: 'full', own: new Map() });
  return blocks.reduce(
    (sum, { first, count }) => sum + beginnings(lines.slice(first, first + count), needle).length,
    0,
  );
}

const beginnings = (lines: Parameters<typeof findOn>[0], needle: string) =>
  findOn(lines, needle)
    .filter(({ first }) => first)
    .map(({ line }) => line);

/** A part in the agent's file, as a hit names it. */
export interface Target {
  readonly turn: number;
  readonly line?: number;
}

/** How many pages of a turn are looked through for a part. */
const MOST_PAGES = 64;

/** Where a hit stands: its part, and in it the first line with one of the words; else the beginning of its turn. */
export function locate(document: Document, target: Target, matcher: Matcher | undefined, folds: Folds): Place {
  const page = document.pageOfTurn(target.turn);
  const beginning = { at: document.clamp({ page, line: page > 0 ? 1 : 0 }, folds), folds };
  if (target.line === undefined) return beginning;
  for (let at = page; at < page + MOST_PAGES && document.pages[at]?.turn === target.turn; at++) {
    const block = document.page(at, folds).blocks.find(({ part }) => standsAt(part, target.line!));
    if (block) return placeIn(document, at, block, matcher, folds);
  }
  return beginning;
}

const standsAt = (part: Part, line: number) =>
  part.where.line === line || (part.type === 'tool_call' && part.outputWhere?.line === line);

/** The first line of a block with a word of the query; the block is unfolded where it is not among what is shown. */
function placeIn(document: Document, page: number, block: Block, matcher: Matcher | undefined, folds: Folds): Place {
  const hasWord = ({ first, count }: Block, how: Folds) =>
    document
      .page(page, how)
      .lines.slice(first, first + count)
      .findIndex((line) => matcher !== undefined && matcher.matches(textOf(line)).length > 0);
  const shown = hasWord(block, folds);
  if (shown >= 0 || matcher === undefined || block.fold === 'full')
    return { at: { page, line: block.first + Math.max(0, shown) }, folds };
  const open = unfolded(folds, block.key);
  const whole = document.page(page, open).blocks.find(({ key }) => key === block.key) ?? block;
  const inside = hasWord(whole, open);
  return inside < 0
    ? { at: { page, line: block.first }, folds }
    : { at: { page, line: whole.first + inside }, folds: open };
}

/** The next turn's first line, or that of this turn or the one before. */
export function promptBeyond(document: Document, from: Position, direction: Direction): Position | undefined {
  const starts = document.pages.flatMap(({ isFirst }, page) => (isFirst ? [{ page, line: page > 0 ? 1 : 0 }] : []));
  return direction > 0
    ? starts.find(({ page, line }) => page > from.page || (page === from.page && line > from.line))
    : starts.findLast(({ page, line }) => page < from.page || (page === from.page && line < from.line));
}

/** The next call that failed. Only pages that hold one are read. */
export function errorBeyond(
  document: Document,
  from: Position,
  direction: Direction,
  folds: Folds,
): Position | undefined {
  const { pages } = document;
  for (let page = from.page; page >= 0 && page < pages.length; page += direction) {
    if (pages[page]!.errors === 0) continue;
    const failed = document
      .page(page, folds)
      .blocks.filter(({ part }) => part.type === 'tool_call' && part.isError)
      .map(({ first }) => first);
    const line =
      page !== from.page
        ? failed.at(direction > 0 ? 0 : -1)
        : direction > 0
          ? failed.find((first) => first > from.line)
          : failed.findLast((first) => first < from.line);
    if (line !== undefined) return { page, line };
  }
  return undefined;
}
