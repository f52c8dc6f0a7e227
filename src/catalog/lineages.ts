import type { Database } from '../store/database.ts';
import type { Spent } from '../transcript/index.ts';

export const LINEAGES_SCHEMA = `
CREATE TABLE IF NOT EXISTS lineages ( -- sessions that hold records in common with others
  session INTEGER PRIMARY KEY,
  is_settled INTEGER NOT NULL,      -- 1: records of its own that come later change nothing about who shows the common ones
  spending TEXT NOT NULL            -- JSON by model: what is to be added to the spending of its own copies of calls
);
CREATE TABLE IF NOT EXISTS foreign_records ( -- of turns that are shown in part: the records that another session shows
  session INTEGER NOT NULL, turn INTEGER NOT NULL, record INTEGER NOT NULL,
  PRIMARY KEY (session, turn, record)
) WITHOUT ROWID;
`;

/** What is known of a session that holds records in common with others. */
export interface Lineage {
  /** Records of its own that come later change nothing about who shows the common ones. */
  readonly isSettled: boolean;
  readonly spending: Readonly<Record<string, Spent>>;
}

/** Which records of sessions other sessions show, as it was found when all that hold them were compared. */
export class Lineages {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  of(session: number): Lineage | undefined {
    const row = this.db.row<{ is_settled: number; spending: string }>(
      'SELECT is_settled, spending FROM lineages WHERE session = ?',
      session,
    );
    // Written by `put` alone.
    return row && { isSettled: row.is_settled === 1, spending: JSON.parse(row.spending) as Lineage['spending'] };
  }

  put(session: number, { isSettled, spending }: Lineage): void {
    this.db.run(
      'INSERT OR REPLACE INTO lineages (session, is_settled, spending) VALUES (?, ?, ?)',
      session,
      Number(isSettled),
      JSON.stringify(spending),
    );
  }

  /** The session holds nothing in common with others any more. */
  drop(session: number): void {
    this.db.run('DELETE FROM lineages WHERE session = ?', session);
  }

  isForeign(session: number, turn: number, record: number): boolean {
    return (
      this.db.row(
        'SELECT 1 FROM foreign_records WHERE session = ? AND turn = ? AND record = ?',
        session,
        turn,
        record,
      ) !== undefined
    );
  }

  /** Whether these are the records of a turn that another session shows. */
  areForeign(session: number, turn: number, records: readonly number[]): boolean {
    const known = this.db.rows<{ record: number }>(
      'SELECT record FROM foreign_records WHERE session = ? AND turn = ?',
      session,
      turn,
    );
    const asked = new Set(records);
    return known.length === asked.size && known.every(({ record }) => asked.has(record));
  }

  /** Notes which records of a turn another session shows, where it shows some of its parts. */
  putForeign(session: number, turn: number, records: readonly number[]): void {
    this.db.run('DELETE FROM foreign_records WHERE session = ? AND turn = ?', session, turn);
    this.db.run(
      'INSERT OR IGNORE INTO foreign_records (session, turn, record) SELECT ?, ?, value FROM json_each(?)',
      session,
      turn,
      JSON.stringify(records),
    );
  }
}
