import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { continues } from '../../agents/jsonl/marks.ts';
import { listingOf } from '../../agents/rows.ts';
import type { Checkpoint, Source, Unit } from '../../agents/source.ts';
import type { UnitRow } from '../../archive/rows.ts';
import { redactionStamp } from '../../redact/redact.ts';
import type { KnownUnits } from './known-units.ts';

/** What is to be done with a unit. */
export type Step =
  /** `isSame`: the file still begins with all that was read of it. */
  | { readonly do: 'read'; readonly unit: Unit; readonly known?: UnitRow; readonly isSame?: boolean }
  | { readonly do: 'append'; readonly unit: Unit; readonly known: UnitRow; readonly from: Checkpoint }
  /** The mark changed, the content did not. */
  | { readonly do: 'note'; readonly unit: Unit; readonly known: UnitRow }
  | { readonly do: 'move'; readonly unit: Unit; readonly known: UnitRow; readonly reading?: MovedReading }
  | { readonly do: 'gone'; readonly known: UnitRow };

/** How a moved unit is read: where it goes on, or anew, since its name is part of what its sessions are called. */
type MovedReading =
  | { readonly do: 'append'; readonly from: Checkpoint }
  | { readonly do: 'read'; readonly isSame: true };

export interface Plan {
  readonly steps: readonly Step[];
  readonly unchanged: number;
}

/**
 * Compares what is on disk with what was read: by size, time and identity first, by the hashes of the checkpoint where
 * those differ. Newest first, deletions last.
 */
export function planOf(units: readonly Unit[], known: KnownUnits, reader: number, checkpointOf: CheckpointOf): Plan {
  const found = units.map((unit) => known.find(unit) ?? { unit, row: undefined });
  const listings = new Set(units.flatMap(({ format, path }) => (format === 'listing' ? [path] : [])));
  const missing = known
    .without(new Set(found.flatMap(({ row }) => row ?? [])))
    .filter((row) => isMissing(row.path, listings));
  const byIdentity = new Map(missing.map((row) => [row.identity, row]));
  const steps: Step[] = [];
  let unchanged = 0;
  found.sort((a, b) => b.unit.modified - a.unit.modified || (a.unit.path < b.unit.path ? -1 : 1));
  for (const { unit, row } of found) {
    const step = row ? stepFor(unit, row, reader, checkpointOf) : stepForNew(unit, byIdentity, checkpointOf);
    if (step) steps.push(step);
    else unchanged++;
  }
  const moved = new Set(steps.flatMap((step) => (step.do === 'move' ? step.known.id : [])));
  for (const row of missing) if (!row.gone && !moved.has(row.id)) steps.push({ do: 'gone', known: row });
  return { steps, unchanged };
}

type CheckpointOf = (row: UnitRow) => Checkpoint | undefined;

function stepFor(unit: Unit, row: UnitRow, reader: number, checkpointOf: CheckpointOf): Step | undefined {
  const isSame = unit.size === row.size && unit.modified === row.modified && unit.identity === row.identity;
  if (isSame && !row.gone && row.failures.some(({ under }) => under === reader)) return undefined;
  if (isSame && row.reader === reader && !row.gone && isWhollyRead(row)) return undefined;
  // An emptied file is a deleted one: what was archived stays.
  if (unit.size === 0 && (row.readTo ?? 0) > 0) return row.gone ? undefined : { do: 'gone', known: row };
  const canGoOn = unit.format === 'append' && unit.size >= (row.readTo ?? 0);
  const from = canGoOn ? checkpointOf(row) : undefined;
  if (!from || !isUnchangedUpTo(unit, from)) return { do: 'read', unit, known: row };
  if (row.reader !== reader) return { do: 'read', unit, known: row, isSame: true };
  if (unit.size === from.offset && unit.isToldBeside !== true) return { do: 'note', unit, known: row };
  return { do: 'append', unit, known: row, from };
}

/** Whether nothing of a file could be read, or not all, for a reason that is not in its lines. */
export function isUnreadable(row: UnitRow | undefined): boolean {
  return row?.failures.some((failure) => failure.line === undefined) ?? false;
}

/** Changed by a reader's version or by the redactor: what another one read is read again. */
export function readerVersion(source: Source): number {
  return source.version * 2 ** 32 + redactionStamp();
}

/** Read to its end, but for a last line that was not complete, and without an error of the whole file. */
function isWhollyRead({ readTo, readLines = 0, size, failures }: UnitRow): boolean {
  if (readTo === undefined || failures.some((failure) => failure.line === undefined)) return false;
  return readTo >= size || failures.some((failure) => (failure.line ?? 0) > readLines);
}

function stepForNew(unit: Unit, missing: ReadonlyMap<string, UnitRow>, checkpointOf: CheckpointOf): Step {
  const row = missing.get(unit.identity);
  const isSameFile = row?.source === unit.source && (row.readTo ?? 0) > 0 && unit.size >= (row.readTo ?? 0);
  const from = row && isSameFile ? checkpointOf(row) : undefined;
  if (!row || !from || !isUnchangedUpTo(unit, from)) return { do: 'read', unit };
  const move = { do: 'move', unit, known: row } as const;
  if (basename(unit.path) !== basename(row.path)) return { ...move, reading: { do: 'read', isSame: true } };
  return unit.size === from.offset ? move : { ...move, reading: { do: 'append', from } };
}

/**
 * Whether a file is no more, or a row of a listing. One that cannot be looked at now may still be there, and so may the
 * rows of a listing that is there and was not listed.
 */
function isMissing(path: string, listings: ReadonlySet<string>): boolean {
  const listing = listingOf(path);
  try {
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return false;
    return listing === undefined || listings.has(listing) || isMissing(listing, listings);
  } catch {
    return false;
  }
}

/** A file that cannot be read now is read, so that the error is told. */
function isUnchangedUpTo(unit: Unit, checkpoint: Checkpoint): boolean {
  try {
    return continues(unit.path, checkpoint);
  } catch {
    return false;
  }
}
