import type { Database } from '../store/database.ts';

/** Kinds of tools that name the folder they work in. */
const OF_FOLDERS = "'shell', 'search'";

type Row = 'new' | 'old' | 'touches';

/** The folder that a touch is in: what stands before the last slash of a file's path. */
function folderOf(row: Row): string {
  const before = `rtrim(${row}.path, replace(replace(${row}.path, '/', ''), '\\', ''))`;
  return `CASE WHEN ${row}.kind IN (${OF_FOLDERS}) OR ${before} = '' THEN ${row}.path
    ELSE substr(${before}, 1, length(${before}) - 1) END`;
}

const isCounted = (row: Row) => `EXISTS (SELECT 1 FROM worked WHERE session = ${row}.session)`;

/** How often the tools of a session touched something in each folder: kept by triggers, once a session was counted. */
export const WORKED_SCHEMA = `
CREATE TABLE IF NOT EXISTS worked (
  session INTEGER NOT NULL, folder TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (session, folder)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS worked_most ON worked (session, n DESC, folder);
CREATE TRIGGER touches_added AFTER INSERT ON touches WHEN ${isCounted('new')} BEGIN
  INSERT INTO worked (session, folder, n) VALUES (new.session, ${folderOf('new')}, 1)
    ON CONFLICT (session, folder) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER touches_taken AFTER DELETE ON touches WHEN ${isCounted('old')} BEGIN
  UPDATE worked SET n = n - 1 WHERE session = old.session AND folder = ${folderOf('old')};
END;
`;

/** The folders in which the tools of a session worked most, so many, and those that are asked for; with how often. */
export function workedIn(db: Database, session: number, most: number, asked: readonly string[]): Map<string, number> {
  if (db.row('SELECT 1 FROM worked WHERE session = ? LIMIT 1', session) === undefined)
    db.run(
      `INSERT INTO worked (session, folder, n)
       SELECT session, ${folderOf('touches')}, count(*) FROM touches WHERE session = ? GROUP BY 2`,
      session,
    );
  const rows = db.rows<{ folder: string; n: number }>(
    `SELECT folder, n FROM (SELECT folder, n FROM worked WHERE session = ?1 AND n > 0 ORDER BY n DESC, folder LIMIT ?2)
     UNION SELECT folder, n FROM worked WHERE session = ?1 AND n > 0 AND folder IN (SELECT value FROM json_each(?3))`,
    session,
    most,
    JSON.stringify(asked),
  );
  return new Map(rows.filter(({ folder }) => folder !== '').map(({ folder, n }) => [folder, n]));
}

/** Forgets how often: it is counted anew where it is asked for again. */
export function forgetWorked(db: Database, session: number): void {
  db.run('DELETE FROM worked WHERE session = ?', session);
}
