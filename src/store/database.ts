import { chmodSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { lookingAt } from './damage.ts';

export type Value = string | number | null | Uint8Array;

/** What makes a version of a schema out of the one before, by its number. */
export type Steps = Readonly<Record<number, string>>;

/**
 * SQLite reads a database with a log by way of a shared index file beside it, which it makes where there is none. Where
 * its folder is read-only, and there is no log, the file is all there is: it is opened as one that nobody changes.
 */
function openedForReading(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    db.prepare('SELECT 1 FROM sqlite_schema').get();
    return db;
  } catch (error) {
    db.close();
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
    if (log && log.size > 0) throw error;
    const alone = pathToFileURL(path);
    alone.searchParams.set('immutable', '1');
    return new DatabaseSync(alone, { readOnly: true });
  }
}

/** Pages: as many as SQLite itself lets it grow. */
const LONG_LOG = 1000;

/** What SQL may call besides SQLite's own functions: pure ones, by their names. */
export type Functions = Readonly<Record<string, (...values: (Value | bigint)[]) => Value>>;

/** An open SQLite database of ours, with its statements prepared once. */
export class Database {
  private readonly db: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  readonly path: string;

  private constructor(path: string, db: DatabaseSync) {
    this.path = path;
    this.db = db;
  }

  /**
   * Opens or makes a database for writing, readable by its owner alone. Write-ahead logging, so that readers are
   * never blocked. `steps` bring an older one up to date: the one at 2 makes version 2 out of version 1. A version
   * that no step leads from stays, for the caller to look at. `functions` are what its triggers call.
   * @throws Damage where it is no database or a broken one; the errors of SQLite: locked, full
   */
  static forWriting(
    path: string,
    schema: string,
    version: number,
    steps: Steps = {},
    functions: Functions = {},
  ): Database {
    const db = new DatabaseSync(path, { timeout: 5000 });
    try {
      return lookingAt(path, () => Database.madeFit(path, db, { schema, version, steps, functions }));
    } catch (error) {
      db.close();
      throw error;
    }
  }

  private static madeFit(
    path: string,
    db: DatabaseSync,
    { schema, version, steps, functions }: { schema: string; version: number; steps: Steps; functions: Functions },
  ): Database {
    chmodSync(path, 0o600);
    for (const [name, compute] of Object.entries(functions))
      db.function(name, { deterministic: true, varargs: true }, compute);
    // That pages can be given back is chosen before the first one is written. Choosing it again would write.
    if (statSync(path).size === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL;');
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;',
    );
    // The log is written into the database by `checkpoint`; a trigger sees the row that REPLACE takes out.
    db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA recursive_triggers = 1;');
    const database = new Database(path, db);
    // Only a new file is given its tables: setting a version writes, even the same one.
    if (database.version === 0) db.exec(`BEGIN; ${schema} PRAGMA user_version = ${version}; COMMIT;`);
    for (let next = database.version + 1; next <= version && steps[next] !== undefined; next++)
      db.exec(`BEGIN IMMEDIATE; ${steps[next]} PRAGMA user_version = ${next}; COMMIT;`);
    return database;
  }

  /** Opens a database for reading. @throws Damage where it is no database or a broken one; where there is none */
  static forReading(path: string): Database {
    const db = lookingAt(path, () => openedForReading(path));
    try {
      lookingAt(path, () =>
        db.exec(
          'PRAGMA query_only = 1; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000; PRAGMA mmap_size = 2147418112;',
        ),
      );
    } catch (error) {
      db.close();
      throw error;
    }
    return new Database(path, db);
  }

  /** The version of the schema that the file was made with. */
  get version(): number {
    return this.row<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
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
    const { lastInsertRowid, changes } = lookingAt(this.path, () => this.statement(sql).run(...values));
    return { id: Number(lastInsertRowid), changes: Number(changes) };
  }

  /** The first row. The caller names the shape of what it asked for. */
  row<Row>(sql: string, ...values: Value[]): Row | undefined {
    return lookingAt(this.path, () => this.statement(sql).get(...values)) as Row | undefined;
  }

  rows<Row>(sql: string, ...values: Value[]): Row[] {
    return lookingAt(this.path, () => this.statement(sql).all(...values)) as Row[];
  }

  /** Rows as tuples of their columns: where there are hundreds, half the work of objects. */
  tuples<Row extends readonly Value[]>(sql: string, ...values: Value[]): Row[] {
    return lookingAt(this.path, () => this.tupleStatement(sql).all(...values)) as unknown as Row[];
  }

  private tupleStatement(sql: string): StatementSync {
    const key = `${sql} -- tuples`;
    let statement = this.statements.get(key);
    if (!statement) {
      statement = this.db.prepare(sql);
      statement.setReturnArrays(true);
      this.statements.set(key, statement);
    }
    return statement;
  }

  /** Rows one by one, for results too large to hold. */
  *each<Row>(sql: string, ...values: Value[]): Iterable<Row> {
    // A statement of its own: a cached one may be run again while this is walked.
    const rows = lookingAt(this.path, () => this.db.prepare(sql).iterate(...values)) as Iterator<Row>;
    try {
      for (;;) {
        const next = lookingAt(this.path, () => rows.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      rows.return?.();
    }
  }

  get isInTransaction(): boolean {
    return this.db.isTransaction;
  }

  exec(sql: string): void {
    lookingAt(this.path, () => this.db.exec(sql));
  }

  /** Runs `work` in a transaction: all of it is kept, or nothing. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    let result: T;
    try {
      result = work();
      this.exec('COMMIT');
    } catch (error) {
      this.db.exec('ROLLBACK');
      throw error;
    }
    this.checkpoint();
    return result;
  }

  /**
   * Writes the log into the database where it has grown long, and waits for the disk. SQLite would do so inside a commit,
   * while others wait for what is kept: who opens a transaction with `exec` calls this behind it.
   */
  checkpoint(): void {
    // Only a look. SQLite before 3.51 does not know it and writes at once.
    const { log, checkpointed } = this.row<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')!;
    if (log - checkpointed < LONG_LOG) return;
    try {
      this.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // Nothing is lost: all of it is in the log still, and the next one tries again.
    }
  }

  /** Runs `work`, which only reads, on the database as it is now, whatever others write. */
  snapshot<T>(work: () => T): T {
    if (this.db.isTransaction) return work();
    this.db.exec('BEGIN');
    try {
      return work();
    } finally {
      this.db.exec('COMMIT');
    }
  }

  /** What is wrong with the structure of the file, the first thing that is found; undefined where nothing is. */
  structureProblem(): string | undefined {
    const found = this.row<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check ?? 'it holds nothing';
    // Of several lines the first only names the database.
    return found === 'ok' ? undefined : found.replace(/^\*\*\*.*\n/, '').split('\n')[0];
  }

  /** Gives pages that are not used back to the disk, so many at most, where they are more than an eighth of the file. */
  shrink(most = Number.MAX_SAFE_INTEGER): void {
    const free = this.row<{ freelist_count: number }>('PRAGMA freelist_count')?.freelist_count ?? 0;
    const pages = this.row<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
    if (free * 8 > pages) this.exec(`PRAGMA incremental_vacuum(${Math.min(most, free)})`);
  }

  /** Writes the file anew, without what was deleted. @throws where the disk has no room for a copy of it */
  compact(): void {
    // The copy of a large database must not stand in memory.
    this.exec('PRAGMA temp_store = FILE; VACUUM; PRAGMA temp_store = MEMORY; PRAGMA wal_checkpoint(TRUNCATE);');
  }

  close(): void {
    this.statements.clear();
    this.db.close();
  }
}
