import type { NotShown } from '../agents/not-shown.ts';
import type { Database } from '../store/database.ts';

export const NOT_SHOWN = `
CREATE TABLE IF NOT EXISTS not_shown ( -- what is known of a unit and not shown
  unit INTEGER NOT NULL, kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (unit, kind)
) WITHOUT ROWID;
`;

/** Adds what a reading of a unit counted. */
export function keepNotShown(db: Database, unit: number, notShown: NotShown): void {
  for (const [kind, count] of Object.entries(notShown))
    db.run(
      `INSERT INTO not_shown (unit, kind, count) VALUES (?, ?, ?)
       ON CONFLICT (unit, kind) DO UPDATE SET count = count + excluded.count`,
      unit,
      kind,
      count,
    );
}

/** Forgets what was counted of a unit. */
export function dropNotShown(db: Database, unit: number): void {
  db.run('DELETE FROM not_shown WHERE unit = ?', unit);
}

/** What is known and not shown of all units of a source that are still there, by kind, the most frequent first. */
export function notShownOf(db: Database, source: string): NotShown {
  const rows = db.rows<{ kind: string; count: number }>(
    `SELECT kind, sum(count) AS count FROM not_shown JOIN units ON id = unit
     WHERE source = ? AND gone = 0 GROUP BY kind ORDER BY count DESC, kind`,
    source,
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}
