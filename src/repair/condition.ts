import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { type Inspection, inspect } from '../archive/inspect.ts';
import { ARCHIVE_VERSION } from '../archive/schema.ts';
import { SUMMED_SINCE } from '../archive/sums.ts';
import { CATALOG_VERSION } from '../catalog/schema.ts';
import { isFileEmpty, sessionsInIndex } from '../holdings/lost.ts';
import { ConfigError, readConfig } from '../home/config.ts';
import type { Home } from '../home/paths.ts';
import { isDamage } from '../store/damage.ts';
import { Database } from '../store/database.ts';
import { currentGeneration } from '../store/generations.ts';

export type PartName = 'config' | 'archive' | 'index' | 'lock' | 'notes' | 'log';

/** How a part of the home is. `missing` is nothing bad in itself: what is missing was not made yet, or is made again. */
export interface Condition {
  readonly state: 'whole' | 'missing' | 'empty' | 'damaged' | 'newer' | 'unreadable';
  readonly path: string;
  /** What is wrong, in words. */
  readonly detail?: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** A session of which a part is damaged or lost. */
export interface Hurt {
  readonly id: string;
  /** Pieces that are damaged or lost. */
  readonly pieces: number;
  /** Whether it is known to be lost: its file was not there when it was to be read again. */
  readonly isLost: boolean;
}

export interface HomeCondition {
  readonly parts: Readonly<Record<PartName, Condition>>;
  readonly hurt: readonly Hurt[];
}

const REPAIR = 'portolan repair saves what is whole, and keeps the old one beside it.';

/** How everything in the home is, whatever it is. Changes nothing, and fails on no ruin. */
export function conditionOf(home: Home): HomeCondition {
  const { condition, hurt } = archiveCondition(home);
  return {
    parts: {
      config: looked(home.config, () => configCondition(home)),
      archive: condition,
      index: looked(currentGeneration(home.index) ?? home.index, () => indexCondition(home)),
      lock: looked(home.lock, () => lockCondition(home)),
      notes: looked(home.notes, () => notesCondition(home)),
      log: looked(home.log, () => whole(home.log)),
    },
    hurt,
  };
}

const whole = (path: string): Condition => ({ state: 'whole', path });

/** What looking gives; what cannot be opened is told as such. */
function looked(path: string, look: () => Condition): Condition {
  try {
    if (existsSync(path)) closeSync(openSync(path, 'r'));
    else return { state: 'missing', path };
    return look();
  } catch (error) {
    return unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Condition {
  const detail = error instanceof Error ? error.message : String(error);
  return { state: 'unreadable', path, detail, hint: `May Portolan read ${path}?` };
}

function archiveCondition(home: Home): { readonly condition: Condition; readonly hurt: readonly Hurt[] } {
  const path = home.archive;
  let hurt: readonly Hurt[] = [];
  const lost = (state: 'missing' | 'empty'): Condition => {
    const known = sessionsInIndex(home);
    if (known === 0) return { state, path };
    const sessions = known === 1 ? '1 session' : `${known} sessions`;
    const hint = 'portolan repair brings back what the agents’ files and the index still have.';
    return { state, path, detail: `the index still knows ${sessions}`, hint };
  };
  const condition = looked(path, () => {
    if (isFileEmpty(path)) return lost('empty');
    try {
      const db = Database.forReading(path);
      try {
        if (db.version > ARCHIVE_VERSION) return newer(path, db.version);
        if (db.row("SELECT 1 FROM sqlite_schema WHERE name = 'units'") === undefined) return lost('empty');
        if (db.row('SELECT 1 FROM units LIMIT 1') === undefined) return lost('empty');
        if (db.version < SUMMED_SINCE) return structureCondition(path, db, REPAIR);
        const inspection = inspect(db);
        hurt = hurtIn(db, inspection);
        return inspectedCondition(path, inspection);
      } finally {
        db.close();
      }
    } catch (error) {
      if (isDamage(error)) return { state: 'damaged', path, detail: error.message, hint: REPAIR };
      throw error;
    }
  });
  return { condition: condition.state === 'missing' ? lost('missing') : condition, hurt };
}

function structureCondition(path: string, db: Database, hint: string): Condition {
  const detail = db.structureProblem();
  return detail === undefined ? whole(path) : { state: 'damaged', path, detail, hint };
}

function inspectedCondition(path: string, { sessions, rows }: Inspection): Condition {
  if (rows.size > 0) {
    const detail = `not as they were written: ${[...rows].map(([table, n]) => `${n} of ${table}`).join(', ')}`;
    return { state: 'damaged', path, detail, hint: REPAIR };
  }
  if (sessions.size === 0) return whole(path);
  const n = sessions.size === 1 ? '1 session is' : `${sessions.size} sessions are`;
  return {
    state: 'damaged',
    path,
    detail: `parts of ${n} damaged`,
    hint: 'portolan index reads them again, where the agents’ files are still there; portolan repair puts the rest in order.',
  };
}

function newer(path: string, version: number): Condition {
  const detail = `made by a newer Portolan (version ${version} of the file)`;
  return { state: 'newer', path, detail, hint: 'Run the newer version, or set PORTOLAN_HOME to another folder.' };
}

function hurtIn(db: Database, { sessions, lost }: Inspection): Hurt[] {
  const all = [...sessions].map(([session, pieces]) => ({ session, pieces, isLost: false }));
  all.push(...[...lost].map(([session, pieces]) => ({ session, pieces, isLost: true })));
  return all.map(({ session, ...rest }) => {
    const id = db.row<{ key: string }>('SELECT key FROM sessions WHERE id = ?', session)?.key ?? `session ${session}`;
    return { id, ...rest };
  });
}

function configCondition(home: Home): Condition {
  try {
    readConfig(home);
    return whole(home.config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { state: 'damaged', path: home.config, detail: error.message, hint: error.hint };
  }
}

function indexCondition(home: Home): Condition {
  const path = currentGeneration(home.index);
  if (path === undefined) return { state: 'missing', path: home.index };
  const hint = 'portolan index rebuilds it from the archive.';
  try {
    const db = Database.forReading(path);
    try {
      if (db.version > CATALOG_VERSION) return newer(path, db.version);
      return structureCondition(path, db, hint);
    } finally {
      db.close();
    }
  } catch (error) {
    if (isDamage(error)) return { state: 'damaged', path, detail: error.message, hint };
    throw error;
  }
}

function lockCondition(home: Home): Condition {
  const path = home.lock;
  if (isFileEmpty(path)) return whole(path);
  try {
    const db = Database.forReading(path);
    try {
      db.row('SELECT 1 FROM sqlite_schema');
    } finally {
      db.close();
    }
    return whole(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return {
      state: 'damaged',
      path,
      detail: error.message,
      hint: 'Nothing is kept in it: whoever writes next makes it anew.',
    };
  }
}

function notesCondition(home: Home): Condition {
  const lines = readFileSync(home.notes, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const broken = lines.filter((line) => !isJson(line)).length;
  if (broken === 0) return whole(home.notes);
  const detail = `${broken} of ${lines.length} lines cannot be read and are passed over`;
  return { state: 'damaged', path: home.notes, detail, hint: 'The other stars are kept; nothing need be done.' };
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
