import type { Database } from '../store/database.ts';
import type { PassageFilter, Sql } from './lexical-index.ts';
import type { SegmentRow } from './schema.ts';
import { eachSessionRun } from './sessions.ts';

const NEVER: Sql = { sql: '0', values: [] };

const FAILS = 0;
const PASSES = 1;
/** The session may pass; its passages are to be asked one by one. */
const UNKNOWN = 2;

/**
 * So many sessions are asked one by one; where there are more, all passages are asked at once. To ask a session takes about
 * as long as to look at so many passages among all.
 */
const LEAST_ASKED = 50;
const PASSAGES_OF_AN_ASKING = 500;

/**
 * Passages that pass a filter. What it asks of sessions is asked once, of the sessions; only what is left is asked of
 * passages, and only of sessions in which something was found.
 */
export class PassageFilterSet {
  private readonly db: Database;
  private readonly filter: PassageFilter;
  /** By session. */
  private readonly states: Uint8Array = new Uint8Array(0);
  /** Sessions that may still be asked one by one. */
  private left: number;
  private all: Uint32Array | undefined;

  /** @param documents passages of the index */
  constructor(db: Database, filter: PassageFilter, documents: number) {
    this.db = db;
    this.filter = filter;
    this.left = Math.max(LEAST_ASKED, documents / PASSAGES_OF_AN_ASKING);
    const of = filter.ofSessions;
    if (!of) return;
    const enough = of.enough ?? NEVER;
    const sessions = db.rows<{ id: number; enough: number }>(
      `SELECT s.id, (${enough.sql}) AS enough FROM sessions s WHERE ${of.need.sql}`,
      ...enough.values,
      ...of.need.values,
    );
    this.states = new Uint8Array(sessions.reduce((most, { id }) => Math.max(most, id), 0) + 1);
    for (const one of sessions) this.states[one.id] = one.enough === 1 ? PASSES : UNKNOWN;
  }

  /** The passages of a segment that pass. */
  of(segment: SegmentRow): SegmentFilter {
    const states = new Uint8Array(segment.last - segment.first + 1);
    if (!this.filter.ofSessions) states.fill(UNKNOWN);
    const owners = new Int32Array(this.filter.ofSessions ? states.length : 0);
    if (this.filter.ofSessions)
      eachSessionRun(this.db, segment, (from, to, session) => {
        const state = this.states[session] ?? FAILS;
        if (state === FAILS) return;
        for (let i = from; i < to; i++) states[i] = state;
        if (state === UNKNOWN) for (let i = from; i < to; i++) owners[i] = session;
      });
    return new SegmentFilter(segment, states, owners, (session, passage) => this.has(session, passage));
  }

  private readonly known = new Map<number, ReadonlySet<number>>();

  private has(session: number, passage: number): boolean {
    if (session !== 0 && !this.all) {
      let passing = this.known.get(session);
      if (!passing && this.left > 0) {
        this.left--;
        passing = new Set(this.passing('p.session = ? AND', session));
        this.known.set(session, passing);
      }
      if (passing) return passing.has(passage);
    }
    this.all ??= this.everything();
    return (this.all[passage >> 5]! & (1 << (passage & 31))) !== 0;
  }

  private everything(): Uint32Array {
    const last = this.db.row<{ last: number }>('SELECT coalesce(max(id), 0) AS last FROM passages')!.last;
    const bits = new Uint32Array((last >> 5) + 1);
    const { need } = this.filter.ofSessions ?? {};
    const passing = need ? this.passing(`(${need.sql}) AND`, ...need.values) : this.passing('');
    for (const id of passing) bits[id >> 5]! |= 1 << (id & 31);
    return bits;
  }

  private passing(condition: string, ...values: (string | number)[]): number[] {
    const { sql, values: others } = this.filter;
    return this.db
      .rows<{ id: number }>(
        `SELECT p.id FROM passages p JOIN sessions s ON s.id = p.session WHERE ${condition} (${sql})`,
        ...values,
        ...others,
      )
      .map((row) => row.id);
  }
}

/** The passages of one segment that pass. */
export class SegmentFilter {
  private readonly first: number;
  private readonly states: Uint8Array;
  private readonly owners: Int32Array;
  private readonly ask: (session: number, passage: number) => boolean;

  constructor(
    { first }: SegmentRow,
    states: Uint8Array,
    owners: Int32Array,
    ask: (session: number, passage: number) => boolean,
  ) {
    this.first = first;
    this.states = states;
    this.owners = owners;
    this.ask = ask;
  }

  has(passage: number): boolean {
    const at = passage - this.first;
    const state = this.states[at]!;
    if (state !== UNKNOWN) return state === PASSES;
    const passes = this.ask(this.owners[at] ?? 0, passage);
    this.states[at] = passes ? PASSES : FAILS;
    return passes;
  }

  /** The first passage at or after one that may pass; beyond the segment where there is none. */
  next(passage: number): number {
    const { states } = this;
    let at = passage - this.first;
    while (at < states.length && states[at] === FAILS) at++;
    return this.first + at;
  }
}
