import type { Database } from '../store/database.ts';
import { unpackChunk } from './bodies.ts';
import type { ChunkBody, OpenCall, SessionTail } from './delta.ts';
import {
  type RawSession,
  type RawSighting,
  type RawUnit,
  recordsOf,
  type SessionRow,
  type Sighting,
  sessionRow,
  sightingRow,
  type TurnRow,
  type UnitRow,
  unitRow,
} from './rows.ts';

/** archive.db as it is read: what was kept of the agents' histories, redacted, and where reading goes on. */
export class Archive {
  readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  units(source?: string): UnitRow[] {
    const rows =
      source === undefined
        ? this.db.rows<RawUnit>('SELECT * FROM units')
        : this.db.rows<RawUnit>('SELECT * FROM units WHERE source = ?', source);
    return rows.map(unitRow);
  }

  session(id: number): SessionRow | undefined {
    const row = this.db.row<RawSession>('SELECT * FROM sessions WHERE id = ?', id);
    return row && sessionRow(row);
  }

  sessionByKey(key: string): SessionRow | undefined {
    const row = this.db.row<RawSession>('SELECT * FROM sessions WHERE key = ?', key);
    return row && sessionRow(row);
  }

  sessionsOfUnit(unit: number): SessionRow[] {
    return this.db.rows<RawSession>('SELECT * FROM sessions WHERE unit = ?', unit).map(sessionRow);
  }

  unit(id: number): UnitRow | undefined {
    const row = this.db.row<RawUnit>('SELECT * FROM units WHERE id = ?', id);
    return row && unitRow(row);
  }

  /** What a reader needs to go on with a unit. */
  tails(unit: number): SessionTail[] {
    return this.db.rows<RawSession>('SELECT * FROM sessions WHERE unit = ?', unit).map((row) => {
      const openCalls = row.open_calls === null ? {} : (JSON.parse(row.open_calls) as Record<string, OpenCall>);
      const orphans = row.orphans === null ? {} : (JSON.parse(row.orphans) as Record<string, OpenCall>);
      const tail = { nativeId: row.native_id, turns: row.turns, openCalls, orphans };
      const last =
        row.kind === 'prompts'
          ? undefined
          : this.db.row<{ turn: number; chunk: number; first: number; body: Uint8Array }>(
              'SELECT turn, chunk, first, body FROM chunks WHERE session = ? AND turn = ? ORDER BY chunk DESC LIMIT 1',
              row.id,
              row.turns - 1,
            );
      return last ? { ...tail, last: { ...last, body: unpackChunk(last.body) } } : tail;
    });
  }

  chunk(
    session: number,
    turn: number,
    chunk: number,
  ): { readonly first: number; readonly body: ChunkBody } | undefined {
    const row = this.db.row<{ first: number; body: Uint8Array }>(
      'SELECT first, body FROM chunks WHERE session = ? AND turn = ? AND chunk = ?',
      session,
      turn,
      chunk,
    );
    return row && { first: row.first, body: unpackChunk(row.body) };
  }

  chunksOf(
    session: number,
    turn: number,
  ): { readonly chunk: number; readonly first: number; readonly body: ChunkBody }[] {
    return this.db
      .rows<{ chunk: number; first: number; body: Uint8Array }>(
        'SELECT chunk, first, body FROM chunks WHERE session = ? AND turn = ? ORDER BY chunk',
        session,
        turn,
      )
      .map((row) => ({ chunk: row.chunk, first: row.first, body: unpackChunk(row.body) }));
  }

  turns(session: number): TurnRow[] {
    return this.db
      .rows<{
        turn: number;
        anchor: string;
        started: number | null;
        ended: number | null;
        after: number | null;
        prompt: string | null;
        records: Uint8Array;
      }>(
        'SELECT turn, anchor, started, ended, after, prompt, records FROM turns WHERE session = ? ORDER BY turn',
        session,
      )
      .map((row) => ({
        turn: row.turn,
        anchor: row.anchor,
        hashes: [...recordsOf(row.records).filter((_, i) => i % 2 === 0)],
        ...(row.started !== null && { started: row.started }),
        ...(row.ended !== null && { ended: row.ended }),
        ...(row.after !== null && { after: row.after }),
        ...(row.prompt !== null && { prompt: row.prompt }),
      }));
  }

  turnOfRecord(session: number, hash: number): number | undefined {
    return this.db.row<{ turn: number }>('SELECT turn FROM records WHERE hash = ? AND session = ?', hash, session)
      ?.turn;
  }

  sessionsWith(record: number): number[] {
    return this.db
      .rows<{ session: number }>('SELECT session FROM records WHERE hash = ?', record)
      .map((row) => row.session);
  }

  hasParts(session: number, turn: number): boolean {
    return this.db.row('SELECT 1 FROM chunks WHERE session = ? AND turn = ? LIMIT 1', session, turn) !== undefined;
  }

  /** Whether a tool call of the session still waits for its result. */
  isPending(session: number): boolean {
    return this.db.row('SELECT 1 FROM sessions WHERE id = ? AND open_calls IS NOT NULL', session) !== undefined;
  }

  /** Summaries, wherever they stand, whose leaf is a record of this session. */
  summariesOf(session: number): string[] {
    return this.db
      .rows<{ text: string }>(
        'SELECT text FROM summaries CROSS JOIN records ON records.hash = summaries.leaf AND records.session = ?',
        session,
      )
      .map((row) => row.text);
  }

  /** The session and turn that started a sub-agent: by the agent's id, else by the call, else the session it lies in. */
  spawnOf(
    source: string,
    child: string,
    callId: string | undefined,
    parent: string,
  ): { readonly key: string; readonly turn: number } | undefined {
    return (
      this.db.row<{ key: string; turn: number }>(
        `SELECT sessions.key, spawns.turn FROM spawns JOIN sessions ON sessions.id = spawns.session
         WHERE spawns.child = ? AND sessions.source = ? ORDER BY sessions.key = ? DESC, sessions.id LIMIT 1`,
        child,
        source,
        `${source}:${parent}`,
      ) ??
      (callId === undefined
        ? undefined
        : this.db.row<{ key: string; turn: number }>(
            `SELECT sessions.key, spawns.turn FROM spawns JOIN sessions ON sessions.id = spawns.session
             WHERE spawns.child = ? AND sessions.source = ? LIMIT 1`,
            `call ${callId}`,
            source,
          ))
    );
  }

  sightings(session: number): Sighting[] {
    return this.db.rows<RawSighting>('SELECT * FROM sightings WHERE session = ?', session).map(sightingRow);
  }

  /** All sightings of a call in the sessions that share records with one, itself included. */
  sightingsOfCall(session: number, key: string): Sighting[] {
    return this.db
      .rows<RawSighting>(
        `SELECT * FROM sightings WHERE key = ? AND session IN (SELECT ? UNION SELECT other FROM shares WHERE session = ?)
         ORDER BY session = ? DESC`,
        key,
        session,
        session,
        session,
      )
      .map(sightingRow);
  }

  /** Id, revision and key of every session. */
  revisions(): { readonly id: number; readonly revision: number; readonly key: string }[] {
    return this.db.rows('SELECT id, revision, key FROM sessions');
  }
}
