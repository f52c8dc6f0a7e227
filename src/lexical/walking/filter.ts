import type { Database } from '../../store/database.ts';
import type { PassageFilter, Sql } from '../lexical-index.ts';
import type { SegmentRow } from '../schema.ts';
import { eachSessionRun } from '../segments/sessions.ts';

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
  /** Whether no session matches. */
  readonly isEmpty: boolean;
  private readonly db: Database;
  private readonly filter: PassageFilter;
  /** By session. */
  private readonly states: Uint8Array;
  /** What is left to be asked of passages. */
  private readonly rest: Sql;
  /** Passages that may still be asked one by one. */
  private left: number;
  private readonly one: string;
  private all: Uint32Array | undefined;

  /** @param documents passages of the index */
  constructor(db: Database, filter: PassageFilter, documents: number) {
    this.db = db;
    this.filter = filter;
    this.left = filter.ofSessions?.areFew ? 0 : Math.max(LEAST_ASKED, documents / SHARE_ASKED);
    this.rest = filter.ofSessions?.rest ?? filter;
    this.one = `SELECT 1 ${passagesFor(this.rest)} WHERE p.id = ? AND (${this.rest.sql})`;
    const groups = filter.ofSessions ? sessionsThatPass(db, filter.ofSessions) : [];
    const last =
      groups.length === 0 ? 0 : (db.row<{ last: number }>('SELECT max(id) AS last FROM sessions')?.last ?? 0);
    this.states = new Uint8Array(last + 1);
    this.isEmpty = filter.ofSessions !== undefined && groups.length === 0;
    for (const { ids, state } of groups) eachNumber(ids, (id) => (this.states[id] = state));
  }

  /** The passages of a segment that pass. */
  of(segment: SegmentRow): SegmentFilter {
    const { ofSessions } = this.filter;
    const states = new Uint8Array(segment.last - segment.first + 1);
    let isKnown = ofSessions !== undefined;
    if (isKnown)
      eachSessionRun(this.db, segment, (from, to, session) => {
        const state = this.states[session] ?? FAILS;
        if (state === UNKNOWN) isKnown = false;
        if (state !== FAILS) states.fill(state, from, to);
      });
    else states.fill(UNKNOWN);
    const passing = new SegmentFilter(segment, states, isKnown, (passage) => this.has(passage));
    return ofSessions?.areFew ? passing.settled() : passing;
  }

  private has(passage: number): boolean {
    if (!this.all && this.left > 0) {
      this.left--;
      return this.db.row(this.one, passage, ...this.rest.values) !== undefined;
    }
    this.all ??= this.everything();
    return (this.all[passage >> 5]! & (1 << (passage & 31))) !== 0;
  }

  /** All passages that pass what is left, whatever their sessions do. */
  private everything(): Uint32Array {
    const last = this.db.row<{ last: number }>('SELECT coalesce(max(id), 0) AS last FROM passages')!.last;
    const bits = new Uint32Array((last >> 5) + 1);
    const { ids } = this.db.row<{ ids: string | null }>(
      `SELECT group_concat(p.id) AS ids ${passagesFor(this.rest)} WHERE ${this.rest.sql}`,
      ...this.rest.values,
    )!;
    eachNumber(ids ?? '', (id) => (bits[id >> 5]! |= 1 << (id & 31)));
    return bits;
  }
}

/** Passages, with their sessions where something is asked of these. */
function passagesFor({ sql }: Sql): string {
  return /\bs\./.test(sql) ? 'FROM passages p JOIN sessions s ON s.id = p.session' : 'FROM passages p';
}

/** The sessions of which passages may pass. Thousands of ids come faster as one text than as rows. */
function sessionsThatPass(
  db: Database,
  { need, enough }: NonNullable<PassageFilter['ofSessions']>,
): readonly { readonly ids: string; readonly state: number }[] {
  const sessions = `group_concat(s.id) AS ids FROM sessions s WHERE ${need.sql}`;
  if (!enough || enough.sql === '1') {
    const { ids } = db.row<{ ids: string | null }>(`SELECT ${sessions}`, ...need.values)!;
    return ids === null ? [] : [{ ids, state: enough ? PASSES : UNKNOWN }];
  }
  return db
    .rows<{ enough: number | null; ids: string }>(
      `SELECT (${enough.sql}) AS enough, ${sessions} GROUP BY 1`,
      ...enough.values,
      ...need.values,
    )
    .map((group) => ({ ids: group.ids, state: group.enough === 1 ? PASSES : UNKNOWN }));
}

/** Calls `found` for each of some numbers with commas between them. */
function eachNumber(list: string, found: (value: number) => void): void {
  if (list === '') return;
  let value = 0;
  for (let i = 0; i < list.length; i++) {
    const code = list.charCodeAt(i);
    if (code !== COMMA) value = value * 10 + code - ZERO;
    else {
      found(value);
      value = 0;
    }
  }
  found(value);
}

const COMMA = 44;
const ZERO = 48;

/** The passages of one segment that pass. */
export class SegmentFilter {
  /** Whether no passage is left to be asked. */
  readonly isKnown: boolean;
  private readonly first: number;
  private readonly states: Uint8Array;
  private readonly ask: (passage: number) => boolean;

  constructor(
    { first }: Pick<SegmentRow, 'first'>,
    states: Uint8Array,
    isKnown: boolean,
    ask: (passage: number) => boolean,
  ) {
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

  /** The same, with all of its passages asked. */
  settled(): SegmentFilter {
    const { states, first } = this;
    for (let at = 0; at < states.length; at++) if (states[at] === UNKNOWN) this.has(first + at);
    return new SegmentFilter({ first }, states, true, this.ask);
  }

  /** The first passage at or after one that may pass; beyond the segment where there is none. */
  next(passage: number): number {
    const { states } = this;
    let at = passage - this.first;
    while (at < states.length && states[at] === FAILS) at++;
    return this.first + at;
  }
}
