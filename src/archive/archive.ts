import { sep } from 'node:path';
import { addCounts, type Counts } from '../agents/bounds.ts';
import type { Checkpoint, Failure } from '../agents/source.ts';
import type { Database } from '../store/database.ts';
import { chunkAt, chunkNumbers, lastChunkOf, type StoredChunk } from './chunks.ts';
import type { OpenCall, SessionTail } from './delta.ts';
import { maskOf, placeOf } from './mask.ts';
import {
  type RawSession,
  type RawSighting,
  type RawTurn,
  type RawUnit,
  type SessionRow,
  type Sighting,
  sessionRow,
  sightingRow,
  type TurnRow,
  turnRow,
  type UnitRow,
  unitRow,
} from './rows.ts';
import { SUMMED, SUMMED_SINCE } from './sums.ts';
import { hashesOf, recordsOfTurn } from './turns.ts';

/** Without the checkpoints and what is counted: a plan looks at every unit, and needs neither. */
const UNIT_COLUMNS = 'id, source, path, layout, identity, size, modified, reader, read_to, read_lines, failures, gone';

/** All paths below a folder stand before the folder with this behind it. */
const AFTER_SEP = String.fromCharCode(sep.charCodeAt(0) + 1);

const IS_CURRENT = 'id NOT IN (SELECT session FROM aside)';

/** archive.db as it is read: what was kept of the agents' histories, redacted, and where reading goes on. */
export class Archive {
  readonly db: Database;
  private readonly onDamage: () => void;

  /** `onDamage` is told of damage that nobody has looked into yet. */
  /** What is asked of turns: an archive that may not be written may be of before there were sums. */
  private columns: string | undefined;

  constructor(db: Database, onDamage: () => void = () => {}) {
    this.db = db;
    this.onDamage = onDamage;
  }

  units(source?: string): UnitRow[] {
    const rows =
      source === undefined
        ? this.db.rows<RawUnit>(`SELECT ${UNIT_COLUMNS} FROM units`)
        : this.db.rows<RawUnit>(`SELECT ${UNIT_COLUMNS} FROM units WHERE source = ?`, source);
    return rows.map(unitRow);
  }

  /** Where the reading of a unit goes on. */
  checkpoint(unit: number): Checkpoint | undefined {
    const row = this.db.row<{ checkpoint: string | null }>('SELECT checkpoint FROM units WHERE id = ?', unit);
    // Written by the keeper alone.
    return row?.checkpoint ? (JSON.parse(row.checkpoint) as Checkpoint) : undefined;
  }

  /** What could not be read of the units of a source that are still there. */
  failures(source: string): Failure[] {
    return this.db
      .rows<{ failures: string }>(
        'SELECT failures FROM units WHERE source = ? AND gone = 0 AND failures IS NOT NULL',
        source,
      )
      .flatMap((row) => JSON.parse(row.failures) as Failure[])
      .map(({ under: _, ...failure }) => failure);
  }

  /** The files of a source that are there and of which nothing could be read, or not all: at most so many. */
  unreadableFiles(source: string, most: number): Failure[] {
    return this.db
      .rows<{ failures: string }>(
        `SELECT failures FROM units WHERE source = ? AND gone = 0 AND failures IS NOT NULL
         AND json_extract(failures, '$[0].line') IS NULL LIMIT ?`,
        source,
        most,
      )
      .flatMap((row) => JSON.parse(row.failures) as Failure[]);
  }

  /** Record types never seen before, over all units of a source that are still there, with counts. */
  unknownRecords(source: string): Counts {
    let sums: Counts = {};
    const rows = this.db.rows<{ unknown: string }>(
      'SELECT unknown FROM units WHERE source = ? AND gone = 0 AND unknown IS NOT NULL',
      source,
    );
    for (const { unknown } of rows) sums = addCounts(sums, JSON.parse(unknown) as Counts);
    return sums;
  }

  /** How often something was kept: the index notes it, and so knows whether it lags behind. */
  changes(): number {
    return this.state('changes') ?? 0;
  }

  /** A number that the writer keeps under a name. */
  state(name: string): number | undefined {
    return this.db.row<{ value: number }>('SELECT value FROM state WHERE name = ?', name)?.value;
  }

  /** Whether nothing was kept yet. */
  isEmpty(): boolean {
    return this.db.row('SELECT 1 FROM units LIMIT 1') === undefined;
  }

  /** The unit that lies at a path, as it is on disk: what is kept of that may have something hidden in it. */
  unitAt(source: string, path: string): UnitRow | undefined {
    const place = placeOf(path);
    const row = this.db.row<RawUnit>(
      `SELECT ${UNIT_COLUMNS} FROM units WHERE source = ?1 AND path IN (?2, ?3)
       AND NOT EXISTS (SELECT 1 FROM places WHERE unit = id AND place <> ?4)
       UNION ALL
       SELECT ${UNIT_COLUMNS} FROM places CROSS JOIN units ON id = unit WHERE place = ?4 AND source = ?1 LIMIT 1`,
      source,
      path,
      maskOf(place),
      place,
    );
    return row && unitRow(row);
  }

  /** The hashes of the paths in which something was hidden, by the ids of their units. */
  places(): Map<number, number> {
    const rows = this.db.rows<{ unit: number; place: number }>('SELECT unit, place FROM places');
    return new Map(rows.map(({ unit, place }) => [unit, place]));
  }

  /** The hash of a unit's path, where something was hidden in it. */
  placeOf(unit: number): number | undefined {
    return this.db.row<{ place: number }>('SELECT place FROM places WHERE unit = ?', unit)?.place;
  }

  /** The path to keep of a unit: where it differs from another one's in nothing but what was hidden, its hash tells them apart. */
  freePath(source: string, path: string, place: number | undefined, known?: number): string {
    const holder = this.db.row<{ id: number }>('SELECT id FROM units WHERE source = ? AND path = ?', source, path);
    return holder && holder.id !== known && place !== undefined ? `${path}~${place.toString(36)}` : path;
  }

  unitsOfIdentity(source: string, identity: string): UnitRow[] {
    return this.db
      .rows<RawUnit>(`SELECT ${UNIT_COLUMNS} FROM units WHERE source = ? AND identity = ?`, source, identity)
      .map(unitRow);
  }

  /** The units whose paths begin with a text. */
  unitsBeginningWith(source: string, beginning: string): UnitRow[] {
    return this.db
      .rows<RawUnit>(
        `SELECT ${UNIT_COLUMNS} FROM units WHERE source = ? AND path >= ? AND path < ?`,
        source,
        beginning,
        `${beginning}\u{10ffff}`,
      )
      .map(unitRow);
  }

  /** Size and time of the files in a folder and below it as they were read, by their paths. */
  marksIn(source: string, folder: string): ReadonlyMap<string, { readonly size: number; readonly modified: number }> {
    const rows = this.db.rows<{ path: string; size: number; modified: number }>(
      'SELECT path, size, modified FROM units WHERE source = ? AND path > ? AND path < ?',
      source,
      `${folder}${sep}`,
      `${folder}${AFTER_SEP}`,
    );
    return new Map(rows.map((row) => [row.path, row]));
  }

  /** The units that changed last, by the times of their files. */
  newestUnits(n: number): UnitRow[] {
    return this.db
      .rows<RawUnit>(`SELECT ${UNIT_COLUMNS} FROM units WHERE gone = 0 ORDER BY modified DESC LIMIT ?`, n)
      .map(unitRow);
  }

  session(id: number): SessionRow | undefined {
    const row = this.db.row<RawSession>('SELECT * FROM sessions WHERE id = ?', id);
    return row && sessionRow(row);
  }

  sessionByKey(key: string): SessionRow | undefined {
    const row = this.db.row<RawSession>('SELECT * FROM sessions WHERE key = ?', key);
    return row && sessionRow(row);
  }

  /** All that is kept of a session: of each file that holds it, and what is set aside. */
  allOf(source: string, nativeId: string): SessionRow[] {
    const sql = 'SELECT * FROM sessions WHERE source = ? AND native_id = ?';
    return this.db.rows<RawSession>(sql, source, nativeId).map(sessionRow);
  }

  sessionsOfUnit(unit: number): SessionRow[] {
    return this.db.rows<RawSession>('SELECT * FROM sessions WHERE unit = ?', unit).map(sessionRow);
  }

  /** The units that were found to be gone at a time or before it. */
  unitsGoneBefore(at: number): UnitRow[] {
    return this.db.rows<RawUnit>(`SELECT ${UNIT_COLUMNS} FROM units WHERE gone > 0 AND gone <= ?`, at).map(unitRow);
  }

  unit(id: number): UnitRow | undefined {
    const row = this.db.row<RawUnit>(`SELECT ${UNIT_COLUMNS} FROM units WHERE id = ?`, id);
    return row && unitRow(row);
  }

  /** What a reader needs to go on with the sessions of a unit. */
  tails(unit: number): SessionTail[] {
    return this.db
      .rows<RawSession>(`SELECT * FROM sessions WHERE unit = ? AND ${IS_CURRENT}`, unit)
      .map((row) => this.tailOf(row));
  }

  /** The same for one of them; undefined where the unit has no such session. */
  tail(unit: number, nativeId: string): SessionTail | undefined {
    const row = this.rowIn(unit, nativeId);
    return row && this.tailOf(row);
  }

  /** The session of an id that a unit holds, but for one that is set aside. */
  sessionIn(unit: number, nativeId: string): SessionRow | undefined {
    const row = this.rowIn(unit, nativeId);
    return row && sessionRow(row);
  }

  private rowIn(unit: number, nativeId: string): RawSession | undefined {
    const sql = `SELECT * FROM sessions WHERE unit = ? AND native_id = ? AND ${IS_CURRENT}`;
    return this.db.row<RawSession>(sql, unit, nativeId);
  }

  private tailOf(row: RawSession): SessionTail {
    const openCalls = row.open_calls === null ? {} : (JSON.parse(row.open_calls) as Record<string, OpenCall>);
    const orphans = row.orphans === null ? {} : (JSON.parse(row.orphans) as Record<string, OpenCall>);
    const tail = { nativeId: row.native_id, turns: row.turns, openCalls, orphans };
    const turn = row.turns - 1;
    const chunk = row.kind === 'prompts' ? undefined : lastChunkOf(this.db, row.id, turn);
    const last = chunk === undefined ? undefined : this.chunk(row.id, turn, chunk);
    return last ? { ...tail, last: { turn, ...last } } : tail;
  }

  /** A chunk; where it is damaged, a notice stands in the place of what it held. */
  chunk(session: number, turn: number, chunk: number): StoredChunk | undefined {
    return chunkAt(this.db, session, turn, chunk, this.onDamage);
  }

  /** The chunks of a turn, in order, likewise. */
  chunksOf(session: number, turn: number): StoredChunk[] {
    return chunkNumbers(this.db, session, turn).flatMap((chunk) => this.chunk(session, turn, chunk) ?? []);
  }

  turns(session: number): TurnRow[] {
    return [...this.eachTurn(session)];
  }

  /** The turns of a session in order, one by one. */
  *eachTurn(session: number): Iterable<TurnRow> {
    const rows = `SELECT ${this.turnColumns} FROM turns WHERE session = ? ORDER BY turn`;
    for (const row of this.db.each<RawTurn>(rows, session)) yield turnRow(row);
  }

  turn(session: number, turn: number): TurnRow | undefined {
    const rows = `SELECT ${this.turnColumns} FROM turns WHERE session = ? AND turn = ?`;
    const row = this.db.row<RawTurn>(rows, session, turn);
    return row && turnRow(row);
  }

  private get turnColumns(): string {
    this.columns ??= `${SUMMED.turns.join(', ')}${this.db.version < SUMMED_SINCE ? '' : ', sum'}`;
    return this.columns;
  }

  /** The number of the turn that stands before one. */
  previousTurn(session: number, turn: number): number | undefined {
    return this.db.row<{ turn: number }>(
      'SELECT turn FROM turns WHERE session = ? AND turn < ? ORDER BY turn DESC LIMIT 1',
      session,
      turn,
    )?.turn;
  }

  /** The hashes of a turn's records, in order. */
  recordsIn(session: number, turn: number): number[] {
    return hashesOf(this.recordsWithTimes(session, turn));
  }

  /** The same, each with its time behind it. */
  recordsWithTimes(session: number, turn: number): Float64Array {
    return recordsOfTurn(this.db, session, turn);
  }

  /** Whether a session holds records in common with others. */
  hasRelatives(session: number): boolean {
    return this.db.row('SELECT 1 FROM shares WHERE session = ? LIMIT 1', session) !== undefined;
  }

  /** Whether another session than this one holds a record. */
  isHeldElsewhere(session: number, record: number): boolean {
    return this.db.row('SELECT 1 FROM records WHERE hash = ? AND session <> ?', record, session) !== undefined;
  }

  /** The records of a turn that other sessions hold too. */
  recordsHeldElsewhere(session: number, turn: number): number[] {
    return this.recordsIn(session, turn).filter((record) => this.isHeldElsewhere(session, record));
  }

  turnOfRecord(session: number, hash: number): number | undefined {
    return this.db.row<{ turn: number }>('SELECT turn FROM records WHERE hash = ? AND session = ?', hash, session)
      ?.turn;
  }

  /** The last turn of a session that began before a time. */
  turnBefore(session: number, at: number): number | undefined {
    const row = this.db.row<{ turn: number | null }>(
      'SELECT max(turn) AS turn FROM turns WHERE session = ? AND started < ?',
      session,
      at,
    );
    return row?.turn ?? undefined;
  }

  sessionsWith(record: number): number[] {
    return this.db
      .rows<{ session: number }>('SELECT session FROM records WHERE hash = ?', record)
      .map((row) => row.session);
  }

  hasParts(session: number, turn: number): boolean {
    return this.db.row('SELECT 1 FROM chunks WHERE session = ? AND turn = ? LIMIT 1', session, turn) !== undefined;
  }

  /** Whether the last thing is a prompt, or a tool call of the last turn that still waits for its result. */
  isPending(session: number): boolean {
    const row = this.db.row<{ open_calls: string | null; ends_with_prompt: number; turns: number }>(
      'SELECT open_calls, ends_with_prompt, turns FROM sessions WHERE id = ?',
      session,
    );
    if (!row) return false;
    const open = Object.values(JSON.parse(row.open_calls ?? '{}') as Record<string, OpenCall>);
    return row.ends_with_prompt === 1 || open.some(([turn]) => turn === row.turns - 1);
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
