import type { Failure } from '../agents/source.ts';
import type { Database } from '../store/database.ts';

export const LISTINGS = `
CREATE TABLE IF NOT EXISTS listings ( -- what the last indexing met of a source's files
  source TEXT PRIMARY KEY,
  units INTEGER NOT NULL, unread INTEGER NOT NULL,
  unreadable TEXT NOT NULL          -- JSON: folders that could not be listed
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS units_failed ON units (source) WHERE gone = 0 AND failures IS NOT NULL;
CREATE TABLE IF NOT EXISTS listed (   -- the agents' folders: what comes or goes in one changes its time
  folder TEXT PRIMARY KEY,
  modified INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS listed_by_time ON listed (modified);
`;

/** What the last indexing met of a source's files. */
export interface Listing {
  /** Files that hold histories and are not left out. */
  readonly units: number;
  /** Those of them that it has not come to: it goes on, or was broken off. */
  readonly unread: number;
  /** Folders that could not be listed, and files that could not even be looked at. */
  readonly unreadable: readonly Failure[];
}

/** A folder that was listed, and when something last came or went in it, epoch milliseconds. */
export interface ListedFolder {
  readonly folder: string;
  readonly modified: number;
}

/** What a look at the agents' files saw, by source: a look finds what no indexing has noted yet. */
export interface OnDisk {
  /** Files that are not read as they are now, and when the first of them was written, epoch milliseconds. */
  readonly unread: ReadonlyMap<string, { readonly files: number; readonly since: number }>;
  /** What is there and cannot be looked into. */
  readonly unreadable: ReadonlyMap<string, readonly Failure[]>;
}

/** Folders that could not be listed are few; of more, the first are kept. */
const MOST_UNREADABLE = 20;

/** How far the agents' folders were read. */
export class Listings {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** By source; none of one that was never listed. */
  all(): ReadonlyMap<string, Listing> {
    const rows = this.db.rows<{ source: string; units: number; unread: number; unreadable: string }>(
      'SELECT source, units, unread, unreadable FROM listings',
    );
    return new Map(
      rows.map(({ source, unreadable, ...counts }) => [
        source,
        // Written by `note` alone.
        { ...counts, unreadable: JSON.parse(unreadable) as Failure[] },
      ]),
    );
  }

  /** Notes a listing. Inside the writer's transaction. */
  note(source: string, { units, unread, unreadable }: Listing): void {
    this.db.run(
      'INSERT OR REPLACE INTO listings (source, units, unread, unreadable) VALUES (?, ?, ?, ?)',
      source,
      units,
      unread,
      JSON.stringify(unreadable.slice(0, MOST_UNREADABLE)),
    );
  }

  /** When something had last come or gone in a folder as it was listed; undefined where it never was. */
  modifiedOf(folder: string): number | undefined {
    return this.db.row<{ modified: number }>('SELECT modified FROM listed WHERE folder = ?', folder)?.modified;
  }

  /** The folders that were listed, those first in which something came or went last. */
  folders(limit = -1): ListedFolder[] {
    return this.db.rows<{ folder: string; modified: number }>(
      'SELECT folder, modified FROM listed ORDER BY modified DESC LIMIT ?',
      limit,
    );
  }

  /** Notes which folders there are now. Inside the writer's transaction. */
  noteFolders(folders: ReadonlyMap<string, number>): void {
    const before = new Map(this.folders().map(({ folder, modified }) => [folder, modified]));
    for (const [folder, modified] of folders)
      if (before.get(folder) !== modified)
        this.db.run('INSERT OR REPLACE INTO listed (folder, modified) VALUES (?, ?)', folder, modified);
    for (const folder of before.keys())
      if (!folders.has(folder)) this.db.run('DELETE FROM listed WHERE folder = ?', folder);
  }

  /** Forgets the names of folders: they may be what is to be forgotten. The next indexing notes those that are left. */
  forgetNames(): void {
    this.db.exec(`DELETE FROM listed; UPDATE listings SET unreadable = '[]';`);
  }
}
