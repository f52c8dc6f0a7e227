import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Fields } from './fields.ts';
import { statOf } from './folders.ts';

/** How often a database that is written while it is read is tried again. */
const TRIES = 3;

/**
 * Asks an agent's database, without locking it or leaving a file beside it. `ask` gets a function that runs a query;
 * what it gives is returned. Undefined where there is no database, or none that can be read now.
 */
export function askForeignDatabase<T>(path: string, ask: (rows: (sql: string) => Fields[]) => T): T | undefined {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = markOf(path);
    if (before === undefined) return undefined;
    try {
      const answer = sizeOf(`${path}-wal`) > 0 ? askCopy(path, ask) : askInPlace(path, ask);
      if (markOf(path) === before) return answer;
    } catch {
      // Torn by a writer, or no database: where nothing was written meanwhile, it stays so.
      if (markOf(path) === before) return undefined;
    }
  }
  return undefined;
}

/** Of a database that nobody has open all is in its file. */
function askInPlace<T>(path: string, ask: (rows: (sql: string) => Fields[]) => T): T {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  url.searchParams.set('mode', 'ro');
  return askOpen(new DatabaseSync(url, { readOnly: true }), ask);
}

/** What is newest lies in the log: both are copied, and the log is taken up in the copy. */
function askCopy<T>(path: string, ask: (rows: (sql: string) => Fields[]) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-'));
  try {
    const copy = join(folder, basename(path));
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    copyFileSync(path, copy);
    return askOpen(new DatabaseSync(copy), ask);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function askOpen<T>(database: DatabaseSync, ask: (rows: (sql: string) => Fields[]) => T): T {
  try {
    return ask((sql) => database.prepare(sql).all());
  } finally {
    database.close();
  }
}

/** Size and time of a file and of the log beside it, which databases have: while they stay, so does what it says. Undefined where there is none. */
export function markOf(path: string): string | undefined {
  const stat = statOf(path);
  if (!stat) return undefined;
  const log = statOf(`${path}-wal`);
  return `${stat.size} ${stat.mtimeMs} ${log?.size ?? 0} ${log?.mtimeMs ?? 0}`;
}

function sizeOf(path: string): number {
  return statOf(path)?.size ?? 0;
}
