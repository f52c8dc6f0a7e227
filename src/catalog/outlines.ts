import type { Database } from '../store/database.ts';

/** Where a passage stands. */
export interface PassagePlace {
  readonly passage: number;
  readonly session: number;
  readonly turn: number;
  readonly rewound: boolean;
}

/** The places of passages, in the order asked for; those that are no more are left out. */
export function placesOf(db: Database, passages: readonly number[]): PassagePlace[] {
  return db
    .tuples<[passage: number, session: number, turn: number, rewound: number | null]>(
      `SELECT p.id, p.session, p.turn, t.rewound FROM json_each(?) AS asked CROSS JOIN passages p ON p.id = asked.value
       LEFT JOIN turns t INDEXED BY turns_rewound ON t.session = p.session AND t.turn = p.turn AND t.rewound = 1`,
      JSON.stringify(passages),
    )
    .map(([passage, session, turn, rewound]) => ({ passage, session, turn, rewound: rewound === 1 }));
}

/** What is ranked and counted by of a session: hundreds of them are looked at for a page of hits. */
export interface SessionOutline {
  readonly source: string;
  readonly type: 'session' | 'subagent' | 'prompt';
  readonly project?: string;
  /** Epoch milliseconds of its last activity. */
  readonly active?: number;
}

/** The outlines of sessions by their ids, asked for at once: one by one takes six times as long. */
export function outlinesOf(db: Database, sessions: Iterable<number>): ReadonlyMap<number, SessionOutline> {
  const rows = db.tuples<
    [id: number, source: string, kind: string, relation: string | null, project: string | null, active: number | null]
  >(
    `SELECT s.id, s.source, s.kind, s.relation, s.project, s.active FROM json_each(?) AS asked
     CROSS JOIN sessions s ON s.id = asked.value`,
    JSON.stringify([...sessions]),
  );
  return new Map(
    rows.map(([id, source, kind, relation, project, active]) => [
      id,
      {
        source,
        type: relation === 'subagent' ? 'subagent' : kind === 'prompts' ? 'prompt' : 'session',
        ...(project !== null && { project }),
        ...(active !== null && { active }),
      },
    ]),
  );
}
