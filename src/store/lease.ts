import { chmodSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isDamageOfSqlite } from './damage.ts';

/** The writer's lease: held while the process lives, freed by the kernel when it dies. */
export interface Lease {
  release(): void;
}

/** Another process has the lease. */
export class Busy extends Error {
  constructor() {
    super('Another Portolan is indexing or watching.');
  }
}

/** Takes the lease; undefined where another process holds it. @throws where the file cannot be made */
export function takeLease(path: string): Lease | undefined {
  try {
    return lockedAt(path);
  } catch (error) {
    if (!isDamageOfSqlite(error)) throw error;
    // Nothing is kept in it. SQLite looks for a holder before it looks at the content, so nobody holds it; and who empties
    // it a second time takes nothing from the one who holds it by then: the lock is the file's, not its content's.
    truncateSync(path, 0);
    return lockedAt(path);
  }
}

function lockedAt(path: string): Lease | undefined {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined;
    throw error;
  }
  return {
    release() {
      db.exec('ROLLBACK');
      db.close();
    },
  };
}
