import type { Database } from '../store/database.ts';
import { hash53 } from '../transcript/index.ts';

/** What is not kept: sessions that were forgotten, and those that the configuration leaves out. Known by hashes alone. */
export class Withheld {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Whether there is anything: most users withhold nothing. */
  get isEmpty(): boolean {
    return this.db.row('SELECT 1 FROM withheld LIMIT 1') === undefined;
  }

  /** Whether a session is withheld, by its key. */
  has(key: string): boolean {
    return this.hasRecord(hash53(key));
  }

  /** Whether what summarises a record is withheld. */
  hasRecord(hash: number): boolean {
    return this.db.row('SELECT 1 FROM withheld WHERE hash = ?', hash) !== undefined;
  }

  /** Whether sessions of a unit are withheld. */
  hasOf(unit: number): boolean {
    return this.db.row('SELECT 1 FROM withheld WHERE unit = ? LIMIT 1', unit) !== undefined;
  }

  /** The configuration leaves a session out that was met in a unit. */
  leaveOut(key: string, unit: number): void {
    this.db.run(
      'INSERT INTO withheld (hash, unit) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET unit = excluded.unit',
      hash53(key),
      unit,
    );
  }

  /** A session is forgotten, because of itself or of the one it belongs to. */
  forget(key: string, unit: number, because: string): void {
    this.forgetRecord(hash53(key), unit, because);
  }

  /** A record's summaries are forgotten with its session. */
  forgetRecord(hash: number, unit: number, because: string): void {
    this.db.run('INSERT OR REPLACE INTO withheld (hash, unit, cause) VALUES (?, ?, ?)', hash, unit, hash53(because));
  }

  /** Takes back that a session was forgotten, with all that was because of it; its files are read again. Whether it was. */
  recall(key: string): boolean {
    return this.release('cause = ?', hash53(key));
  }

  /** Takes back what the configuration left out. */
  recallLeftOut(): void {
    this.release('cause IS NULL');
  }

  private release(condition: string, ...values: number[]): boolean {
    // What nothing is known of may hold a copy of it.
    this.db.run(
      `UPDATE units SET reader = 0 WHERE id IN (SELECT unit FROM withheld WHERE ${condition}) OR checkpoint IS NULL`,
      ...values,
    );
    return this.db.run(`DELETE FROM withheld WHERE ${condition}`, ...values).changes > 0;
  }
}
