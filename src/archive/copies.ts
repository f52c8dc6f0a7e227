import { FIRST_OUTSIDE } from '../transcript/index.ts';
import type { Archive } from './archive.ts';
import type { SessionRow } from './rows.ts';

/** Whether another file leads, or the session is set aside: nothing of it is shown under its own key. */
export function isFollower({ key, source, nativeId }: Pick<SessionRow, 'key' | 'source' | 'nativeId'>): boolean {
  return key !== `${source}:${nativeId}`;
}

/** A turn that the session's own file does not hold. */
export interface OutsideTurn {
  readonly turn: number;
  /** When it was found that no file holds it any more; absent where a copy does. */
  readonly since?: number;
  /** The copy that holds it, or held it last, and the turn there; absent where the session's own file held it. */
  readonly from?: { readonly copy: number; readonly turn: number };
}

/** What one file holds of a session. */
export interface Copy {
  readonly id: number;
  readonly key: string;
  readonly unit: number;
  readonly path: string;
  /** When the file was found to be no more; 0 where it is there. */
  readonly gone: number;
  /** Bytes read of the file. */
  readonly size: number;
}

/** All that is kept of a session, by the file that it was read from; the one to lead comes first. */
export function copiesOf(archive: Archive, source: string, nativeId: string): Copy[] {
  const copies = archive.db.rows<Copy>(
    `SELECT s.id, s.key, s.unit, coalesce(u.path, '') AS path, coalesce(u.gone, 1) AS gone, coalesce(u.read_to, 0) AS size
     FROM sessions s LEFT JOIN units u ON u.id = s.unit
     WHERE s.source = ? AND s.native_id = ? AND s.id NOT IN (SELECT session FROM aside)`,
    source,
    nativeId,
  );
  return copies.sort(
    (a, b) =>
      compareWorth(a, b) || a.path.length - b.path.length || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.id - b.id),
  );
}

/** Which copy is rather to lead: one that is there before one that is gone, then the longer one. */
export function compareWorth(a: Copy, b: Copy): number {
  return Number(a.gone !== 0) - Number(b.gone !== 0) || b.size - a.size;
}

/** The turns of a session that its own file does not hold, in order. */
export function outsideTurns(archive: Archive, session: number): OutsideTurn[] {
  return archive.db
    .rows<{ turn: number; since: number | null; copy: number | null; copy_turn: number | null }>(
      'SELECT turn, since, copy, copy_turn FROM outside WHERE session = ? ORDER BY turn',
      session,
    )
    .map(({ turn, since, copy, copy_turn }) => ({
      turn,
      ...(since !== null && { since }),
      ...(copy !== null && copy_turn !== null && { from: { copy, turn: copy_turn } }),
    }));
}

/** When it was found that no file holds a turn any more, epoch milliseconds; undefined where one does. */
export function sinceOf(archive: Archive, session: number, turn: number): number | undefined {
  const row = archive.db.row<{ since: number | null }>(
    'SELECT since FROM outside WHERE session = ? AND turn = ?',
    session,
    turn,
  );
  return row?.since ?? undefined;
}

/** What a unit held before it was read anew, the newest first. */
export function setAsideOf(archive: Archive, unit: number): { readonly session: number; readonly isSame: boolean }[] {
  return archive.db
    .rows<{ session: number; same: number }>(
      'SELECT session, same FROM aside WHERE unit = ? ORDER BY session DESC',
      unit,
    )
    .map(({ session, same }) => ({ session, isSame: same === 1 }));
}

/** The turns that no file has held since a time or longer, where the session's own file held them. */
export function supersededBefore(
  archive: Archive,
  time: number,
): { readonly session: number; readonly turn: number }[] {
  return archive.db.rows('SELECT session, turn FROM outside WHERE since <= ? AND copy IS NULL', time);
}

/** Whether some of the records stand behind the session's own turns. */
export function standsBehind(archive: Archive, session: number, records: readonly number[]): boolean {
  const found = archive.db.row(
    'SELECT 1 FROM json_each(?) CROSS JOIN records ON hash = value AND session = ? WHERE turn >= ? LIMIT 1',
    JSON.stringify(records),
    session,
    FIRST_OUTSIDE,
  );
  return found !== undefined;
}

/** Whether a session has all of the records. */
export function holdsAll(archive: Archive, session: number, records: readonly number[]): boolean {
  const missing = archive.db.row(
    `SELECT 1 FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM records WHERE hash = value AND session = ?) LIMIT 1`,
    JSON.stringify(records),
    session,
  );
  return missing === undefined;
}
