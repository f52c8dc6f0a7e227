import { existsSync } from 'node:fs';
import { continues } from '../agents/jsonl/marks.ts';
import type { Checkpoint, Unit } from '../agents/source.ts';
import type { UnitRow } from '../archive/rows.ts';

/** What is to be done with a unit. */
export type Step =
  | { readonly do: 'read'; readonly unit: Unit; readonly known?: UnitRow }
  | { readonly do: 'append'; readonly unit: Unit; readonly known: UnitRow; readonly from: Checkpoint }
  /** The mark changed, the content did not. */
  | { readonly do: 'note'; readonly unit: Unit; readonly known: UnitRow }
  | { readonly do: 'move'; readonly unit: Unit; readonly known: UnitRow; readonly append?: Checkpoint }
  | { readonly do: 'gone'; readonly known: UnitRow };

export interface Plan {
  readonly steps: readonly Step[];
  readonly unchanged: number;
}

/**
 * Compares what is on disk with what was read: by size, time and identity first, by the hashes of the checkpoint where
 * those differ. Newest first, deletions last.
 */
export function planOf(units: readonly Unit[], known: readonly UnitRow[], reader: number): Plan {
  const byPath = new Map(known.map((row) => [row.path, row]));
  const present = new Set(units.map((unit) => unit.path));
  const missing = known.filter((row) => !present.has(row.path) && !existsSync(row.path));
  const byIdentity = new Map(missing.map((row) => [row.identity, row]));
  const steps: Step[] = [];
  let unchanged = 0;
  for (const unit of [...units].sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))) {
    const row = byPath.get(unit.path);
    const step = row ? stepFor(unit, row, reader) : stepForNew(unit, byIdentity);
    if (step) steps.push(step);
    else unchanged++;
  }
  const moved = new Set(steps.flatMap((step) => (step.do === 'move' ? step.known.id : [])));
  for (const row of missing) if (!row.gone && !moved.has(row.id)) steps.push({ do: 'gone', known: row });
  return { steps, unchanged };
}

function stepFor(unit: Unit, row: UnitRow, reader: number): Step | undefined {
  const isSame = unit.size === row.size && unit.modified === row.modified && unit.identity === row.identity;
  if (isSame && row.reader === reader && !row.gone) return undefined;
  // An emptied file is a deleted one: what was archived stays.
  if (unit.size === 0 && row.checkpoint && row.checkpoint.offset > 0)
    return row.gone ? undefined : { do: 'gone', known: row };
  if (row.reader !== reader || !row.checkpoint || unit.size < row.checkpoint.offset)
    return { do: 'read', unit, known: row };
  if (!isUnchangedUpTo(unit, row.checkpoint)) return { do: 'read', unit, known: row };
  if (unit.size === row.checkpoint.offset) return { do: 'note', unit, known: row };
  return { do: 'append', unit, known: row, from: row.checkpoint };
}

function stepForNew(unit: Unit, missing: ReadonlyMap<string, UnitRow>): Step {
  const row = missing.get(unit.identity);
  if (!row?.checkpoint || row.source !== unit.source || unit.size < row.checkpoint.offset) return { do: 'read', unit };
  if (!isUnchangedUpTo(unit, row.checkpoint)) return { do: 'read', unit };
  if (unit.size === row.checkpoint.offset) return { do: 'move', unit, known: row };
  return { do: 'move', unit, known: row, append: row.checkpoint };
}

/** A file that cannot be read now is read, so that the error is told. */
function isUnchangedUpTo(unit: Unit, checkpoint: Checkpoint): boolean {
  try {
    return continues(unit.path, checkpoint);
  } catch {
    return false;
  }
}
