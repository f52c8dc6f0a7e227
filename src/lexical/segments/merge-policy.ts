import type { SegmentRow } from '../schema.ts';

/** Segments that may lie beside each other at rest: a query looks into each. */
const MOST_AT_REST = 12;
/** So many neighbours become one. */
const MERGED = 8;
/** The largest of them is at most a third of all, so that each writing again makes a passage's segment three times as large. */
const SHARE = 3;
/** Where there are so many, neighbours are merged even where one of them is larger. */
const FAR_TOO_MANY = 20;

/**
 * The segments to be merged next; none where nothing is to be done. Only neighbours are merged, so that the passages of
 * one segment stand before those of the next, and lists are joined by putting one after the other; of these the
 * smallest. A segment that is dead for the most part is written again alone.
 *
 * @param segments in the order of their passages; those that are being merged have a target
 */
export function dueMerge<Row extends SegmentRow & { readonly target: number | null }>(
  segments: readonly Row[],
): readonly Row[] {
  const dying = segments.find(({ documents, dead, target }) => target === null && dead >= documents);
  if (dying) return [dying];
  if (segments.filter(({ target }) => target === null).length <= MOST_AT_REST) return [];
  let best: readonly Row[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let start = 0; start + MERGED <= segments.length; start++) {
    const some = segments.slice(start, start + MERGED);
    if (some.some(({ target }) => target !== null)) continue;
    const sizes = some.map(sizeOf);
    const sum = sizes.reduce((total, size) => total + size, 0);
    if (sum >= least || (Math.max(...sizes) * SHARE > sum && segments.length <= FAR_TOO_MANY)) continue;
    best = some;
    least = sum;
  }
  return best;
}

/** The size that it would have without what is dead. A small one costs something too. */
function sizeOf({ postings, positions, documents, dead }: SegmentRow): number {
  return LEAST_SIZE + ((postings + positions) * documents) / (documents + dead);
}

const LEAST_SIZE = 64 << 10;
