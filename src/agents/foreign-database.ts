import { constants, copyFileSync, linkSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { homeOf } from '../home/paths.ts';
import type { Fields } from './fields.ts';
import { statOf } from './folders.ts';

/** Runs a query on an agent's database: its rows, all of them or one after the other. */
export interface Rows {
  (sql: string, ...values: SQLInputValue[]): Fields[];
  each(sql: string, ...values: SQLInputValue[]): Iterable<Fields>;
}

/** A database that is there and cannot be read now. */
export class ForeignDatabaseError extends Error {}

/** How often a database that is written while it is read is tried again. */
const TRIES = 3;
/** One that was opened is asked again and again: a session each time. */
const IDLE_MS = 1000;

/**
 * Asks an agent's database, without locking it or leaving a file beside it. `ask` gets a function that runs a query;
 * what it gives is returned, and may be asked for several times. Undefined where there is no database, or none that can
 * be read now.
 */
export function askForeignDatabase<T>(path: string, ask: (rows: Rows) => T): T | undefined {
  try {
    return readForeignDatabase(path, ask);
  } catch (error) {
    if (error instanceof ForeignDatabaseError) return undefined;
    throw error;
  }
}

/** The same, for one who has to tell why not. @throws ForeignDatabaseError */
export function readForeignDatabase<T>(path: string, ask: (rows: Rows) => T): T {
  let reason = 'it is written all the time';
  for (let tries = 0; tries < TRIES; tries++) {
    const before = fileMark(path);
    if (before === undefined) throw new ForeignDatabaseError('there is no database');
    try {
      const answer = ask(rowsOf(opened(path).database));
      if (fileMark(path) === before) return answer;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
      // Torn by a writer, or no database: where nothing was written meanwhile, it stays so.
      if (fileMark(path) === before) break;
    }
    close();
  }
  close();
  throw new ForeignDatabaseError(reason);
}

function rowsOf(database: DatabaseSync): Rows {
  const rows = (sql: string, ...values: SQLInputValue[]): Fields[] => database.prepare(sql).all(...values);
  return Object.assign(rows, {
    each: (sql: string, ...values: SQLInputValue[]): Iterable<Fields> => database.prepare(sql).iterate(...values),
  });
}

interface Opened {
  readonly path: string;
  readonly mark: string | undefined;
  readonly database: DatabaseSync;
  readonly folder?: string;
}

let last: Opened | undefined;
let idle: NodeJS.Timeout | undefined;
process.once('exit', () => close());

/** The database as it is now: as it was opened last, where it did not change. */
function opened(path: string): Opened {
  const mark = markOf(path);
  if (last?.path !== path || last.mark !== mark) {
    close();
    const database = sizeOf(`${path}-wal`) > 0 ? withLog(path) : { database: inPlace(path) };
    last = { path, mark, ...database };
  }
  clearTimeout(idle);
  idle = setTimeout(close, IDLE_MS).unref();
  return last;
}

function close(): void {
  last?.database.close();
  if (last?.folder !== undefined) rmSync(last.folder, { recursive: true, force: true });
  last = undefined;
}

/** Of a database that nobody has open all is in its file. */
function inPlace(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  url.searchParams.set('mode', 'ro');
  return new DatabaseSync(url, { readOnly: true });
}

/**
 * What is newest lies in the log. SQLite takes up a log that has the database's name, and makes a file beside both: so
 * the database is given a second name in a folder of ours, beside a copy of the log, and is neither copied nor locked.
 * What the agent writes to its log meanwhile is not seen; where it writes to the database itself, we begin again.
 */
function withLog(path: string): { readonly database: DatabaseSync; readonly folder: string } {
  for (const place of [tmpdir(), homeOf().path]) {
    let folder: string | undefined;
    try {
      folder = mkdtempSync(join(place, 'portolan-'));
      const name = join(folder, basename(path));
      copyFileSync(`${path}-wal`, `${name}-wal`);
      linkSync(path, name);
      const url = pathToFileURL(name);
      url.searchParams.set('mode', 'ro');
      url.searchParams.set('vfs', 'unix-none');
      const database = new DatabaseSync(url, { readOnly: true });
      // The log's index is then held in memory, not in a file.
      database.exec('PRAGMA locking_mode = EXCLUSIVE');
      database.prepare('SELECT count(*) FROM sqlite_schema').get();
      return { database, folder };
    } catch {
      // Another file system, or one without such names.
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    }
  }
  return copied(path);
}

function copied(path: string): { readonly database: DatabaseSync; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-'));
  try {
    const copy = join(folder, basename(path));
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    // Where the file system can, both share what is the same in them.
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    return { database: new DatabaseSync(copy), folder };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Size and time of a file and of the log beside it, which databases have: while they stay, so does what it says. Undefined where there is none. */
export function markOf(path: string): string | undefined {
  const mark = fileMark(path);
  if (mark === undefined) return undefined;
  const log = statOf(`${path}-wal`);
  return `${mark} ${log?.size ?? 0} ${log?.mtimeMs ?? 0}`;
}

/** A log that only grew says all that it said before. */
function fileMark(path: string): string | undefined {
  const stat = statOf(path);
  return stat && `${stat.size} ${stat.mtimeMs}`;
}

function sizeOf(path: string): number {
  return statOf(path)?.size ?? 0;
}
