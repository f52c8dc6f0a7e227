import { existsSync, statSync } from 'node:fs';
import type { Home } from '../home/paths.ts';
import { Damage, isDamage } from '../store/damage.ts';
import { Database } from '../store/database.ts';
import { currentGeneration } from '../store/generations.ts';

/** The archive is gone or holds nothing, and the index that was made from it still knows of sessions. */
export class ArchiveLost extends Damage {
  readonly sessions: number;

  constructor(path: string, how: 'gone' | 'empty', sessions: number) {
    super(path, `The archive is ${how}; the index still knows ${sessions} ${sessions === 1 ? 'session' : 'sessions'}.`);
    this.sessions = sessions;
  }
}

/** Makes sure that the home is a new one. @throws ArchiveLost where its index knows sessions */
export function expectNoArchive(home: Home): void {
  const sessions = sessionsInIndex(home);
  if (sessions > 0) throw new ArchiveLost(home.archive, existsSync(home.archive) ? 'empty' : 'gone', sessions);
}

/** How many sessions the index in use knows; none where there is no index that can be read. */
export function sessionsInIndex(home: Home): number {
  const path = currentGeneration(home.index);
  if (path === undefined) return 0;
  try {
    const db = Database.forReading(path);
    try {
      return db.row<{ n: number }>('SELECT count(*) AS n FROM sessions')?.n ?? 0;
    } finally {
      db.close();
    }
  } catch (error) {
    if (isDamage(error)) return 0;
    throw error;
  }
}

/** Whether there is no file, or one of no bytes. */
export function isFileEmpty(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}
