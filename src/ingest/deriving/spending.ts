import type { Archive } from '../../archive/archive.ts';
import type { Sighting } from '../../archive/rows.ts';
import { addTokens, hash53, NO_TOKENS, type Tokens } from '../../transcript/index.ts';

/**
 * What a session's own calls cost, by model. A call that several sessions hold counts in its owner's alone, with the
 * figures of the sighting that saw the largest output.
 */
export function tokensByModel(
  archive: Archive,
  session: number,
  owners: ReadonlyMap<number, number>,
): Record<string, Tokens> {
  if (owners.size === 0)
    return Object.fromEntries(archive.tokensByModel(session).map(({ model, tokens }) => [model, tokens]));
  const sums: Record<string, Tokens> = {};
  for (const sighting of archive.sightings(session)) {
    const owner = owners.get(hash53(`call ${sighting.key}`));
    if (owner !== undefined && owner !== session) continue;
    const best = owner === undefined ? sighting : largest(archive.sightingsOfCall(session, sighting.key));
    if (!best) continue;
    const model = best.model ?? 'unknown';
    sums[model] = addTokens(sums[model] ?? NO_TOKENS, best.tokens);
  }
  return sums;
}

function largest(sightings: readonly Sighting[]): Sighting | undefined {
  return sightings.reduce<Sighting | undefined>(
    (best, one) => (best && best.tokens.output >= one.tokens.output ? best : one),
    undefined,
  );
}
