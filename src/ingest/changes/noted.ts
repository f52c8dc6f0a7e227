import type { Unit } from '../../agents/source.ts';
import type { KeptUnit } from '../../archive/keeper.ts';
import { isMask, placeOf } from '../../archive/mask.ts';
import type { UnitRow } from '../../archive/rows.ts';
import { keptPath } from '../reading/protect.ts';
import type { Step } from './plan.ts';

/**
 * A unit as it is noted: a path may hold a secret too. What was hidden in it stays hidden, also from a process that does
 * not know that secret, until all of the unit is redacted anew.
 */
export function asKept(unit: Unit, reader: number, known?: UnitRow): KeptUnit {
  const stays = known?.reader === reader && !isMask(known.path);
  const path = keptPath(stays ? known.path : unit.path);
  return { ...unit, path, ...(path !== unit.path && { place: placeOf(unit.path) }) };
}

/** What is known of a unit, where it lies now. */
export function asMoved({ unit, known }: Extract<Step, { do: 'move' }>): UnitRow {
  return { ...known, path: unit.path };
}
