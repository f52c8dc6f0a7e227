import type { Database } from '../../store/database.ts';
import { LOST } from '../bodies.ts';

/** The unit at a path, made where there is none: what of it was read is not known. */
export function unitAt(db: Database, source: string, path: string, id: number | null = null): number {
  const known = db.row<{ id: number }>('SELECT id FROM units WHERE source = ? AND path = ?', source, path);
  if (known) return known.id;
  return db.run(
    `INSERT INTO units (id, source, path, layout, identity, size, modified, reader) VALUES (?, ?, ?, '', '', 0, 0, 0)`,
    id,
    source,
    path,
  ).id;
}

/** Keeps the place of a body that is lost; gives 1 where nothing stood there, 0 where something did. */
export function keepPlace(db: Database, session: number, turn: number, chunk: number): number {
  return db.run(
    'INSERT OR IGNORE INTO chunks (session, turn, chunk, first, body, kept) VALUES (?, ?, ?, 0, ?, 0)',
    session,
    turn,
    chunk,
    LOST,
  ).changes;
}
