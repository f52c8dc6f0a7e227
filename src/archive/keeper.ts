import { addCounts, type Counts, capped } from '../agents/bounds.ts';
import type { Failure, SessionFacts, Unit } from '../agents/source.ts';
import { hash53 } from '../transcript/index.ts';
import type { Archive } from './archive.ts';
import { packChunk, sealBody, withResult } from './bodies.ts';
import type { StoredChunk } from './chunks.ts';
import { isFollower } from './copies.ts';
import type { ChunkBody, ChunkDelta, OpenCall, ResultPatch, SessionDelta, UnitDelta } from './delta.ts';
import { mergedFacts } from './facts.ts';
import { listRecords, unlistSession } from './known-records.ts';
import { isMask, maskOf, placeOf } from './mask.ts';
import { dropNotShown, keepNotShown } from './not-shown.ts';
import { earlier, hashesOf, keepTurn, later } from './turns.ts';
import { keepCall, keepLimit } from './usage.ts';

/** A unit as it is noted. */
export interface KeptUnit extends Unit {
  /** The hash of its path as it is on disk, where something is hidden in the path that is kept. */
  readonly place?: number;
}

/** What a delta changed in one session. */
export interface AppliedSession {
  readonly id: number;
  readonly delta: SessionDelta;
  /** What the session held before is replaced. */
  readonly fresh: boolean;
  /** Chunks that a late result changed. */
  readonly patched: readonly PatchedChunk[];
  readonly news: SessionNews;
}

/** What is new of a session beside its turns. */
export interface SessionNews {
  /** Records that other sessions hold too. */
  readonly shares: boolean;
  /** Where it says that it came from. */
  readonly origin: boolean;
  /** The names that it was given, by itself or by others. */
  readonly titles: boolean;
}

export interface PatchedChunk {
  readonly turn: number;
  readonly chunk: number;
  readonly body: ChunkBody;
}

/** What a session's file says in summary of another: of the one that has a record of that hash. */
export interface SummaryRow {
  readonly leaf: number;
  readonly session: number;
  readonly unit: number;
  readonly text: string;
}

/** The sums of `spending` come last: they are kept by what is deleted from the sightings. */
const TABLES_OF_A_SESSION = [
  'turns',
  'later_records',
  'chunks',
  'sightings',
  'spending',
  'limits',
  'spawns',
  'summaries',
  'outside',
  'aside',
];

/** Keeps what readings give. All of it inside the writer's transaction. */
export class Keeper {
  private readonly archive: Archive;

  constructor(archive: Archive) {
    this.archive = archive;
  }

  private get db() {
    return this.archive.db;
  }

  /** Counts that something is kept now. */
  noteChange(): void {
    this.db.run(
      "INSERT INTO state (name, value) VALUES ('changes', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1",
    );
  }

  setState(name: string, value: number): void {
    this.db.run('INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)', name, value);
  }

  /** Notes a unit as it is now on disk, a new one or a known one; the checkpoint stays. Gives its id. */
  noteUnit(unit: KeptUnit, reader: number, known?: number): number {
    const { source, layout, identity, size, modified } = unit;
    const path = this.archive.freePath(source, unit.path, unit.place, known);
    const id =
      known ??
      this.db.run(
        `INSERT INTO units (source, path, layout, identity, size, modified, reader) VALUES (?, ?, '', '', 0, 0, 0)`,
        source,
        path,
      ).id;
    this.db.run(
      `UPDATE units SET path = ?, layout = ?, identity = ?, size = ?, modified = ?, reader = ?, gone = 0 WHERE id = ?`,
      path,
      layout,
      identity,
      size,
      modified,
      reader,
      id,
    );
    if (unit.place === undefined) this.db.run('DELETE FROM places WHERE unit = ?', id);
    else this.db.run('INSERT OR REPLACE INTO places (unit, place) VALUES (?, ?)', id, unit.place);
    return id;
  }

  /** The agent's file is no more, as was found at a time. */
  markGone(id: number, at: number): void {
    this.db.run('UPDATE units SET gone = ? WHERE id = ?', at, id);
  }

  /** Nothing of a unit is kept: not what its reader would go on with, which may hold what it read, nor the names in its path. */
  mute(id: number): void {
    const path = this.archive.unit(id)?.path;
    if (path === undefined) return;
    const place = this.archive.placeOf(id) ?? placeOf(path);
    this.db.run('DELETE FROM places WHERE unit = ?', id);
    dropNotShown(this.db, id);
    this.db.run(
      `UPDATE units SET path = ?, checkpoint = NULL, read_to = NULL, read_lines = NULL, failures = NULL, unknown = NULL,
         records = 0 WHERE id = ?`,
      isMask(path) ? path : maskOf(place),
      id,
    );
  }

  /** All of a unit is read again when its file is there: what was kept of it is damaged. */
  readAgain(id: number): void {
    this.db.run('UPDATE units SET checkpoint = NULL, read_to = NULL, read_lines = NULL WHERE id = ?', id);
  }

  /** Something about a unit changed that its sessions' rows in the index tell: those are behind now. */
  touchSessions(unit: number): void {
    this.db.run('UPDATE sessions SET revision = revision + 1 WHERE unit = ?', unit);
  }

  /** A unit that could not be read: it is tried again. */
  failUnit(id: number, failure: Failure): void {
    this.db.run('UPDATE units SET failures = ? WHERE id = ?', JSON.stringify([failure]), id);
  }

  /** Keeps what a reading gave; inside the writer's transaction. */
  apply(unitId: number, unit: Unit, delta: UnitDelta, started: boolean): AppliedSession[] {
    const stored = this.db.row<{ failures: string | null; unknown: string | null; read_lines: number | null }>(
      'SELECT failures, unknown, read_lines FROM units WHERE id = ?',
      unitId,
    )!;
    const applied: AppliedSession[] = [];
    const touched = new Set<number>();
    for (const session of delta.sessions) {
      const one = this.applySession(unitId, unit.source, session, delta.fresh);
      applied.push(one);
      touched.add(one.id);
    }
    const before = delta.fresh && started ? [] : (JSON.parse(stored.failures ?? '[]') as Failure[]);
    const counted = delta.fresh && started ? {} : (JSON.parse(stored.unknown ?? '{}') as Counts);
    const unknown = addCounts(counted, delta.tally.unknown);
    if (started && delta.fresh) dropNotShown(this.db, unitId);
    for (const counted of [delta.tally, ...delta.sessions]) keepNotShown(this.db, unitId, counted.notShown);
    const readTo = stored.read_lines ?? 0;
    const isRead = (line: number) => (failure: Failure) => failure.line !== undefined && failure.line <= line;
    const isReadNow = isRead(delta.checkpoint.line);
    // A line that was not complete is complete now, or is told again, whatever else is told.
    const failures = [
      ...capped([...before.filter(isRead(readTo)), ...delta.tally.failures.filter(isReadNow)]),
      ...delta.tally.failures.filter((failure) => !isReadNow(failure)),
    ];
    this.db.run(
      'UPDATE units SET checkpoint = ?, read_to = ?, read_lines = ?, failures = ?, unknown = ?, records = CASE WHEN ? THEN 0 ELSE records END + ? WHERE id = ?',
      JSON.stringify(delta.checkpoint),
      delta.checkpoint.offset,
      delta.checkpoint.line,
      failures.length > 0 ? JSON.stringify(failures) : null,
      Object.keys(unknown).length > 0 ? JSON.stringify(unknown) : null,
      delta.fresh && started ? 1 : 0,
      delta.tally.records,
      unitId,
    );
    return applied;
  }

  private applySession(unit: number, source: string, delta: SessionDelta, freshReading: boolean): AppliedSession {
    const before = this.archive.sessionIn(unit, delta.nativeId);
    const facts = mergedFacts(before?.facts ?? {}, delta.facts);
    const fresh = freshReading && (before === undefined || before.turns === 0);
    const key = before?.key ?? this.freeKey(`${source}:${delta.nativeId}`, unit);
    const id = before?.id ?? this.newSession(key, source, delta.nativeId, unit);
    const isListed = !isFollower({ key, source, nativeId: delta.nativeId });
    this.db.run(
      `UPDATE sessions SET kind = ?, facts = ?, turns = ?, open_calls = ?, orphans = ?, started = ?, ended = ?, first_prompt = ?,
         ends_with_prompt = coalesce(?, ends_with_prompt), secrets = secrets + ?, revision = revision + 1 WHERE id = ?`,
      facts.kind ?? 'transcript',
      JSON.stringify(facts),
      delta.turnCount,
      Object.keys(delta.openCalls).length > 0 ? JSON.stringify(delta.openCalls) : null,
      Object.keys(delta.orphans).length > 0 ? JSON.stringify(delta.orphans) : null,
      earlier(before?.started, delta.started) ?? null,
      later(before?.ended, delta.ended) ?? null,
      before?.firstPrompt ?? delta.firstPrompt ?? null,
      delta.endsWithPrompt === undefined ? null : Number(delta.endsWithPrompt),
      delta.secrets,
      id,
    );
    for (const turn of delta.turns) keepTurn(this.db, id, turn);
    const hashes = JSON.stringify(delta.turns.flatMap(({ records }) => hashesOf(records)));
    const shares = isListed && listRecords(this.archive, id, delta.turns);
    this.putChunks(id, delta.chunks);
    for (const call of delta.calls) keepCall(this.db, id, call);
    for (const limit of delta.limits) keepLimit(this.db, id, limit);
    for (const { child, turn, callId } of delta.spawns)
      this.db.run(
        'INSERT OR REPLACE INTO spawns (child, session, turn, call_id) VALUES (?, ?, ?, ?)',
        child,
        id,
        turn,
        callId,
      );
    for (const { leaf, text } of delta.facts.flatMap(({ titles }) => titles?.summaries ?? []))
      this.db.run('INSERT OR REPLACE INTO summaries (leaf, session, text) VALUES (?, ?, ?)', hash53(leaf), id, text);
    const patched = delta.patches.flatMap(({ at, result }) => this.applyPatch(id, at, result));
    const news = {
      shares,
      origin: isOther(before?.facts, facts, ({ parent, startedBy, isEcho }) => [parent, startedBy, isEcho]),
      titles: isOther(before?.facts, facts, ({ titles }) => titles) || this.areSummarised(hashes),
    };
    return { id, delta, fresh, patched, news };
  }

  /** A key that no session has yet: of several files that hold one session, one leads and has it as it is. */
  freeKey(key: string, n: number): string {
    let free = key;
    for (let end = `~${n}`; this.db.row('SELECT 1 FROM sessions WHERE key = ?', free); end += '~')
      free = `${key}${end}`;
    return free;
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

  /** Keeps chunks, new ones or others in the place of those that were there. */
  putChunks(session: number, chunks: readonly Pick<ChunkDelta, 'turn' | 'chunk' | 'first' | 'body' | 'kept'>[]): void {
    for (const { turn, chunk, first, body, kept } of chunks)
      this.db.run(
        'INSERT OR REPLACE INTO chunks (session, turn, chunk, first, body, kept) VALUES (?, ?, ?, ?, ?, ?)',
        session,
        turn,
        chunk,
        first,
        sealBody(body, { session, turn, chunk, first }),
        kept,
      );
  }

  /** Gives a stored tool call the result that came after its chunk was kept. */
  private applyPatch(session: number, [turn, chunk, part]: OpenCall, result: ResultPatch['result']): PatchedChunk[] {
    const stored = this.archive.chunk(session, turn, chunk);
    const call = stored?.body.parts[part];
    if (!stored || call?.type !== 'tool_call') return [];
    stored.body.parts[part] = withResult(call, result);
    this.putBody(session, turn, stored, stored.body);
    return [{ turn, chunk, body: stored.body }];
  }

  /** Keeps another body of a chunk. */
  putBody(
    session: number,
    turn: number,
    { chunk, first }: Pick<StoredChunk, 'chunk' | 'first'>,
    body: ChunkBody,
  ): void {
    const { packed, kept } = packChunk(body);
    this.db.run(
      'UPDATE chunks SET body = ?, kept = ? WHERE session = ? AND turn = ? AND chunk = ?',
      sealBody(packed, { session, turn, chunk, first }),
      kept,
      session,
      turn,
      chunk,
    );
  }

  /** Whether a session's file says in summary what one of the records, given as JSON, ends. */
  private areSummarised(hashes: string): boolean {
    const found = 'SELECT 1 FROM json_each(?) CROSS JOIN summaries ON leaf = value LIMIT 1';
    return this.db.row(found, hashes) !== undefined;
  }

  /** Deletes a session with all that was kept of it. */
  drop(session: number): void {
    unlistSession(this.archive, session);
    for (const table of TABLES_OF_A_SESSION) this.db.run(`DELETE FROM ${table} WHERE session = ?`, session);
    this.db.run('DELETE FROM sessions WHERE id = ?', session);
  }

  /** Takes titles out of the facts of sessions that say in summary what another one is about; gives what was said, and where. */
  dropSummariesOf(session: number): SummaryRow[] {
    const rows = this.db.rows<SummaryRow>(
      `SELECT leaf, session, unit, text FROM summaries JOIN sessions ON sessions.id = session
       WHERE session <> ? AND leaf IN (SELECT hash FROM records WHERE session = ?)`,
      session,
      session,
    );
    const leaves = new Set(rows.map((row) => row.leaf));
    for (const holder of new Set(rows.map((row) => row.session))) {
      const { facts } = this.archive.session(holder)!;
      const summaries = facts.titles?.summaries?.filter(({ leaf }) => !leaves.has(hash53(leaf)));
      this.db.run(
        'UPDATE sessions SET facts = ?, revision = revision + 1 WHERE id = ?',
        JSON.stringify({ ...facts, titles: { ...facts.titles, summaries } }),
        holder,
      );
    }
    for (const leaf of leaves) this.db.run('DELETE FROM summaries WHERE leaf = ?', leaf);
    return rows;
  }

  /** Deletes what is known of a unit; its sessions are dropped before. */
  dropUnit(id: number): void {
    this.db.run('DELETE FROM units WHERE id = ?', id);
    dropNotShown(this.db, id);
    this.db.run('DELETE FROM places WHERE unit = ?', id);
  }
}

/** Whether a part of what is known of a session is another now. */
function isOther(before: SessionFacts = {}, now: SessionFacts, part: (facts: SessionFacts) => unknown): boolean {
  return JSON.stringify(part(before)) !== JSON.stringify(part(now));
}
