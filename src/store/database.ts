import { chmodSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

export type Value = string | number | null | Uint8Array;

/** An open SQLite database of ours, with its statements prepared once. */
export class Database {
  private readonly db: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  private readonly writes = new Map<string, StatementSync>();
  readonly path: string;

  private constructor(path: string, db: DatabaseSync) {
    this.path = path;
    this.db = db;
  }

  /**
   * Opens or makes a database for writing, readable by its owner alone. Write-ahead logging, so that readers are
   * never blocked.
   * @throws the errors of SQLite: locked, full, not a database
   */
  static forWriting(path: string, schema: string): Database {
    const db = new DatabaseSync(path, { timeout: 5000 });
    chmodSync(path, 0o600);
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000;',
    );
    db.exec(schema);
    return new Database(path, db);
  }

  /** Opens a database for reading. @throws where there is none */
  static forReading(path: string): Database {
    const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    db.exec(
      'PRAGMA query_only = 1; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000; PRAGMA mmap_size = 1073741824;',
    );
    return new Database(path, db);
  }

  private statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs a statement; gives the row id of the last insert and the number of rows changed. */
  run(sql: string, ...values: Value[]): { readonly id: number; readonly changes: number } {
    let statement = this.writes.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      // FTS5 leaves row ids beyond what a number holds behind.
      statement.setReadBigInts(true);
      this.writes.set(sql, statement);
    }
    const { lastInsertRowid, changes } = statement.run(...values);
    return { id: Number(lastInsertRowid), changes: Number(changes) };
  }

  /** The first row. The caller names the shape of what it asked for. */
  row<Row>(sql: string, ...values: Value[]): Row | undefined {
    return this.statement(sql).get(...values) as Row | undefined;
  }

  rows<Row>(sql: string, ...values: Value[]): Row[] {
    return this.statement(sql).all(...values) as Row[];
  }

  /** Rows one by one, for results too large to hold. */
  each<Row>(sql: string, ...values: Value[]): Iterable<Row> {
    // A statement of its own: a cached one may be run again while this is walked.
    return this.db.prepare(sql).iterate(...values) as Iterable<Row>;
  }

  get isInTransaction(): boolean {
    return this.db.isTransaction;
  }

  exec(sql: string): void {
    this.db.exec(sql);
  }

  /** Runs `work` in a transaction: all of it is kept, or nothing. */
  transaction<T>(work: () => T): T {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      this.db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.statements.clear();
    this.writes.clear();
    this.db.close();
  }
}
