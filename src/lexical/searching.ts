import type { Database } from '../store/database.ts';
import { normsOf } from './bm25f.ts';
import { type Count, collectAll, collectAny, type Scope } from './collect.ts';
import { PassageSet } from './filter.ts';
import type { LexicalQuery, LexicalResult, PassageFilter } from './lexical-index.ts';
import { Plan } from './plan.ts';
import type { SegmentRow } from './schema.ts';
import { Segment } from './segment.ts';
import { Top } from './top.ts';

/** Answers a query over some segments. */
export function searchSegments(
  db: Database,
  rows: readonly SegmentRow[],
  query: LexicalQuery,
  filter: PassageFilter | undefined,
  k: number,
): LexicalResult {
  const segments = rows.map((row) => new Segment(db, row));
  const documents = rows.reduce((sum, row) => sum + row.documents, 0);
  const length = rows.reduce((sum, row) => sum + row.length, 0);
  const last = rows.reduce((most, row) => Math.max(most, row.last), 0);
  const plan = new Plan(segments, documents, normsOf(length / documents));
  const passing = filter && new PassageSet(db, filter, last);
  const top = new Top(k);
  let total = 0;
  let isLeast = false;
  for (const [at, segment] of segments.entries()) {
    const count = collect(plan, query, at, scopeOf(segment, passing), top);
    total += count.matches;
    isLeast ||= count.isLeast;
  }
  const hits = top.hits();
  return { hits, total: Math.max(total, hits.length), relation: isLeast ? 'gte' : 'eq' };
}

function collect(plan: Plan, query: LexicalQuery, at: number, scope: Scope, top: Top): Count {
  const { of, not } = query.type === 'but' ? query : { of: query, not: undefined };
  if (of.type !== 'all') {
    const parts = plan.parts(of.type === 'any' ? of.of : [of], at);
    if (parts.length === 0) return { matches: 0, isLeast: false };
    return collectAny(parts, not && plan.cursor(not, at), scope, false, top);
  }
  const cursor = plan.cursor(query, at);
  return cursor ? collectAll(cursor, scope, top) : { matches: 0, isLeast: false };
}

function scopeOf({ row, lengths }: Segment, passing: PassageSet | undefined): Scope {
  return {
    first: row.first,
    last: row.last,
    has: (passage) => lengths.code(passage) !== 0 && (passing?.has(passage) ?? true),
  };
}
