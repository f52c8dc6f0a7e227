import type { Document, Folds, Position } from './document.ts';
import { countOnPage, type Direction, findOnPage, type Place } from './find.ts';

/** A text that is looked for through all pages, a few at a time: where it stands next, and how often it stands at all. */
export interface Scan {
  readonly needle: string;
  /** The next page to look through for the next place; absent where that was found. */
  readonly next?: {
    readonly direction: Direction;
    readonly page: number;
    readonly beyond: number;
    /** Pages still to be looked through: all of them, and the half of the first that comes last. */
    readonly left: number;
    readonly isWrapped: boolean;
  };
  readonly found?: Found;
  /** How often the text stands on each page, as far as that was counted. */
  readonly counts: readonly number[];
}

/** Which place it is that was found. */
interface Found {
  readonly page: number;
  /** How many stand before it on its page. */
  readonly nth: number;
  readonly isWrapped: boolean;
}

/** Pages that are looked through before keys are heard again. */
const PAGES_A_SLICE = 8;

/** A scan for the next place from a position; what was counted for the same text is known still. */
export function scanFrom(
  needle: string,
  from: Position,
  direction: Direction,
  pages: number,
  before: Scan | undefined,
): Scan {
  return {
    needle,
    next: { direction, page: from.page, beyond: from.line, left: pages + 1, isWrapped: false },
    counts: before?.needle === needle ? before.counts : [],
  };
}

export const isScanning = (scan: Scan | undefined, pages: number): boolean =>
  scan !== undefined && (scan.next !== undefined || (scan.found !== undefined && scan.counts.length < pages));

/** Looks through some more pages; `place` where the text was found on one of them. */
export function scannedOn(
  scan: Scan,
  document: Document,
  folds: Folds,
): { readonly scan: Scan; readonly place?: Place } {
  return scan.next ? soughtOn(scan, scan.next, document, folds) : { scan: countedOn(scan, document) };
}

function soughtOn(
  scan: Scan,
  next: NonNullable<Scan['next']>,
  document: Document,
  folds: Folds,
): { readonly scan: Scan; readonly place?: Place } {
  const { needle, counts } = scan;
  const { direction } = next;
  const pages = document.pages.length;
  let { page, beyond, left, isWrapped } = next;
  for (let looked = 0; looked < PAGES_A_SLICE && left > 0 && pages > 0; looked++) {
    const found = findOnPage(document, page, needle, beyond, direction, folds);
    if (found) return { scan: { needle, counts, found: { page, nth: found.nth, isWrapped } }, place: found };
    left--;
    page += direction;
    if (page < 0 || page >= pages) {
      isWrapped = true;
      page = direction > 0 ? 0 : pages - 1;
    }
    beyond = direction > 0 ? -1 : Number.POSITIVE_INFINITY;
  }
  if (left === 0 || pages === 0) return { scan: { needle, counts } };
  return { scan: { needle, counts, next: { direction, page, beyond, left, isWrapped } } };
}

function countedOn(scan: Scan, document: Document): Scan {
  const counts = [...scan.counts];
  const end = Math.min(document.pages.length, counts.length + PAGES_A_SLICE);
  while (counts.length < end) counts.push(countOnPage(document, counts.length, scan.needle));
  return { ...scan, counts };
}

/** What is to be said of a scan: which place of how many it is, as far as that is known. */
export function scanMessage({ needle, next, found, counts }: Scan, pages: number): string {
  if (next) return `Looking for “${needle}”…`;
  if (!found) return `“${needle}” is not in this session.`;
  const isCounted = counts.length >= pages;
  const before = counts.slice(0, found.page).reduce((sum, n) => sum + n, 0);
  const place = counts.length > found.page ? `${before + found.nth + 1} of ` : '';
  const total = counts.reduce((sum, n) => sum + n, 0);
  const wrapped = found.isWrapped ? ' (wrapped around)' : '';
  return `“${needle}”: ${place}${total}${isCounted ? '' : ' so far'}${wrapped}`;
}
