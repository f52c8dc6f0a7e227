import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

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
  const db = new DatabaseSync(path, { timeout: 0 });
  chmodSync(path, 0o600);
  try {
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
