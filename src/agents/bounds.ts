import type { Failure } from './source.ts';

/** The failures of one file that are told each by itself, the first ones. */
const MOST_FAILURES = 8;
/** The unknown types of one file that are counted each by itself. */
export const MOST_TYPES = 100;
/** What the others are counted as. */
export const OTHER_TYPES = '(more types)';

/** The failures of one file, as many as are told; the last one says how many more there are. */
export function capped(failures: readonly Failure[]): readonly Failure[] {
  if (failures.length <= MOST_FAILURES) return failures;
  const told = failures.slice(0, MOST_FAILURES).map(({ more: _, ...failure }) => failure);
  const last = told.pop()!;
  return [...told, { ...last, more: failureCount(failures) - MOST_FAILURES }];
}

/** How many failures these are, those that are not told by themselves too. */
export function failureCount(failures: readonly Failure[]): number {
  return failures.reduce((sum, failure) => sum + 1 + (failure.more ?? 0), 0);
}

/** Counts by name, one laid over the other, at most so many names as are told. */
export function addCounts(a: Counts, b: Counts): Counts {
  const sum = new Map(Object.entries(a));
  for (const [name, count] of Object.entries(b)) {
    const counted = sum.has(name) || sum.size < MOST_TYPES ? name : OTHER_TYPES;
    sum.set(counted, (sum.get(counted) ?? 0) + count);
  }
  return Object.fromEntries(sum);
}

/** Names come from files: what is counted is looked up in a map, never here. */
export type Counts = Readonly<Record<string, number>>;
