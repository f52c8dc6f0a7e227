import { Damage } from '../store/damage.ts';
import type { Database, Value } from '../store/database.ts';
import { type BodyPlace, isBodyWhole, LOST } from './bodies.ts';
import { isWhole, SUMMED, SUMMED_TABLES, type SummedTable } from './sums.ts';

/** What is damaged in an archive whose tables can be read. */
export interface Inspection {
  /** Damaged pieces (bodies of chunks, rows that belong to a session), by the id of their session. */
  readonly sessions: ReadonlyMap<number, number>;
  /** Bodies that are known to be lost, likewise. */
  readonly lost: ReadonlyMap<number, number>;
  /** Damaged rows of tables that reading the agents' files again does not write anew, by their table. */
  readonly rows: ReadonlyMap<SummedTable, number>;
}

/** Tables whose rows a reading of the session's file replaces. */
const READ_AGAIN: readonly SummedTable[] = ['turns', 'later_records', 'sightings', 'limits', 'spawns', 'summaries'];

/**
 * Looks at the structure of the archive and at every checksum in it.
 * @throws Damage where a page is broken, so that not all of it can be looked at
 */
export function inspect(db: Database): Inspection {
  const found = db.structureProblem();
  if (found !== undefined) throw new Damage(db.path, found);
  const sessions = new Map<number, number>();
  const lost = new Map<number, number>();
  const rows = new Map<SummedTable, number>();
  const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const table of SUMMED_TABLES)
    for (const row of db.each<Record<string, Value>>(`SELECT ${SUMMED[table].join(', ')}, sum FROM ${table}`))
      if (!isWhole(table, row)) {
        if (READ_AGAIN.includes(table)) count(sessions, Number(row.session));
        else count(rows, table);
      }
  const bodies = db.each<BodyPlace & { body: Uint8Array }>('SELECT session, turn, chunk, first, body FROM chunks');
  for (const { body, ...place } of bodies)
    if (!isBodyWhole(body, place)) count(body.length === LOST.length ? lost : sessions, place.session);
  return { sessions, lost, rows };
}
