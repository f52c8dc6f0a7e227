import type { Database } from '../store/database.ts';
import type { PassageFilter, Sql } from './lexical-index.ts';
import type { SegmentRow } from './schema.ts';
import { eachSessionRun } from './sessions.ts';

const NEVER: Sql = { sql: '0', values: [] };

const FAILS = 0;
const PASSES = 1;
/** The session may pass; its passages are to be asked one by one. */
const UNKNOWN = 2;

/** So many passages are asked one by one, or one in so many of the index; where there are more, all are asked at once. */
const LEAST_ASKED = 500;
const SHARE_ASKED = 40;

/**
 * Passages that pass a filter. What it asks of sessions is asked once, of the sessions; only what is left is asked of
 * passages, and only of those in which something was found.
 */
export class PassageFilterSet {
  private readonly db: Database;
  private readonly filter: PassageFilter;
  /** By session. */
  private readonly states: Uint8Array = new Uint8Array(0);
  /** Passages that may still be asked one by one. */
  private left: number;
  private readonly one: string;
  private all: Uint32Array | undefined;

  /** @param documents passages of the index */
  constructor(db: Database, filter: PassageFilter, documents: number) {
    this.db = db;
    this.filter = filter;
    this.left = Math.max(LEAST_ASKED, documents / SHARE_ASKED);
    this.one = `SELECT 1 FROM passages p JOIN sessions s ON s.id = p.session WHERE p.id = ? AND (${filter.sql})`;
    const of = filter.ofSessions;
    if (!of) return;
    const enough = of.enough ?? NEVER;
    // Thousands of ids come faster as one text than as rows.
    const groups = db.rows<{ enough: number | null; ids: string }>(
      `SELECT (${enough.sql}) AS enough, group_concat(s.id) AS ids FROM sessions s WHERE ${of.need.sql} GROUP BY 1`,
      ...enough.values,
      ...of.need.values,
    );
    const last = db.row<{ last: number | null }>('SELECT max(id) AS last FROM sessions')?.last ?? 0;
    this.states = new Uint8Array(last + 1);
    for (const group of groups)
      for (const id of group.ids.split(',')) this.states[Number(id)] = group.enough === 1 ? PASSES : UNKNOWN;
  }

  /** The passages of a segment that pass. */
  of(segment: SegmentRow): SegmentFilter {
    const states = new Uint8Array(segment.last - segment.first + 1);
    let isKnown = this.filter.ofSessions !== undefined;
    if (isKnown)
      eachSessionRun(this.db, segment, (from, to, session) => {
        const state = this.states[session] ?? FAILS;
        if (state === UNKNOWN) isKnown = false;
        if (state !== FAILS) for (let i = from; i < to; i++) states[i] = state;
      });
    else states.fill(UNKNOWN);
    return new SegmentFilter(segment, states, isKnown, (passage) => this.has(passage));
  }

  private has(passage: number): boolean {
    if (!this.all && this.left > 0) {
      this.left--;
      return this.db.row(this.one, passage, ...this.filter.values) !== undefined;
    }
    this.all ??= this.everything();
    return (this.all[passage >> 5]! & (1 << (passage & 31))) !== 0;
  }

  private everything(): Uint32Array {
    const last = this.db.row<{ last: number }>('SELECT coalesce(max(id), 0) AS last FROM passages')!.last;
    const bits = new Uint32Array((last >> 5) + 1);
    const { sql, values, ofSessions } = this.filter;
    const need = ofSessions?.need ?? { sql: '1', values: [] };
    const passing = this.db.rows<{ id: number }>(
      `SELECT p.id FROM passages p JOIN sessions s ON s.id = p.session WHERE (${need.sql}) AND (${sql})`,
      ...need.values,
      ...values,
    );
    for (const { id } of passing) bits[id >> 5]! |= 1 << (id & 31);
    return bits;
  }
}

/** The passages of one segment that pass. */
export class SegmentFilter {
  /** Whether no passage is left to be asked. */
  readonly isKnown: boolean;
  private readonly first: number;
  private readonly states: Uint8Array;
  private readonly ask: (passage: number) => boolean;

  constructor({ first }: SegmentRow, states: Uint8Array, isKnown: boolean, ask: (passage: number) => boolean) {
    this.first = first;
    this.states = states;
    this.isKnown = isKnown;
    this.ask = ask;
  }

  has(passage: number): boolean {
    const at = passage - this.first;
    const state = this.states[at]!;
    if (state !== UNKNOWN) return state === PASSES;
    const passes = this.ask(passage);
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
