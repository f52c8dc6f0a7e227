import type { Archive } from '../../archive/archive.ts';
import type { Sighting } from '../../archive/rows.ts';
import { spendingOf } from '../../archive/spending.ts';
import { addSpent, hash53, NOTHING_SPENT, type Spent, type Tokens } from '../../transcript/index.ts';

type ByModel<T> = Readonly<Record<string, T>>;

const NOTHING: ByModel<Spent> = {};

/** What a session's own calls cost, by model: the copies that it holds, and what is to be added to these. */
export function tokensByModel(archive: Archive, session: number, added = NOTHING): Record<string, Tokens> {
  const sums = new Map(Object.entries(spendingOf(archive.db, session)));
  for (const [model, spent] of Object.entries(added)) add(sums, model, spent);
  return Object.fromEntries([...sums].flatMap(([model, { calls, tokens }]) => (calls > 0 ? [[model, tokens]] : [])));
}

/**
 * What is to be added to the copies of calls that a session holds: a call that several sessions hold counts in its
 * owner's alone, with the figures of the sighting that saw the largest output.
 */
export function spendingToAdd(
  archive: Archive,
  session: number,
  owners: ReadonlyMap<number, number>,
): Record<string, Spent> {
  const sums = new Map<string, Spent>();
  for (const sighting of owners.size === 0 ? [] : archive.sightings(session)) {
    const owner = owners.get(hash53(`call ${sighting.key}`));
    if (owner === undefined) continue;
    count(sums, sighting, -1);
    if (owner === session) count(sums, largest(archive.sightingsOfCall(session, sighting.key)) ?? sighting, 1);
  }
  return Object.fromEntries(sums);
}

function count(sums: Map<string, Spent>, { model = 'unknown', tokens, isCounted }: Sighting, times: 1 | -1): void {
  if (isCounted) add(sums, model, { calls: 1, tokens }, times);
}

function add(sums: Map<string, Spent>, model: string, spent: Spent, times?: 1 | -1): void {
  sums.set(model, addSpent(sums.get(model) ?? NOTHING_SPENT, spent, times));
}

function largest(sightings: readonly Sighting[]): Sighting | undefined {
  return sightings.reduce<Sighting | undefined>(
    (best, one) => (best && best.tokens.output >= one.tokens.output ? best : one),
    undefined,
  );
}
