import type { Database } from '../../store/database.ts';
import { normsOf } from '../bm25f.ts';
import type { LexicalQuery, LexicalResult, PassageFilter, TieredResult, Tiers } from '../lexical-index.ts';
import type { Segment } from '../segments/segment.ts';
import { type Count, collectAll, collectAny, type Scope } from './collect.ts';
import { PassageFilterSet, type SegmentFilter } from './filter.ts';
import { Plan } from './plan.ts';
import { Top } from './top.ts';

/** Questions to some segments under one filter: what one of them has looked up, the next need not. */
export class Searching {
  private readonly segments: readonly Segment[];
  private readonly plan: Plan;
  private readonly passing: readonly (SegmentFilter | undefined)[];

  constructor(db: Database, segments: readonly Segment[], filter: PassageFilter | undefined) {
    const documents = segments.reduce((sum, { row }) => sum + row.documents, 0);
    const length = segments.reduce((sum, { row }) => sum + row.length, 0);
    this.plan = new Plan(segments, documents, normsOf(length / documents));
    const passing = filter && new PassageFilterSet(db, filter, documents);
    this.segments = passing?.isEmpty ? [] : segments;
    this.passing = this.segments.map(({ row }) => passing?.of(row));
  }

  /** The best `k` that match a query. */
  search(query: LexicalQuery, k: number): LexicalResult {
    const asked = simple(query);
    const top = new Top(k);
    let total = 0;
    let isLeast = false;
    for (const [at, segment] of this.segments.entries()) {
      const passing = this.passing[at];
      const count = collect(this.plan, asked, at, scopeOf(segment, passing), top, passing?.isKnown === true);
      total += count.matches;
      isLeast ||= count.isLeast;
    }
    const hits = top.hits();
    return { hits, total: Math.max(total, hits.length), relation: isLeast ? 'gte' : 'eq' };
  }

  /** The best `k` that match all, then the best of the others that match any. */
  searchTiers({ all, any }: Tiers, k: number): TieredResult {
    const first = this.search(all, k);
    const full = first.hits.length;
    if (full === k) return { ...first, relation: 'gte', full };
    const second = this.search(any, k);
    const isFull = new Set(first.hits.map((hit) => hit.passage));
    const others = second.hits.filter((hit) => !isFull.has(hit.passage));
    return { ...second, hits: [...first.hits, ...others].slice(0, k), full };
  }
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
  const parts = plan.allParts(of.of, at);
  if (!parts || parts.length === 0) return { matches: 0, isLeast: false };
  return collectAll(parts, not && plan.cursor(not, at), scope, top);
}

function scopeOf({ row, lengths }: Segment, passing: SegmentFilter | undefined): Scope {
  const { first, last, dead } = row;
  if (!passing)
    return { first, last, has: (passage) => dead === 0 || lengths.code(passage) !== 0, next: (passage) => passage };
  return {
    first,
    last,
    has: (passage) => lengths.code(passage) !== 0 && passing.has(passage),
    next: (passage) => passing.next(passage),
  };
}
