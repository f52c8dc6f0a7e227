import { Chance } from '../test/support/chance.ts';
import type { Known } from './turns.ts';

export const AGES = ['< 7 days', '7–30 days', '30–90 days', '> 90 days'] as const;
export type Age = (typeof AGES)[number];

const DAY = 86_400_000;
const LIMITS = [7 * DAY, 30 * DAY, 90 * DAY];

/** How old something is by a clock. What is dated later is new, as the ranking has it. */
export function ageOf(at: number, now: number): Age {
  const place = LIMITS.findIndex((limit) => now - at < limit);
  return AGES[place < 0 ? LIMITS.length : place]!;
}

/**
 * Draws turns evenly over all ages and origins: one of each kind after the other, until there are enough. A content
 * that stands in several turns is drawn once, and no turn that `isFit` turns down.
 */
export function drawTurns(
  turns: readonly Known[],
  count: number,
  seed: number,
  now: number,
  isFit: (turn: Known) => boolean,
): Known[] {
  const chance = new Chance(seed);
  const strata = Object.values(Object.groupBy(turns, (turn) => `${turn.origin} ${ageOf(turn.at, now)}`))
    .filter((stratum) => stratum !== undefined)
    .map((stratum) => chance.shuffled(stratum).values());
  const drawn: Known[] = [];
  const contents = new Set<string>();
  const next = (stratum: Iterator<Known>): Known | undefined => {
    for (let step = stratum.next(); !step.done; step = stratum.next())
      if (!contents.has(step.value.content) && isFit(step.value)) return step.value;
    return undefined;
  };
  for (let left = strata; left.length > 0; ) {
    const going: typeof strata = [];
    for (const stratum of left) {
      if (drawn.length === count) return drawn;
      const turn = next(stratum);
      if (!turn) continue;
      contents.add(turn.content);
      drawn.push(turn);
      going.push(stratum);
    }
    left = going;
  }
  return drawn;
}
