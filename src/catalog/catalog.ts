import type { Database } from '../store/database.ts';
import { FIRST_OUTSIDE } from '../transcript/index.ts';
import type { CatalogSession, CatalogTurn } from './listed.ts';
import { catalogSession, catalogTurn, type RawSession, type RawTurn } from './rows.ts';

export interface PassageRow {
  readonly session: number;
  readonly turn: number;
  /** -1 for a session's title. */
  readonly chunk: number;
  readonly firstPart: number;
  readonly from: number;
  readonly lastPart: number;
  readonly to: number;
  readonly at?: number;
  readonly flags: number;
  readonly bytes: number;
}

export const TITLE_CHUNK = -1;

const ALL = [0, Number.MAX_SAFE_INTEGER] as const;

/** The counts come last: they are kept by what is deleted before. */
const TABLES_OF_A_SESSION = [
  'passages',
  'worked',
  'touches',
  'tools',
  'chunks',
  'turns',
  'titles',
  'work',
  'branches',
  'lineages',
  'foreign_records',
  'counts',
];

/** The derived tables: sessions, turns, passages, files that were touched. */
export class Catalog {
  readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  session(id: number): CatalogSession | undefined {
    const row = this.db.row<RawSession>('SELECT * FROM sessions WHERE id = ?', id);
    return row && catalogSession(row);
  }

  /** Sessions that hold for a condition over the table (`s`), in an order given in SQL. */
  sessions(
    where: string,
    values: readonly (string | number)[],
    order: string,
    limit: number,
    offset = 0,
  ): CatalogSession[] {
    return this.db
      .rows<RawSession>(
        `SELECT s.* FROM sessions s WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      .map(catalogSession);
  }

  count(table: 'sessions' | 'turns' | 'passages', where = '1', ...values: (string | number)[]): number {
    return this.db.row<{ n: number }>(`SELECT count(*) AS n FROM ${table} s WHERE ${where}`, ...values)?.n ?? 0;
  }

  /** The sessions that a call of a tool started, in a source. */
  startedBy(source: string, callId: string): number[] {
    return this.db
      .rows<{ id: number }>(
        "SELECT id FROM sessions WHERE json_extract(more, '$.startedBy') = ? AND source = ?",
        callId,
        source,
      )
      .map(({ id }) => id);
  }

  /** The session below another that a call of a tool in it started. */
  childStartedBy(parent: string, callId: string): string | undefined {
    return this.db.row<{ key: string }>(
      "SELECT key FROM sessions WHERE json_extract(more, '$.startedBy') = ? AND parent = ? ORDER BY id LIMIT 1",
      callId,
      parent,
    )?.key;
  }

  childIds(key: string): number[] {
    return this.db.rows<{ id: number }>('SELECT id FROM sessions WHERE parent = ?', key).map(({ id }) => id);
  }

  childrenOf(key: string): string[] {
    return this.db
      .rows<{ key: string }>('SELECT key FROM sessions WHERE parent = ? ORDER BY started', key)
      .map((row) => row.key);
  }

  putSession(session: CatalogSession): void {
    this.db.run(
      `INSERT OR REPLACE INTO sessions (id, revision, key, source, native_id, kind, title, title_from, cwd, project, branch,
         remote, started, ended, active, parent, relation, parent_turn, hidden, gone, path, turns, messages, tool_calls,
         errors, tokens, more)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      session.id,
      session.revision,
      session.key,
      session.source,
      session.nativeId,
      session.kind,
      session.title ?? null,
      session.titleFrom ?? null,
      session.cwd ?? null,
      session.project ?? null,
      session.branch ?? null,
      session.remote ?? null,
      session.started ?? null,
      session.ended ?? null,
      session.active ?? null,
      session.parent?.key ?? null,
      session.parent?.relation ?? null,
      session.parent?.turn ?? null,
      session.hidden ? 1 : 0,
      session.gone ? 1 : 0,
      session.path,
      session.turns,
      session.messages,
      session.toolCalls,
      session.errors,
      JSON.stringify(session.tokens),
      JSON.stringify(session.more),
    );
  }

  turnsOf(session: number): CatalogTurn[] {
    return [...this.eachTurn(session)];
  }

  /** The turns of a session in order, one by one: all, or those between two, both included. */
  *eachTurn(session: number, [first, last]: readonly [number, number] = ALL): Iterable<CatalogTurn> {
    const rows = 'SELECT * FROM turns WHERE session = ? AND turn BETWEEN ? AND ? ORDER BY turn';
    for (const row of this.db.each<RawTurn>(rows, session, first, last)) yield catalogTurn(row);
  }

  /** The number of the last turn that a session's own file holds; where it holds none, of the last that is kept. */
  lastTurnOf(session: number): number | undefined {
    const last = 'SELECT turn FROM turns WHERE session = ? AND turn < ? ORDER BY turn DESC LIMIT 1';
    const before = (turn: number) => this.db.row<{ turn: number }>(last, session, turn)?.turn;
    return before(FIRST_OUTSIDE) ?? before(Number.MAX_SAFE_INTEGER);
  }

  firstTurnOf(session: number): number | undefined {
    return this.db.row<{ turn: number }>('SELECT turn FROM turns WHERE session = ? ORDER BY turn LIMIT 1', session)
      ?.turn;
  }

  /** The first or the last turn of which a session shows something. */
  shownOf(session: number, which: 'first' | 'last'): number | undefined {
    return this.db.row<{ turn: number }>(
      `SELECT turn FROM turns WHERE session = ? AND (own_parts IS NULL OR own_parts > 0)
       ORDER BY turn ${which === 'first' ? 'ASC' : 'DESC'} LIMIT 1`,
      session,
    )?.turn;
  }

  /** The session that shows the first of a session's turns that it does not show itself. */
  firstReplayOf(session: number): number | undefined {
    return this.db.row<{ id: number }>(
      'SELECT replay_of AS id FROM turns WHERE session = ? AND own_parts IS NOT NULL ORDER BY turn LIMIT 1',
      session,
    )?.id;
  }

  turn(session: number, turn: number): CatalogTurn | undefined {
    const row = this.db.row<RawTurn>('SELECT * FROM turns WHERE session = ? AND turn = ?', session, turn);
    return row && catalogTurn(row);
  }

  /** The turn that an anchor names. */
  turnAt(session: number, anchor: string): CatalogTurn | undefined {
    const row = this.db.row<RawTurn>('SELECT * FROM turns WHERE session = ? AND anchor = ?', session, anchor);
    return row && catalogTurn(row);
  }

  /**
   * The chunks of a session's turns in order, with how many calls failed in each; a turn of none has one all the same.
   * Those of one turn, or those that this session shows. Tuples: there may be hundreds of thousands.
   */
  chunksOf(session: number, turn?: number): (readonly [turn: number, chunk: number, errors: number])[] {
    return this.db.tuples<[number, number, number]>(
      `SELECT t.turn, coalesce(c.chunk, 0), coalesce(c.errors, 0)
       FROM turns t LEFT JOIN chunks c ON c.session = t.session AND c.turn = t.turn
       WHERE t.session = ? AND ${turn === undefined ? '(t.own_parts IS NULL OR t.own_parts > 0)' : 't.turn = ?'}
       ORDER BY t.turn, c.chunk`,
      session,
      ...(turn === undefined ? [] : [turn]),
    );
  }

  /** The chunks that the archive holds of a session, those that another one shows too. */
  keptChunks(session: number): { readonly turn: number; readonly chunk: number }[] {
    return this.db.rows('SELECT turn, chunk FROM chunks WHERE session = ?', session);
  }

  /** A number that the index keeps under a name. */
  state(name: string): number | undefined {
    return this.db.row<{ n: number }>('SELECT value AS n FROM state WHERE name = ?', name)?.n;
  }

  note(name: string, n: number): void {
    this.db.run('INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)', name, n);
  }

  /** How much the index holds: see `TOTALS_SCHEMA`. */
  totals(): { readonly sessions: number; readonly turns: number; readonly passages: number } {
    const { sessions } = this.db.row<{ sessions: number }>(
      "SELECT coalesce(sum(value), 0) AS sessions FROM state WHERE name LIKE 'sessions:%'",
    )!;
    return { sessions, turns: this.state('turns') ?? 0, passages: this.state('passages') ?? 0 };
  }

  /** The sessions of a source. */
  sessionsOf(source: string): number {
    return this.state(`sessions:${source}`) ?? 0;
  }

  /** When the index was last brought up to date, epoch milliseconds. */
  lastIngest(): number | undefined {
    return this.state('last_ingest');
  }

  /** How often the archive had been changed when this index was brought up to it. */
  changes(): number {
    return this.state('changes') ?? 0;
  }

  noteChanges(changes: number): void {
    this.note('changes', changes);
  }

  putTurn(session: number, turn: CatalogTurn): void {
    this.db.run(
      `INSERT OR REPLACE INTO turns (session, turn, anchor, started, ended, prompt, rewound, superseded, replay_of, own_parts)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      session,
      turn.turn,
      turn.anchor,
      turn.started ?? null,
      turn.ended ?? null,
      turn.prompt ?? null,
      turn.rewound ? 1 : 0,
      turn.superseded ? 1 : 0,
      turn.replayOf ?? null,
      turn.ownParts === undefined ? null : Number(turn.ownParts === 'some'),
    );
  }

  /** Notes a chunk, whose passages follow. */
  putChunk(
    session: number,
    turn: number,
    chunk: number,
    counts: { readonly messages: number; readonly toolCalls: number; readonly errors: number },
  ): void {
    this.db.run(
      'INSERT INTO chunks (session, turn, chunk, messages, tool_calls, errors) VALUES (?, ?, ?, ?, ?, ?)',
      session,
      turn,
      chunk,
      counts.messages,
      counts.toolCalls,
      counts.errors,
    );
  }

  putPassage(passage: PassageRow): number {
    return this.db.run(
      `INSERT INTO passages (session, turn, chunk, first_part, from_char, last_part, to_char, at, flags, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      passage.session,
      passage.turn,
      passage.chunk,
      passage.firstPart,
      passage.from,
      passage.lastPart,
      passage.to,
      passage.at ?? null,
      passage.flags,
      passage.bytes,
    ).id;
  }

  putTitlePassage(session: number, turn: number, title: string, at: number | undefined): number {
    this.db.run('INSERT OR REPLACE INTO titles (session, turn, title) VALUES (?, ?, ?)', session, turn, title);
    return this.putPassage({
      session,
      turn,
      chunk: TITLE_CHUNK,
      firstPart: 0,
      from: 0,
      lastPart: 0,
      to: title.length,
      flags: 0,
      bytes: Buffer.byteLength(title),
      ...(at !== undefined && { at }),
    });
  }

  /** All names of a session as they were indexed, a line each, and the turn they were put at. */
  titlePassage(session: number): { readonly turn: number; readonly title: string } | undefined {
    return this.db.row('SELECT turn, title FROM titles WHERE session = ?', session);
  }

  /** Passages by their ids, in the order asked for; those that are no more are left out. */
  passages(ids: readonly number[]): (PassageRow & { readonly id: number; readonly rewound: boolean })[] {
    return this.db
      .rows<{
        id: number;
        session: number;
        turn: number;
        chunk: number;
        first_part: number;
        from_char: number;
        last_part: number;
        to_char: number;
        at: number | null;
        flags: number;
        bytes: number;
        rewound: number | null;
      }>(
        `SELECT p.*, t.rewound FROM json_each(?) AS asked CROSS JOIN passages p ON p.id = asked.value
         LEFT JOIN turns t ON t.session = p.session AND t.turn = p.turn`,
        JSON.stringify(ids),
      )
      .map((row) => ({
        id: row.id,
        session: row.session,
        turn: row.turn,
        chunk: row.chunk,
        firstPart: row.first_part,
        from: row.from_char,
        lastPart: row.last_part,
        to: row.to_char,
        flags: row.flags,
        bytes: row.bytes,
        rewound: row.rewound === 1,
        ...(row.at !== null && { at: row.at }),
      }));
  }

  /** Takes a chunk out, or a session's title; gives the ids of its passages. */
  takePassages(session: number, turn: number, chunk: number): number[] {
    const { changes } = this.db.run(
      'DELETE FROM chunks WHERE session = ? AND turn = ? AND chunk = ?',
      session,
      turn,
      chunk,
    );
    // Most chunks that are put were not there before.
    if (changes === 0 && chunk !== TITLE_CHUNK) return [];
    const ids = this.db.rows<{ id: number }>(
      'SELECT id FROM passages WHERE session = ? AND turn = ? AND chunk = ?',
      session,
      turn,
      chunk,
    );
    for (const table of ['passages', 'touches', 'tools'])
      this.db.run(`DELETE FROM ${table} WHERE session = ? AND turn = ? AND chunk = ?`, session, turn, chunk);
    return ids.map(({ id }) => id);
  }

  /** Takes out a turn; gives the ids of its passages. */
  takeTurn(session: number, turn: number): number[] {
    const ids = this.chunksOf(session, turn).flatMap(([, chunk]) => this.takePassages(session, turn, chunk));
    this.db.run('DELETE FROM foreign_records WHERE session = ? AND turn = ?', session, turn);
    this.db.run('DELETE FROM turns WHERE session = ? AND turn = ?', session, turn);
    return ids;
  }

  /** Takes out all that is known of a session but its row; gives the ids of its passages. */
  takeSession(session: number): number[] {
    const ids = this.db.rows<{ id: number }>('SELECT id FROM passages WHERE session = ?', session);
    for (const table of TABLES_OF_A_SESSION) this.db.run(`DELETE FROM ${table} WHERE session = ?`, session);
    return ids.map(({ id }) => id);
  }

  dropSession(session: number): void {
    this.db.run('DELETE FROM sessions WHERE id = ?', session);
  }
}
