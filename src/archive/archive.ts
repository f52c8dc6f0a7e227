import type { Checkpoint, Failure, SessionFacts, Unit } from '../agents/source.ts';
import type { Database } from '../store/database.ts';
import { hash53, type Tokens } from '../transcript/index.ts';
import { packChunk, unpackChunk, withResult } from './bodies.ts';
import type { ChunkBody, OpenCall, ResultPatch, SessionDelta, SessionTail, UnitDelta } from './delta.ts';
import { mergedFacts } from './facts.ts';

export interface UnitRow {
  readonly id: number;
  readonly source: string;
  readonly path: string;
  readonly layout: string;
  readonly identity: string;
  readonly size: number;
  readonly modified: number;
  readonly reader: number;
  readonly checkpoint?: Checkpoint;
  readonly failures: readonly Failure[];
  readonly unknown: Readonly<Record<string, number>>;
  readonly gone: boolean;
}

export interface SessionRow {
  readonly id: number;
  readonly key: string;
  readonly source: string;
  readonly nativeId: string;
  readonly unit: number;
  readonly kind: 'transcript' | 'prompts';
  readonly facts: SessionFacts;
  readonly turns: number;
  readonly started?: number;
  readonly ended?: number;
  readonly firstPrompt?: string;
  readonly secrets: number;
  readonly revision: number;
}

export interface TurnRow {
  readonly turn: number;
  readonly anchor: string;
  readonly started?: number;
  readonly ended?: number;
  readonly after?: number;
  readonly prompt?: string;
  /** Hashes of its records in order. */
  readonly hashes: readonly number[];
}

/** One copy of a call; a figure that the file does not give is 0. */
export interface Sighting {
  readonly key: string;
  readonly turn: number;
  readonly model?: string;
  readonly at?: number;
  readonly tokens: Tokens;
  readonly webSearches: number;
}

/** What a delta changed in one session. */
export interface AppliedSession {
  readonly id: number;
  readonly delta: SessionDelta;
  /** What the session held before is replaced. */
  readonly fresh: boolean;
  /** Chunks that a late result changed. */
  readonly patched: readonly PatchedChunk[];
}

export interface PatchedChunk {
  readonly turn: number;
  readonly chunk: number;
  readonly body: ChunkBody;
}

interface RawUnit {
  id: number;
  source: string;
  path: string;
  layout: string;
  identity: string;
  size: number;
  modified: number;
  reader: number;
  checkpoint: string | null;
  failures: string | null;
  unknown: string | null;
  gone: number;
}

interface RawSession {
  id: number;
  key: string;
  source: string;
  native_id: string;
  unit: number;
  kind: string;
  facts: string;
  turns: number;
  open_calls: string | null;
  started: number | null;
  ended: number | null;
  first_prompt: string | null;
  secrets: number;
  revision: number;
}

interface RawSighting {
  key: string;
  turn: number;
  model: string | null;
  at: number | null;
  input: number | null;
  cache_read: number | null;
  cache_write_5m: number | null;
  cache_write_1h: number | null;
  output: number | null;
  reasoning: number | null;
  web_searches: number | null;
}

/** archive.db: what was read of the agents' histories, redacted, and where reading goes on. */
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

  /** Notes a unit as it is now on disk; the checkpoint stays. Gives its id. */
  noteUnit(unit: Unit, reader: number): number {
    this.db.run(
      `INSERT INTO units (source, path, layout, identity, size, modified, reader) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (source, path) DO UPDATE SET layout = excluded.layout, identity = excluded.identity,
         size = excluded.size, modified = excluded.modified, reader = excluded.reader, gone = 0`,
      unit.source,
      unit.path,
      unit.layout,
      unit.identity,
      unit.size,
      unit.modified,
      reader,
    );
    return this.db.row<{ id: number }>('SELECT id FROM units WHERE source = ? AND path = ?', unit.source, unit.path)!
      .id;
  }

  /** The agent's file has another path now. */
  moveUnit(id: number, path: string): void {
    this.db.run('UPDATE units SET path = ?, gone = 0 WHERE id = ?', path, id);
  }

  markGone(id: number): void {
    this.db.run('UPDATE units SET gone = 1 WHERE id = ?', id);
  }

  /** A unit that could not be read: it is tried again when it changes. */
  failUnit(id: number, failure: Failure): void {
    this.db.run('UPDATE units SET failures = ? WHERE id = ?', JSON.stringify([failure]), id);
  }

  /** What a reader needs to go on with a unit. */
  tails(unit: number): SessionTail[] {
    return this.db.rows<RawSession>('SELECT * FROM sessions WHERE unit = ?', unit).map((row) => {
      const openCalls = row.open_calls === null ? {} : (JSON.parse(row.open_calls) as Record<string, OpenCall>);
      const tail = { nativeId: row.native_id, turns: row.turns, openCalls };
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

  /** Keeps what a reading gave; inside the writer's transaction. */
  apply(unitId: number, unit: Unit, delta: UnitDelta, started: boolean): AppliedSession[] {
    const stored = this.db.row<RawUnit>('SELECT * FROM units WHERE id = ?', unitId)!;
    const applied: AppliedSession[] = [];
    const touched = new Set<number>();
    if (started && delta.fresh) for (const session of this.sessionsOfUnit(unitId)) this.clear(session.id);
    for (const session of delta.sessions) {
      const one = this.applySession(unitId, unit.source, session, delta.fresh);
      applied.push(one);
      touched.add(one.id);
    }
    const before = delta.fresh && started ? [] : (JSON.parse(stored.failures ?? '[]') as Failure[]);
    const unknown = delta.fresh && started ? {} : (JSON.parse(stored.unknown ?? '{}') as Record<string, number>);
    for (const [type, count] of Object.entries(delta.tally.unknown)) unknown[type] = (unknown[type] ?? 0) + count;
    // A line that was not complete is complete now, or is told again.
    const failures = [
      ...before.filter((failure) => failure.line !== undefined && failure.line <= delta.checkpoint.line),
      ...delta.tally.failures,
    ];
    this.db.run(
      'UPDATE units SET checkpoint = ?, failures = ?, unknown = ?, records = CASE WHEN ? THEN 0 ELSE records END + ? WHERE id = ?',
      JSON.stringify(delta.checkpoint),
      failures.length > 0 ? JSON.stringify(failures) : null,
      Object.keys(unknown).length > 0 ? JSON.stringify(unknown) : null,
      delta.fresh && started ? 1 : 0,
      delta.tally.records,
      unitId,
    );
    return applied;
  }

  private applySession(unit: number, source: string, delta: SessionDelta, freshReading: boolean): AppliedSession {
    const nativeId = this.nativeIdFor(unit, source, delta.nativeId);
    const key = `${source}:${nativeId}`;
    const row = this.db.row<RawSession>('SELECT * FROM sessions WHERE key = ?', key);
    const before = row ? sessionRow(row) : undefined;
    const facts = mergedFacts(before?.facts ?? {}, delta.facts);
    const fresh = freshReading && (before === undefined || before.turns === 0);
    const id = before?.id ?? this.newSession(key, source, nativeId, unit);
    this.db.run(
      `UPDATE sessions SET kind = ?, facts = ?, turns = ?, open_calls = ?, started = ?, ended = ?, first_prompt = ?,
         secrets = secrets + ?, revision = revision + 1 WHERE id = ?`,
      facts.kind ?? 'transcript',
      JSON.stringify(facts),
      delta.turnCount,
      Object.keys(delta.openCalls).length > 0 ? JSON.stringify(delta.openCalls) : null,
      earlier(before?.started, delta.started) ?? null,
      later(before?.ended, delta.ended) ?? null,
      before?.firstPrompt ?? delta.firstPrompt ?? null,
      delta.secrets,
      id,
    );
    for (const turn of delta.turns) this.applyTurn(id, turn);
    for (const chunk of delta.chunks)
      this.db.run(
        'INSERT OR REPLACE INTO chunks (session, turn, chunk, first, body, kept) VALUES (?, ?, ?, ?, ?, ?)',
        id,
        chunk.turn,
        chunk.chunk,
        chunk.first,
        chunk.body,
        chunk.kept,
      );
    for (const call of delta.calls) this.applyCall(id, call);
    for (const { child, turn, callId } of delta.spawns)
      this.db.run(
        'INSERT OR REPLACE INTO spawns (child, session, turn, call_id) VALUES (?, ?, ?, ?)',
        child,
        id,
        turn,
        callId,
      );
    for (const { leaf, text } of facts.titles?.summaries ?? [])
      this.db.run('INSERT OR REPLACE INTO summaries (leaf, session, text) VALUES (?, ?, ?)', hash53(leaf), id, text);
    const patched = delta.patches.flatMap(({ at, result }) => this.applyPatch(id, at, result));
    return { id, delta, fresh, patched };
  }

  /** Two files may claim one native id (a copied folder): the one that came second is told apart by its path. */
  private nativeIdFor(unit: number, source: string, nativeId: string): string {
    const holder = this.db.row<{ unit: number }>('SELECT unit FROM sessions WHERE key = ?', `${source}:${nativeId}`);
    if (!holder || holder.unit === unit) return nativeId;
    const path = this.db.row<{ path: string }>('SELECT path FROM units WHERE id = ?', unit)?.path ?? String(unit);
    return `${nativeId}~${hash53(path).toString(36).slice(0, 6)}`;
  }

  private newSession(key: string, source: string, nativeId: string, unit: number): number {
    return this.db.run(
      `INSERT INTO sessions (key, source, native_id, unit, kind, facts, turns, revision) VALUES (?, ?, ?, ?, '', '{}', 0, 0)`,
      key,
      source,
      nativeId,
      unit,
    ).id;
  }

  /** Gives a stored tool call the result that came after its chunk was kept. */
  private applyPatch(session: number, [turn, chunk, part]: OpenCall, result: ResultPatch['result']): PatchedChunk[] {
    const stored = this.chunk(session, turn, chunk);
    const call = stored?.body.parts[part];
    if (!stored || call?.type !== 'tool_call') return [];
    stored.body.parts[part] = withResult(call, result);
    const { packed, kept } = packChunk(stored.body);
    this.db.run(
      'UPDATE chunks SET body = ?, kept = ? WHERE session = ? AND turn = ? AND chunk = ?',
      packed,
      kept,
      session,
      turn,
      chunk,
    );
    return [{ turn, chunk, body: stored.body }];
  }

  private applyTurn(session: number, turn: SessionDelta['turns'][number]): void {
    const records = new Uint8Array(turn.records.buffer, turn.records.byteOffset, turn.records.byteLength);
    if (turn.begun)
      this.db.run(
        'INSERT OR REPLACE INTO turns (session, turn, anchor, started, ended, after, prompt, records) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        session,
        turn.turn,
        turn.begun.anchor,
        turn.started ?? null,
        turn.ended ?? null,
        turn.begun.after ?? null,
        turn.begun.prompt ?? null,
        records,
      );
    else {
      const stored = this.db.row<{ started: number | null; ended: number | null; records: Uint8Array }>(
        'SELECT started, ended, records FROM turns WHERE session = ? AND turn = ?',
        session,
        turn.turn,
      );
      if (!stored) return;
      this.db.run(
        'UPDATE turns SET started = ?, ended = ?, records = ? WHERE session = ? AND turn = ?',
        earlier(stored.started ?? undefined, turn.started) ?? null,
        later(stored.ended ?? undefined, turn.ended) ?? null,
        Buffer.concat([stored.records, records]),
        session,
        turn.turn,
      );
    }
    this.applyRecords(session, turn.turn, turn.records);
  }

  /** Notes which session and turn a record stands in, and which other sessions have it too. */
  private applyRecords(session: number, turn: number, records: Float64Array): void {
    for (let i = 0; i < records.length; i += 2) {
      const hash = records[i]!;
      this.db.run('INSERT OR IGNORE INTO records (hash, session, turn) VALUES (?, ?, ?)', hash, session, turn);
      if (!this.db.row('SELECT 1 FROM records WHERE hash = ? AND session <> ? LIMIT 1', hash, session)) continue;
      const others = 'SELECT session FROM records WHERE hash = ? AND session <> ?';
      this.db.run(
        `INSERT OR IGNORE INTO shares (session, other) SELECT ?, session FROM (${others})`,
        session,
        hash,
        session,
      );
      this.db.run(
        `INSERT OR IGNORE INTO shares (session, other) SELECT session, ? FROM (${others})`,
        session,
        hash,
        session,
      );
    }
  }

  private applyCall(session: number, call: SessionDelta['calls'][number]): void {
    this.db.run(
      `INSERT INTO sightings (session, key, turn, model, at, input, cache_read, cache_write_5m, cache_write_1h, output,
         reasoning, web_searches, context_window, reported_cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (session, key) DO UPDATE SET
         web_searches = max(coalesce(web_searches, 0), coalesce(excluded.web_searches, 0)),
         model = coalesce(excluded.model, model)`,
      session,
      call.key,
      call.turn,
      call.model ?? null,
      call.at ?? null,
      call.input ?? null,
      call.cacheRead ?? null,
      call.cacheWrite5m ?? null,
      call.cacheWrite1h ?? null,
      call.output ?? null,
      call.reasoning ?? null,
      call.webSearches ?? null,
      call.contextWindow ?? null,
      call.reportedCost ?? null,
    );
    if (call.output !== undefined || call.input !== undefined)
      this.db.run(
        `UPDATE sightings SET at = ?, input = ?, cache_read = ?, cache_write_5m = ?, cache_write_1h = ?, output = ?, reasoning = ?
         WHERE session = ? AND key = ? AND coalesce(output, -1) < ?`,
        call.at ?? null,
        call.input ?? null,
        call.cacheRead ?? null,
        call.cacheWrite5m ?? null,
        call.cacheWrite1h ?? null,
        call.output ?? null,
        call.reasoning ?? null,
        session,
        call.key,
        call.output ?? 0,
      );
  }

  /** Empties a session that is about to be read again; its row stays, and with it its id. */
  clear(session: number): void {
    for (const table of ['turns', 'chunks', 'records', 'sightings', 'spawns', 'summaries'])
      this.db.run(`DELETE FROM ${table} WHERE session = ?`, session);
    this.db.run(
      `UPDATE sessions SET facts = '{}', turns = 0, open_calls = NULL, started = NULL, ended = NULL, first_prompt = NULL,
         secrets = 0, revision = revision + 1 WHERE id = ?`,
      session,
    );
  }

  /** Forgets sessions of a unit that its newest reading did not meet again. */
  dropEmpty(unit: number): number[] {
    const empty = this.db.rows<{ id: number }>(
      `SELECT id FROM sessions WHERE unit = ? AND facts = '{}' AND turns = 0`,
      unit,
    );
    for (const { id } of empty) {
      this.db.run('DELETE FROM shares WHERE session = ? OR other = ?', id, id);
      this.db.run('DELETE FROM sessions WHERE id = ?', id);
    }
    return empty.map(({ id }) => id);
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
             WHERE sessions.key = ? AND spawns.call_id = ?`,
            `${source}:${parent}`,
            callId,
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

/** The pairs of hash and time in a turn's `records`. */
export function recordsOf(bytes: Uint8Array): Float64Array {
  // The bytes may lie at an odd address in a larger buffer.
  return new Float64Array(bytes.slice().buffer);
}

function unitRow(row: RawUnit): UnitRow {
  return {
    id: row.id,
    source: row.source,
    path: row.path,
    layout: row.layout,
    identity: row.identity,
    size: row.size,
    modified: row.modified,
    reader: row.reader,
    gone: row.gone === 1,
    failures: JSON.parse(row.failures ?? '[]') as Failure[],
    unknown: JSON.parse(row.unknown ?? '{}') as Record<string, number>,
    ...(row.checkpoint !== null && { checkpoint: JSON.parse(row.checkpoint) as Checkpoint }),
  };
}

function sessionRow(row: RawSession): SessionRow {
  return {
    id: row.id,
    key: row.key,
    source: row.source,
    nativeId: row.native_id,
    unit: row.unit,
    kind: row.kind === 'prompts' ? 'prompts' : 'transcript',
    facts: JSON.parse(row.facts) as SessionFacts,
    turns: row.turns,
    secrets: row.secrets,
    revision: row.revision,
    ...(row.started !== null && { started: row.started }),
    ...(row.ended !== null && { ended: row.ended }),
    ...(row.first_prompt !== null && { firstPrompt: row.first_prompt }),
  };
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function sightingRow(row: RawSighting): Sighting {
  return {
    key: row.key,
    turn: row.turn,
    webSearches: row.web_searches ?? 0,
    tokens: {
      input: row.input ?? 0,
      cacheRead: row.cache_read ?? 0,
      cacheWrite5m: row.cache_write_5m ?? 0,
      cacheWrite1h: row.cache_write_1h ?? 0,
      output: row.output ?? 0,
      reasoning: row.reasoning ?? 0,
    },
    ...(row.model !== null && { model: row.model }),
    ...(row.at !== null && { at: row.at }),
  };
}
