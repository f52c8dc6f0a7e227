import type { Database } from '../store/database.ts';
import { normsOf } from './bm25f.ts';
import { type Count, collectAll, collectAny, type Scope } from './collect.ts';
import { PassageFilterSet, type SegmentFilter } from './filter.ts';
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
  const asked = simple(query);
  const segments = rows.map((row) => new Segment(db, row));
  const documents = rows.reduce((sum, row) => sum + row.documents, 0);
  const length = rows.reduce((sum, row) => sum + row.length, 0);
  const plan = new Plan(segments, documents, normsOf(length / documents));
  const passing = filter && new PassageFilterSet(db, filter, documents);
  const top = new Top(k);
  let total = 0;
  let isLeast = false;
  for (const [at, segment] of segments.entries()) {
    const filtered = passing?.of(segment.row);
    const count = collect(plan, asked, at, scopeOf(segment, filtered), top, filtered?.isKnown === true);
    total += count.matches;
    isLeast ||= count.isLeast;
  }
  const hits = top.hits();
  return { hits, total: Math.max(total, hits.length), relation: isLeast ? 'gte' : 'eq' };
}

/** A query without `all` and `any` of one thing alone. */
function simple(query: LexicalQuery): LexicalQuery {
  if (query.type === 'term') return query;
  if (query.type === 'but') return { type: 'but', of: simple(query.of), not: simple(query.not) };
  const of = query.of.map(simple);
  return of.length === 1 ? of[0]! : { type: query.type, of };
}

/** Postings that may be walked all, for the sake of an exact total under a filter that is known by the sessions. */
const FEW = 200_000;

function collect(plan: Plan, query: LexicalQuery, at: number, scope: Scope, top: Top, mayCountAll: boolean): Count {
  const { of, not } = query.type === 'but' ? query : { of: query, not: undefined };
  if (of.type !== 'all') {
    const parts = plan.parts(of.type === 'any' ? of.of : [of], at);
    if (parts.length === 0) return { matches: 0, isLeast: false };
    const isExact = mayCountAll && parts.reduce((sum, part) => sum + part.cost, 0) <= FEW;
    return collectAny(parts, not && plan.cursor(not, at), scope, isExact, top);
  }
  const cursor = plan.cursor(query, at);
  return cursor ? collectAll(cursor, scope, top) : { matches: 0, isLeast: false };
}

function scopeOf({ row, lengths }: Segment, passing: SegmentFilter | undefined): Scope {
  const { first, last } = row;
  if (!passing) return { first, last, has: (passage) => lengths.code(passage) !== 0, next: (passage) => passage };
  return {
    first,
    last,
    has: (passage) => lengths.code(passage) !== 0 && passing.has(passage),
    next: (passage) => passing.next(passage),
  };
}
