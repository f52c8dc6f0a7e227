import { isBelow } from '../../agents/folders.ts';
import { SOURCES } from '../../agents/registry.ts';
import { fileOf } from '../../agents/rows.ts';
import type { Environment, Failure, Source, Unit } from '../../agents/source.ts';
import type { Stores } from '../../holdings/stores.ts';
import { type Exclusion, readersExclusion } from './exclusion.ts';
import { KnownUnits } from './known-units.ts';
import { listUnits } from './listing.ts';
import { newestFirst, type Seen, type UnreadFile } from './look.ts';
import { isUnreadable, planOf, readerVersion } from './plan.ts';

/** A look at everything: lists all that there is. */
export async function lookEverywhere(stores: Stores, env: Environment): Promise<Seen> {
  const exclusion = readersExclusion(stores, env);
  const unread: UnreadFile[] = [];
  const unreadable = new Map<string, readonly Failure[]>();
  for (const source of SOURCES) {
    if (exclusion.hasSource(source.id)) continue;
    const listed = await listUnits(source, env);
    if (listed.unreadable.length > 0) unreadable.set(source.id, listed.unreadable);
    unread.push(...unreadUnits(stores, source, env, listed.units, exclusion));
  }
  return { unread: newestFirst(unread), unreadable };
}

/** Those of a source's units that are not as they were read. One that could not be read and stayed so is none of them. */
export function unreadUnits(
  { archive }: Stores,
  source: Source,
  env: Environment,
  units: readonly Unit[],
  exclusion: Exclusion,
): UnreadFile[] {
  const roots = source.roots(env);
  const known = new KnownUnits(archive.units(source.id), archive.places());
  const kept = units.filter((unit) => !exclusion.hasPath(unit.path));
  const { steps } = planOf(kept, known, readerVersion(source), (row) => archive.checkpoint(row.id));
  const unread = steps.flatMap((step) => {
    if (step.do === 'gone' || step.do === 'note' || exclusion.hasUnit(step.unit, step.known)) return [];
    const { unit, known: row } = step;
    const isAsItWas = row?.size === unit.size && row.modified === unit.modified;
    const root = roots.find(({ path }) => isBelow(path, unit.path));
    if (!root || (isAsItWas && isUnreadable(row))) return [];
    const bytes = step.do === 'append' ? unit.size - step.from.offset : unit.size;
    return [{ source, root, path: fileOf(unit), bytes, modified: unit.modified }];
  });
  return [...Map.groupBy(unread, ({ path }) => path).values()].map((rows) => ({
    ...newestFirst(rows)[0]!,
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
  }));
}
