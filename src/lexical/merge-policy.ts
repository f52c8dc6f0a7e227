import type { SegmentRow } from './schema.ts';

/**
 * Which segments become one. They are sorted into tiers by size, each tier eight times the one below it; what a tier
 * has too many of is merged into one segment of the next. So a passage is written again once a tier, and there are few
 * segments at rest: a handful a tier, and about twenty over a million passages. A segment that is dead for the most
 * part is written again alone.
 */
const MOST_OF_A_TIER = 8;
const STEP = 8;
/** Bytes of the lowest tier. */
const SMALL = 256 << 10;

/** The segments to be merged next; none where nothing is to be done. */
export function dueMerge<Row extends SegmentRow>(segments: readonly Row[]): readonly Row[] {
  const dying = segments.find(({ documents, dead }) => dead >= documents);
  if (dying) return [dying];
  const tiers = new Map<number, Row[]>();
  for (const segment of segments) {
    const tier = tierOf(segment);
    const others = tiers.get(tier);
    if (others) others.push(segment);
    else tiers.set(tier, [segment]);
  }
  const due = [...tiers].sort((a, b) => a[0] - b[0]).find(([, tier]) => tier.length >= MOST_OF_A_TIER);
  return due?.[1] ?? [];
}

/** By the size that it would have without what is dead. */
function tierOf({ postings, positions, documents, dead }: SegmentRow): number {
  const size = ((postings + positions) * documents) / (documents + dead);
  return Math.max(0, Math.floor(Math.log(size / SMALL) / Math.log(STEP)) + 1);
}
