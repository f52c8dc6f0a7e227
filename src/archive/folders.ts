import type { Database } from '../store/database.ts';

/** A folder's repository as it was seen on disk, at some time: kept, for folders are deleted and moved. */
export interface SeenFolder {
  readonly path: string;
  /** The main repository's folder. */
  readonly root: string;
  /** `//host/owner/name` */
  readonly remote?: string;
  /** The same for a repository wherever it is moved to. */
  readonly born?: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

interface RawFolder {
  path: string;
  root: string;
  remote: string;
  born: number;
  at: number;
}

/** Which repositories folders were seen in. Nothing that was seen is replaced by nothing. */
export class Folders {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** All sightings of repositories, in an order that does not change. */
  seen(): SeenFolder[] {
    return this.db
      .rows<RawFolder>("SELECT * FROM folders WHERE root <> '' ORDER BY path, root, remote, born")
      .map(({ path, root, remote, born, at }) => ({
        path,
        root,
        at,
        ...(remote !== '' && { remote }),
        ...(born !== 0 && { born }),
      }));
  }

  /** The repository in which a folder was seen last. */
  lastSeen(path: string): Pick<SeenFolder, 'root' | 'at'> | undefined {
    return this.db.row<RawFolder>(
      "SELECT * FROM folders WHERE path = ? AND root <> '' ORDER BY at DESC, root LIMIT 1",
      path,
    );
  }

  /** The folders that were looked at, those in no repository too. */
  paths(): Set<string> {
    return new Set(this.db.rows<{ path: string }>('SELECT DISTINCT path FROM folders').map((row) => row.path));
  }

  /** Keeps what was seen of a folder; whether that is not what was seen last. */
  keep({ path, root, remote = '', born = 0, at }: SeenFolder): boolean {
    const last = this.db.row<RawFolder>('SELECT * FROM folders WHERE path = ? ORDER BY at DESC, root LIMIT 1', path);
    if (last?.root === root && last.remote === remote && last.born === born) return false;
    if (last && root === '') return false;
    this.db.run(
      'INSERT OR REPLACE INTO folders (path, root, remote, born, at) VALUES (?, ?, ?, ?, ?)',
      path,
      root,
      remote,
      born,
      at,
    );
    return root !== '';
  }

  /** Forgets what was seen of folders whose names a redactor changes: sessions tell of them by other names then. */
  redact(clean: (text: string) => string): void {
    for (const { path, root, remote } of this.db.rows<RawFolder>('SELECT * FROM folders'))
      if ([path, root, remote].some((text) => clean(text) !== text))
        this.db.run('DELETE FROM folders WHERE path = ?', path);
  }

  /** Forgets the folders that are not among those that sessions still tell of. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.paths()) if (!paths.has(path)) this.db.run('DELETE FROM folders WHERE path = ?', path);
  }
}
