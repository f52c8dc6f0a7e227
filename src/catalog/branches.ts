import type { Database } from '../store/database.ts';

export const BRANCHES_SCHEMA = `
CREATE TABLE IF NOT EXISTS branches (  -- turns that follow an earlier one than that before them
  session INTEGER NOT NULL, turn INTEGER NOT NULL, follows INTEGER NOT NULL,
  PRIMARY KEY (session, turn)
) WITHOUT ROWID;
`;

type Range = readonly [from: number, to: number];

/**
 * Where the conversations of sessions part. A prompt that follows an earlier turn than the one before it begins a branch
 * there; the turns that no longer lead to the last one are `rewound`. Only the turns between the two are looked at.
 */
export class Branches {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Notes that a turn, which is its session's last and is on the live branch, follows another than that before it. */
  begin(session: number, turn: number, follows: number): void {
    this.db.run('INSERT OR REPLACE INTO branches (session, turn, follows) VALUES (?, ?, ?)', session, turn, follows);
    const { taken, from } = this.pathTo(session, follows);
    this.mark(session, [from + 1, turn - 1], true);
    for (const range of taken) this.mark(session, range, false);
  }

  /** The turns that lead to one, back to where they meet the branch that is live: ranges, and the turn where they meet. */
  private pathTo(session: number, turn: number): { readonly taken: readonly Range[]; readonly from: number } {
    const taken: Range[] = [];
    for (let at: number | undefined = turn; at !== undefined; ) {
      const branch = this.branchOf(session, at);
      const first = branch?.turn ?? 0;
      const live = this.lastLive(session, [first, at]);
      taken.push([(live ?? first - 1) + 1, at]);
      if (live !== undefined) return { taken, from: live };
      at = branch?.follows;
    }
    return { taken, from: -1 };
  }

  /** The branch that a turn lies on; undefined on the first. */
  private branchOf(session: number, turn: number): { readonly turn: number; readonly follows: number } | undefined {
    return this.db.row(
      'SELECT turn, follows FROM branches WHERE session = ? AND turn <= ? ORDER BY turn DESC LIMIT 1',
      session,
      turn,
    );
  }

  private lastLive(session: number, [from, to]: Range): number | undefined {
    return this.db.row<{ turn: number }>(
      'SELECT turn FROM turns WHERE session = ? AND turn BETWEEN ? AND ? AND rewound = 0 ORDER BY turn DESC LIMIT 1',
      session,
      from,
      to,
    )?.turn;
  }

  private mark(session: number, [from, to]: Range, isRewound: boolean): void {
    this.db.run(
      'UPDATE turns SET rewound = ?1 WHERE session = ?2 AND turn BETWEEN ?3 AND ?4 AND rewound <> ?1',
      Number(isRewound),
      session,
      from,
      to,
    );
  }
}
