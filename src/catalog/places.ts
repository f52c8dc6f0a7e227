import type { Database } from '../store/database.ts';
import { forgetWorked, workedIn } from './worked.ts';

/**
 * Where sessions ran, and what they themselves tell of it: each combination once. Also the roots of sessions whose own
 * folder says nothing.
 */
export interface Place {
  readonly cwd: string;
  readonly remote?: string;
  readonly branch?: string;
}

/** What decides about a session's project: the session's own folder and remote. */
export interface Placed {
  readonly cwd: string | null;
  readonly remote: string | null;
  readonly project: string | null;
}

export interface PlacedSession extends Placed {
  readonly id: number;
  /** Folders in which its tools worked, with how often; only where the session's own folder says nothing. */
  readonly work: ReadonlyMap<string, number>;
}

/** Of a session's folders, so many are kept, those with the most work. */
const MOST_FOLDERS = 64;

/** The projects of the catalog's sessions, and what they are judged by. */
export class Places {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  all(): Place[] {
    return this.db
      .rows<{ cwd: string; remote: string | null; branch: string | null }>(
        `SELECT cwd, remote, branch FROM sessions WHERE cwd IS NOT NULL
         UNION SELECT root.value, NULL, NULL FROM sessions, json_each(more, '$.roots') root
           WHERE sessions.id IN (SELECT session FROM work)
         ORDER BY cwd, remote, branch`,
      )
      .map(({ cwd, remote, branch }) => ({
        cwd,
        ...(remote !== null && { remote }),
        ...(branch !== null && { branch }),
      }));
  }

  /** The folders in which tools worked. */
  workFolders(): string[] {
    return this.db.rows<{ folder: string }>('SELECT DISTINCT folder FROM work').map((row) => row.folder);
  }

  /** What sessions without work of their own are judged by, and the project that they have. */
  placed(): Placed[] {
    return this.db.rows(
      'SELECT DISTINCT cwd, remote, project FROM sessions WHERE id NOT IN (SELECT session FROM work)',
    );
  }

  /** Sessions that are judged by the work of their tools. */
  working(): PlacedSession[] {
    const works = new Map<number, Map<string, number>>();
    for (const { session, folder, n } of this.db.rows<{ session: number; folder: string; n: number }>(
      'SELECT session, folder, n FROM work ORDER BY session, folder',
    ))
      works.set(session, (works.get(session) ?? new Map()).set(folder, n));
    return this.db
      .rows<Placed & { id: number }>(
        'SELECT id, cwd, remote, project FROM sessions WHERE id IN (SELECT session FROM work)',
      )
      .map((row) => ({ ...row, work: works.get(row.id)! }));
  }

  session(id: number): PlacedSession | undefined {
    const row = this.db.row<Placed & { id: number }>('SELECT id, cwd, remote, project FROM sessions WHERE id = ?', id);
    return row && { ...row, work: this.workOf(id) };
  }

  /** Gives sessions that were judged alike another project. */
  move({ cwd, remote, project }: Placed, to: string | null): void {
    this.db.run(
      `UPDATE sessions SET project = ? WHERE cwd IS ? AND remote IS ? AND project IS ?
         AND id NOT IN (SELECT session FROM work)`,
      to,
      cwd,
      remote,
      project,
    );
  }

  moveSession(id: number, to: string | null): void {
    this.db.run('UPDATE sessions SET project = ? WHERE id = ?', to, id);
  }

  /** Gives sub-agents of which nothing is told the project of the session that started them. */
  inherit(): void {
    let changes = 1;
    while (changes > 0)
      ({ changes } = this.db.run(
        `UPDATE sessions SET project = above.project FROM sessions above
         WHERE sessions.relation = 'subagent' AND sessions.project IS NULL AND above.key = sessions.parent
           AND above.project IS NOT NULL`,
      ));
  }

  /** Counts anew where the tools of a session worked, and the roots it was given; undefined where that is as it was. */
  countWork(session: number, roots: readonly string[]): string[] | undefined {
    const counts = workedIn(this.db, session, MOST_FOLDERS, roots);
    for (const root of roots) counts.set(root, (counts.get(root) ?? 0) + 1);
    const most = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, MOST_FOLDERS);
    const before = this.workOf(session);
    if (before.size === most.length && most.every(([folder, n]) => before.get(folder) === n)) return undefined;
    this.db.run('DELETE FROM work WHERE session = ?', session);
    for (const [folder, n] of most)
      this.db.run('INSERT INTO work (session, folder, n) VALUES (?, ?, ?)', session, folder, n);
    return most.map(([folder]) => folder);
  }

  forgetWork(session: number): void {
    this.db.run('DELETE FROM work WHERE session = ?', session);
    forgetWorked(this.db, session);
  }

  /** A mark of the rules by which projects were given. */
  rules(): number | undefined {
    return this.db.row<{ value: number }>("SELECT value FROM state WHERE name = 'project_rules'")?.value;
  }

  noteRules(mark: number): void {
    this.db.run("INSERT OR REPLACE INTO state (name, value) VALUES ('project_rules', ?)", mark);
  }

  private workOf(session: number): Map<string, number> {
    const rows = this.db.rows<{ folder: string; n: number }>('SELECT folder, n FROM work WHERE session = ?', session);
    return new Map(rows.map(({ folder, n }) => [folder, n]));
  }
}
