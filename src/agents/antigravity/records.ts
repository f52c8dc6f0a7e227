import type { Unit } from '../source.ts';
import { contentsOf } from './contents.ts';
import { filesOf, placeOf } from './files.ts';
import { recordsIn } from './lines.ts';

/** The records of a unit as they stand: steps and requests with their fields by number, lines of a log, documents. */
export function recordsOf(unit: Unit): string[] {
  const place = placeOf(unit.path);
  if (place === undefined) return recordsIn(unit.path).map((record) => JSON.stringify(record));
  return contentsOf(filesOf(place)).entries.map((entry) =>
    JSON.stringify(entry instanceof Error ? entry.message : entry.raw()),
  );
}
