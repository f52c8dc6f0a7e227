import type { OnDisk } from '../../archive/listings.ts';
import type { SessionOutline } from '../../catalog/outlines.ts';
import type { Stores } from '../../holdings/stores.ts';
import { readConfig } from '../../home/config.ts';
import { askedCall } from '../matching/asked-call.ts';
import type { FilterContext } from '../matching/conditions.ts';
import { type Correction, corrected } from '../matching/corrections.ts';
import { filterContext } from '../matching/filter-context.ts';
import { termOf } from '../matching/lexical-query.ts';
import { Matcher } from '../matching/matcher.ts';
import { fieldsIn, planOf } from '../matching/plan.ts';
import { type Clause, type Filters, filtersOf, type Query, wanted } from '../query/query.ts';
import { candidatesOf, type Outlines } from '../ranking/candidates.ts';
import { type Ranked, ranked } from '../ranking/ranking.ts';
import { emptyFilters, emptyLine } from './filter-values.ts';
import { type Hit, hitOf, type RankedTurn } from './hits.ts';
import { type Nothing, whyNothing } from './nothing.ts';
import { type SourceState, sourceStates } from './source-states.ts';
import { signLines, warningsOf } from './warnings.ts';

/** Few sessions leave room for several of their turns. */
const TURNS_OF_A_SESSION = (sessions: number) => (sessions <= 2 ? 5 : sessions <= 5 ? 2 : 1);
/** Where all that was found is in one session, it is its turns that are listed. */
const turnsShown = (shown: number, groups: number, limit: number) =>
  groups === 1 ? Math.max(TURNS_OF_A_SESSION(1), limit) : TURNS_OF_A_SESSION(shown);

export interface SearchOptions extends FilterContext {
  readonly limit: number;
  readonly offset?: number;
  readonly now: number;
  readonly minScore?: number;
  readonly excludeSession?: string;
  readonly explain?: boolean;
  /** What was seen of the agents' files just before. */
  readonly onDisk?: OnDisk;
}

export interface SearchResult {
  readonly query: {
    readonly text: string;
    readonly terms: readonly string[];
    readonly filters: Filters;
    /** Words that occur nowhere, and what was looked for in addition. */
    readonly corrections: readonly Correction[];
  };
  readonly total: { readonly turns: number; readonly relation: 'eq' | 'gte' };
  readonly tookMs: number;
  readonly cursor: string | null;
  readonly index: {
    readonly sessions: number;
    readonly turns: number;
    readonly passages: number;
    /** How far behind the agents' files it may be; null where they were never read to the end. */
    readonly lagMs: number | null;
    readonly vectors: number;
  };
  readonly hits: readonly Hit[];
  readonly facets: Facets;
  readonly sources: Readonly<Record<string, SourceState>>;
  /** Why nothing was found; absent where something was. */
  readonly nothing?: Nothing;
  readonly warnings: readonly string[];
}

export interface Facets {
  readonly source: Readonly<Record<string, number>>;
  readonly project: Readonly<Record<string, number>>;
  readonly type: Readonly<Record<string, number>>;
  readonly month: Readonly<Record<string, number>>;
  readonly exact: boolean;
}

/** Searches what was indexed. Hits are turns, the best of each session together, sessions by their best turn. */
export function search(stores: Stores, query: Query, options: SearchOptions): SearchResult {
  const begin = performance.now();
  const config = readConfig(stores.home);
  const context = filterContext(stores, config, query, options);
  const { asked, corrections, plan, found } = understood(stores, query, context);
  const { candidates, outlines, complete } = found;
  const order = candidates.length === 0 ? [] : ranked(candidates, options.now);
  const turns = bestOfTurns(order).filter((turn) => turn.score >= (options.minScore ?? 0));
  const groups = bySession(turns);
  const offset = options.offset ?? 0;
  const shown = groups.slice(offset, offset + options.limit);
  const sought = { matcher: new Matcher(plan, fieldsIn(plan)), isAsked: askedCall(query) };
  const most = turnsShown(shown.length, groups.length, options.limit);
  const hits = shown.flatMap((group) => {
    const session = stores.catalog.session(group[0]!.session)!;
    return group
      .slice(0, most)
      .map((turn, i, list) => hitOf(stores, session, turn, sought, i === 0 ? group.length - list.length : 0, options));
  });
  const { catalog } = stores;
  const why = turns.length > 0 ? undefined : whyNothing(stores, query, context, config);
  const reasons = why?.lines ?? emptyFilters(stores, query, context, false).map(emptyLine);
  return {
    query: { text: query.text, terms: termsOf(asked.clauses), filters: filtersOf(query), corrections },
    total: { turns: turns.length, relation: complete ? 'eq' : 'gte' },
    tookMs: Math.round((performance.now() - begin) * 10) / 10,
    cursor: offset + options.limit < groups.length ? String(offset + options.limit) : null,
    index: {
      ...catalog.totals(),
      lagMs: lagOf(stores, options.now, options.onDisk),
      vectors: 0,
    },
    hits,
    facets: facetsOf(groups, outlines, complete),
    sources: sourceStates(stores, filtersOf(query), config, options.onDisk),
    ...(why && { nothing: why.nothing }),
    warnings: [...warningsOf(query, asked, context), ...signLines(query), ...reasons],
  };
}

/**
 * What a query finds, its words corrected where one occurs nowhere. Where a passage holds all of them they all occur: then
 * none need be looked up for that.
 */
function understood(stores: Stores, query: Query, context: FilterContext) {
  const ask = (meant: Query) => {
    const plan = planOf(meant, stores.lexical, context);
    return { plan, found: candidatesOf(stores, plan) };
  };
  const first = ask(query);
  const asked = first.plan;
  if (!query.clauses.some(hasAlternatives) && first.found.candidates.some((one) => one.holdsAll))
    return { ...first, asked, corrections: [] };
  const { query: meant, corrections } = corrected(query, stores.lexical);
  return { ...(corrections.length > 0 ? ask(meant) : first), asked, corrections };
}

function hasAlternatives(clause: Clause): boolean {
  return clause.type === 'or' || (clause.type === 'and' && clause.of.some(hasAlternatives));
}

/** The best passage of each turn, in order, with the others of the turn. */
function bestOfTurns(order: readonly Ranked[]): RankedTurn[] {
  const turns = new Map<string, { readonly best: Ranked; readonly others: Ranked[] }>();
  for (const one of order) {
    const key = `${one.session} ${one.turn}`;
    const known = turns.get(key);
    if (known) known.others.push(one);
    else turns.set(key, { best: one, others: [] });
  }
  return [...turns.values()].map(({ best, others }) => ({ ...best, others }));
}

function bySession(turns: readonly RankedTurn[]): RankedTurn[][] {
  const groups = new Map<number, RankedTurn[]>();
  for (const turn of turns) {
    const group = groups.get(turn.session);
    if (group) group.push(turn);
    else groups.set(turn.session, [turn]);
  }
  return [...groups.values()];
}

function facetsOf(groups: readonly (readonly Ranked[])[], outlines: Outlines, exact: boolean): Facets {
  const count = (key: (session: SessionOutline) => string | undefined) => {
    const counts = new Map<string, number>();
    for (const turns of groups) {
      const of = outlines.get(turns[0]!.session);
      const name = of && key(of);
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + turns.length);
    }
    return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]));
  };
  return {
    source: count((one) => one.source),
    project: count((one) => one.project),
    type: count((one) => one.type),
    month: count((one) => (one.active === undefined ? undefined : new Date(one.active).toISOString().slice(0, 7))),
    exact,
  };
}

/** The words and phrases that are looked for. */
function termsOf(clauses: readonly Clause[]): string[] {
  return wanted(clauses).flatMap((one) => {
    if (one.type === 'phrase') return [`"${one.text}"`];
    return termOf(one) ? [one.prefix ? `${one.text}*` : one.text] : [];
  });
}

/**
 * How long ago the histories were last read to the end, or, where more is known to be written, how long the first of that
 * has not been read; null where a first reading goes on or was broken off.
 */
export function lagOf(stores: Stores, now: number, onDisk?: OnDisk): number | null {
  const at = stores.catalog.lastIngest();
  if (at === undefined) return null;
  const unread = [...(onDisk?.unread.values() ?? [])].map(({ since }) => since);
  return Math.max(0, now - Math.min(at, ...unread));
}

export type { Hit } from './hits.ts';
