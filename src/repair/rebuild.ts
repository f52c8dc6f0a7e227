import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { joinUp } from '../archive/salvage/join-up.ts';
import { remember } from '../archive/salvage/remember.ts';
import { type Salvaged, salvage } from '../archive/salvage/salvage.ts';
import { openArchive } from '../archive/schema.ts';
import { isFileEmpty } from '../holdings/lost.ts';
import { type Home, makeHome } from '../home/paths.ts';
import type { Database } from '../store/database.ts';
import { forgetGeneration } from '../store/generations.ts';
import { Busy, takeLease } from '../store/lease.ts';
import { breakSeal } from '../store/seal.ts';
import { ruinName } from './ruins.ts';
import { type Witness, witnessOf } from './witness.ts';

/** What came of a rebuilding. */
export interface Rebuilt {
  /** Where the old archive lies now; absent where there was none. */
  readonly keptAs?: string;
  readonly salvaged: Salvaged;
  /** Sessions that the index knew of. */
  readonly witnessed: number;
}

const NOTHING: Salvaged = { pages: 0, brokenPages: 0, rows: 0, bodies: 0, lostBodies: 0 };

/**
 * Makes a new archive out of what is whole in the old one, and of what the index knows of the rest. The old one stays beside it
 * under a dated name. Every file that is still there is read again by the next indexing, which also makes the index anew.
 * @throws Busy where another process writes; the errors of the system where the disk has no room for a second archive
 */
export function rebuildArchive(home: Home, now: Date): Rebuilt {
  makeHome(home);
  const lease = takeLease(home.lock);
  if (!lease) throw new Busy();
  const made = join(dirname(home.archive), 'archive.new.db');
  try {
    removeDatabase(made);
    const witness = witnessOf(home);
    try {
      const salvaged = fill(home, made, witness);
      const keptAs = putInPlace(home, made, now);
      forgetGeneration(home.index);
      return { salvaged, witnessed: witness?.count ?? 0, ...(keptAs !== undefined && { keptAs }) };
    } finally {
      witness?.close();
    }
  } finally {
    removeDatabase(made);
    lease.release();
  }
}

function fill(home: Home, made: string, witness: Witness | undefined): Salvaged {
  const db = openArchive(made);
  try {
    db.exec('PRAGMA secure_delete = 1');
    const salvaged =
      isFileEmpty(home.archive) && isFileEmpty(`${home.archive}-wal`) ? NOTHING : salvage(home.archive, db);
    db.transaction(() => completed(db, witness));
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return salvaged;
  } finally {
    db.close();
  }
}

/** Joins up what was saved with what the index knows; whatever is there to be read is read again. */
function completed(db: Database, witness: Witness | undefined): void {
  for (const session of witness?.sessions() ?? []) remember(db, session);
  joinUp(db, (session) => witness?.pathOf(session));
  db.exec(`UPDATE units SET checkpoint = NULL, read_to = NULL, read_lines = NULL;
    UPDATE sessions SET revision = revision + 1;
    INSERT INTO state (name, value) VALUES ('changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1;`);
}

/** The new archive takes the old one's place; gives the name that the old one has now. */
function putInPlace(home: Home, made: string, now: Date): string | undefined {
  const keptAs = join(dirname(home.archive), ruinName(now));
  const isThere = existsSync(home.archive);
  if (isThere) alsoAs(home.archive, keptAs);
  // A log that outlived its database would be read into the new one.
  if (!isFileEmpty(`${home.archive}-wal`)) alsoAs(`${home.archive}-wal`, `${keptAs}-wal`);
  for (const suffix of ['-wal', '-shm']) rmSync(`${home.archive}${suffix}`, { force: true });
  breakSeal(home.path);
  renameSync(made, home.archive);
  return isThere ? keptAs : undefined;
}

/** Gives a file a second name, on a disk that has no such thing a copy. */
function alsoAs(path: string, name: string): void {
  try {
    linkSync(path, name);
  } catch {
    copyFileSync(path, name);
  }
}

function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}
