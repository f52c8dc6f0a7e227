import { realpathSync } from 'node:fs';
import type { Unit } from '../../agents/source.ts';
import type { Archive } from '../../archive/archive.ts';
import { isMask, placeOf } from '../../archive/mask.ts';
import type { UnitRow } from '../../archive/rows.ts';
import { keptPath } from '../reading/protect.ts';

/** A unit on disk, and what is known of it. Its path is that by which it is known, where a link gives it another. */
export interface FoundUnit {
  readonly unit: Unit;
  readonly row: UnitRow;
}

/**
 * The units that were read before, found by where they lie. What is hidden of a path depends on the secrets that a
 * process knows: so a unit is found by its path as it is on disk, and where a part of that was hidden, by its hash.
 */
export class KnownUnits {
  private readonly byPath = new Map<string, UnitRow>();
  private readonly byPlace = new Map<number, UnitRow>();
  private readonly rows: readonly UnitRow[];
  private byIdentity: ReadonlyMap<string, UnitRow> | undefined;

  /** `places`: the hashes of the paths in which something was hidden, by the ids of their units. */
  constructor(rows: readonly UnitRow[], places: ReadonlyMap<number, number>) {
    this.rows = rows;
    for (const row of rows) {
      const place = places.get(row.id) ?? (isMask(row.path) ? placeOf(row.path) : undefined);
      if (place === undefined) this.byPath.set(row.path, row);
      else this.byPlace.set(place, row);
    }
  }

  find(unit: Unit): FoundUnit | undefined {
    const row = this.at(unit.path);
    return row ? { unit, row } : this.linked(unit);
  }

  private at(path: string): UnitRow | undefined {
    const exact = this.byPath.get(path) ?? (this.byPlace.size > 0 ? this.byPlace.get(placeOf(path)) : undefined);
    if (exact) return exact;
    // It was noted before hashes of such paths were.
    const kept = keptPath(path);
    return kept === path ? undefined : (this.byPath.get(kept) ?? this.byPlace.get(placeOf(kept)));
  }

  /** The same file, which another environment led to by another path: through a link. */
  private linked(unit: Unit): FoundUnit | undefined {
    this.byIdentity ??= new Map([...this.byPath.values()].map((row) => [row.identity, row]));
    const row = this.byIdentity.get(unit.identity);
    if (!row || !isSameFile(row.path, unit.path)) return undefined;
    return { unit: { ...unit, path: row.path }, row };
  }

  /** Those that none of the given is. */
  without(found: ReadonlySet<UnitRow>): UnitRow[] {
    return this.rows.filter((row) => !found.has(row) && !isMask(row.path));
  }
}

/** What is known of a unit on disk, or of one that was at a path: what may be the same file, for a plan to judge. */
export function knownAt(archive: Archive, source: string, unit: Unit | string): UnitRow[] {
  const path = typeof unit === 'string' ? unit : unit.path;
  const row = archive.unitAt(source, path) ?? archive.unitAt(source, keptPath(path));
  if (row) return [row];
  return typeof unit === 'string' ? [] : archive.unitsOfIdentity(source, unit.identity);
}

/** What is known of the rows of a listing. */
export function rowsAt(archive: Archive, { source, path }: Unit): UnitRow[] {
  return archive.unitsBeginningWith(source, `${path}#`);
}

/** The units without those to which another path led already: folders and files may be links. */
export function eachFileOnce(units: readonly Unit[]): Unit[] {
  const byIdentity = new Map<string, Unit>();
  return units.filter((unit) => {
    const other = byIdentity.get(unit.identity);
    if (other && (other.path === unit.path || isSameFile(other.path, unit.path))) return false;
    byIdentity.set(unit.identity, unit);
    return true;
  });
}

/** Whether two paths lead to one file. One that cannot be followed leads to none. */
function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
