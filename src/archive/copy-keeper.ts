import { FIRST_OUTSIDE, hash53 } from '../transcript/index.ts';
import type { Archive } from './archive.ts';
import { isFollower, type OutsideTurn } from './copies.ts';
import type { ChunkDelta, SessionDelta, TurnDelta } from './delta.ts';
import type { AppliedSession, Keeper } from './keeper.ts';
import { listRecords, listSession, unlistSession, unlistTurn } from './known-records.ts';
import type { SessionRow } from './rows.ts';
import { keepTurn } from './turns.ts';

/** A turn that is to stand behind a session's own. */
export interface OutsideDelta {
  readonly turn: Omit<TurnDelta, 'turn'>;
  readonly chunks: readonly Omit<ChunkDelta, 'turn'>[];
  /** Where it is kept now: what it cost and started comes along. */
  readonly at: { readonly session: number; readonly turn: number };
  readonly since?: number;
  /** Absent where the session's own file held it. */
  readonly from?: OutsideTurn['from'];
}

/** Keeps what several files tell of one session. All of it inside the writer's transaction. */
export class CopyKeeper {
  private readonly archive: Archive;
  private readonly keeper: Keeper;

  constructor(archive: Archive, keeper: Keeper) {
    this.archive = archive;
    this.keeper = keeper;
  }

  private get db() {
    return this.archive.db;
  }

  /** Sets a session aside while its unit is read anew. `isSame`: the file is as it was when the session was read. */
  setAside(session: SessionRow, isSame: boolean): void {
    this.db.run('INSERT INTO aside (session, unit, same) VALUES (?, ?, ?)', session.id, session.unit, isSame ? 1 : 0);
    this.follow(session);
  }

  /** What a unit held earlier than this is not what it holds now. */
  noteChanged(unit: number): void {
    this.db.run('UPDATE aside SET same = 0 WHERE unit = ?', unit);
  }

  /** Takes back that a session was set aside. */
  bringBack(session: number): void {
    this.db.run('DELETE FROM aside WHERE session = ?', session);
  }

  /** Another file's session leads from now on. Its records are no relation's: copies are no forks. */
  follow(session: SessionRow): void {
    if (!isFollower(session)) unlistSession(this.archive, session.id);
    this.rename(session, this.keeper.freeKey(session.key, session.id));
  }

  /** The session leads from now on: where another one did, that one was made to follow before. */
  lead(session: SessionRow): void {
    this.rename(session, `${session.source}:${session.nativeId}`);
    listSession(this.archive, session.id);
  }

  private rename({ id }: SessionRow, key: string): void {
    this.db.run('UPDATE sessions SET key = ?, revision = revision + 1 WHERE id = ?', key, id);
  }

  /** Notes that the session's own file holds a turn no more. */
  markOutside(session: number, turn: number, since: number): void {
    this.db.run('INSERT OR REPLACE INTO outside (session, turn, since) VALUES (?, ?, ?)', session, turn, since);
  }

  /** Keeps a turn behind those of the session's own file. */
  keepOutside(session: number, { turn: facts, chunks, at, since, from }: OutsideDelta): AppliedSession {
    const last = this.db.row<{ turn: number | null }>(
      'SELECT max(turn) AS turn FROM outside WHERE session = ?',
      session,
    );
    const number = Math.max(FIRST_OUTSIDE, (last?.turn ?? 0) + 1);
    this.db.run(
      'INSERT INTO outside (session, turn, since, copy, copy_turn) VALUES (?, ?, ?, ?, ?)',
      session,
      number,
      since ?? null,
      from?.copy ?? null,
      from?.turn ?? null,
    );
    this.db.run(
      `INSERT OR IGNORE INTO sightings (session, key, turn, model, at, input, cache_read, cache_write_5m, cache_write_1h, output,
         reasoning, web_searches, context_window, reported_cost) SELECT ?1, key, ?2, model, at, input, cache_read, cache_write_5m, cache_write_1h, output,
         reasoning, web_searches, context_window, reported_cost FROM sightings WHERE session = ?3 AND turn = ?4`,
      session,
      number,
      at.session,
      at.turn,
    );
    this.db.run(
      'INSERT OR IGNORE INTO spawns (child, session, turn, call_id) SELECT child, ?1, ?2, call_id FROM spawns WHERE session = ?3 AND turn = ?4',
      session,
      number,
      at.session,
      at.turn,
    );
    const turn: TurnDelta = { ...facts, turn: number };
    const kept = chunks.map((chunk) => ({ ...chunk, turn: number }));
    return this.keepBehind(session, turn, kept);
  }

  private keepBehind(session: number, turn: TurnDelta, chunks: readonly ChunkDelta[]): AppliedSession {
    const row = this.archive.session(session)!;
    keepTurn(this.db, session, turn);
    const shares = !isFollower(row) && listRecords(this.archive, session, [turn]);
    this.keeper.putChunks(session, chunks);
    this.touch(session);
    const delta: SessionDelta = {
      nativeId: row.nativeId,
      turns: [turn],
      turnCount: row.turns,
      chunks,
      facts: [],
      patches: [],
      calls: [],
      limits: [],
      spawns: [],
      openCalls: {},
      orphans: {},
      notShown: {},
      secrets: 0,
      cutOutputs: 0,
    };
    return { id: session, delta, fresh: false, patched: [], news: { shares, origin: false, titles: false } };
  }

  private touch(session: number): void {
    this.db.run('UPDATE sessions SET revision = revision + 1 WHERE id = ?', session);
  }

  /** Deletes a turn that stands elsewhere in the session too: what it cost is counted there. */
  giveBack(session: number, turn: number): void {
    unlistTurn(this.archive, session, turn);
    listSession(this.archive, session);
    for (const { key, turn: at } of this.archive.sightings(session)) {
      const now = at === turn ? this.archive.turnOfRecord(session, hash53(`call ${key}`)) : undefined;
      if (now !== undefined && now !== turn)
        this.db.run('UPDATE sightings SET turn = ? WHERE session = ? AND key = ?', now, session, key);
    }
    this.dropTurn(session, turn);
  }

  /** Deletes a turn with all that was kept of it. */
  dropTurn(session: number, turn: number): void {
    unlistTurn(this.archive, session, turn);
    for (const table of ['turns', 'later_records', 'chunks', 'sightings', 'spawns', 'outside'])
      this.db.run(`DELETE FROM ${table} WHERE session = ? AND turn = ?`, session, turn);
    this.touch(session);
  }
}
