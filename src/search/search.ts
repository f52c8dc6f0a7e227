import { sourceOf } from '../agents/registry.ts';
import type { Resume } from '../agents/source.ts';
import { type CatalogSession, TITLE_CHUNK } from '../catalog/catalog.ts';
import type { Stores } from '../ingest/stores.ts';
import type { Field } from '../lexical/fields.ts';
import type { LexicalHit } from '../lexical/lexical-index.ts';
import { lexicalQueries, passageFilter, sessionConditions, termOf } from './lexical-query.ts';
import { Matcher } from './matcher.ts';
import type { Query } from './query.ts';
import { type Candidate, type Ranked, ranked } from './ranking.ts';
import { resumeOf } from './resume.ts';
import { snippetOf, stretchesOf } from './snippet.ts';
import { type SourceState, sourceStates } from './source-states.ts';

/** Passages that are ranked, and over which facets are counted. */
const MOST_CANDIDATES = 1000;
/** Few sessions leave room for several of their turns. */
const TURNS_OF_A_SESSION = (sessions: number) => (sessions <= 2 ? 5 : sessions <= 5 ? 2 : 1);
const MOST_CHILDREN = 20;

export interface SearchOptions {
  readonly limit: number;
  readonly offset?: number;
  readonly now: number;
  readonly minScore?: number;
  readonly excludeSession?: string;
  readonly explain?: boolean;
}

export interface Hit {
  readonly id: string;
  readonly session: string;
  readonly source: string;
  readonly label: string;
  readonly title?: string;
  readonly project?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly timestamp?: string;
  readonly turn: number;
  readonly field: Field;
  readonly score: number;
  readonly snippet: string;
  readonly highlights: readonly (readonly [number, number])[];
  readonly moreTurns: number;
  readonly where: { readonly path: string; readonly line?: number };
  readonly resume?: Resume;
  readonly lineage: Lineage;
  readonly secretsRedacted: number;
  readonly explain?: Readonly<Record<string, number | boolean>>;
}

interface Lineage {
  readonly parent: string | null;
  readonly children: readonly string[];
  readonly childrenTotal: number;
  readonly childrenTruncated: boolean;
  readonly isAdvanced: boolean | null;
}

export interface SearchResult {
  readonly query: {
    readonly text: string;
    readonly terms: readonly string[];
    readonly filters: object;
    readonly corrections: readonly string[];
  };
  readonly total: { readonly turns: number; readonly relation: 'eq' | 'gte' };
  readonly tookMs: number;
  readonly cursor: string | null;
  readonly index: {
    readonly sessions: number;
    readonly turns: number;
    readonly passages: number;
    readonly lagMs: number;
    readonly vectors: number;
  };
  readonly hits: readonly Hit[];
  readonly facets: Facets;
  readonly sources: Readonly<Record<string, SourceState>>;
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
  const session = sessionCache(stores);
  const { candidates, complete } = candidatesFor(stores, query, options, session);
  const order = candidates.length === 0 ? [] : ranked(candidates, options.now);
  const turns = bestOfTurns(order).filter((turn) => turn.score >= (options.minScore ?? 0));
  const groups = bySession(turns);
  const offset = options.offset ?? 0;
  const shown = groups.slice(offset, offset + options.limit);
  const matcher = new Matcher(query);
  const most = TURNS_OF_A_SESSION(shown.length);
  const hits = shown.flatMap((group) =>
    group
      .slice(0, most)
      .map((turn, i, list) =>
        hitOf(stores, session(turn.session)!, turn, matcher, i === 0 ? group.length - list.length : 0, options),
      ),
  );
  const { catalog } = stores;
  return {
    query: { text: query.text, terms: termsOf(query), filters: query.filters, corrections: [] },
    total: { turns: turns.length, relation: complete ? 'eq' : 'gte' },
    tookMs: Math.round((performance.now() - begin) * 10) / 10,
    cursor: offset + options.limit < groups.length ? String(offset + options.limit) : null,
    index: {
      ...catalog.totals(),
      lagMs: lagOf(stores, options.now),
      vectors: 0,
    },
    hits,
    facets: facetsOf(turns, session, complete),
    sources: sourceStates(stores, query.filters.source),
    warnings: [],
  };
}

type SessionLookup = (id: number) => CatalogSession | undefined;

function sessionCache(stores: Stores): SessionLookup {
  const known = new Map<number, CatalogSession | undefined>();
  return (id) => {
    if (!known.has(id)) known.set(id, stores.catalog.session(id));
    return known.get(id);
  };
}

/** Passages with all words first, then those with any, each in the order of the index. */
function candidatesFor(stores: Stores, query: Query, options: SearchOptions, session: SessionLookup) {
  if (!hasSessions(stores, query, options)) return { candidates: [], complete: true };
  const filter = passageFilter(query, options.excludeSession);
  const asked = lexicalQueries(query);
  if (!asked) {
    const ids = browse(stores, filter);
    const hits = ids.map((passage) => ({ passage, score: 0 }));
    return { candidates: ranking(stores, hits, new Set(ids), session), complete: ids.length < MOST_CANDIDATES };
  }
  const { lexical } = stores;
  const all = lexical.search(asked.all, filter, MOST_CANDIDATES);
  const isEnough = query.words.length + query.phrases.length === 1 || all.hits.length === MOST_CANDIDATES;
  const any = isEnough ? undefined : lexical.search(asked.any, filter, MOST_CANDIDATES);
  const full = new Set(all.hits.map((hit) => hit.passage));
  const hits = [...all.hits, ...(any?.hits ?? []).filter((hit) => !full.has(hit.passage))].slice(0, MOST_CANDIDATES);
  return {
    candidates: ranking(stores, hits, full, session),
    complete: [all, ...(any ? [any] : [])].every(
      ({ total, relation }) => relation === 'eq' && total <= MOST_CANDIDATES,
    ),
  };
}

/** Whether any session passes: else the index need not be asked. */
function hasSessions(stores: Stores, query: Query, options: SearchOptions): boolean {
  const { parts, values } = sessionConditions(query, options.excludeSession);
  if (parts.length === 0) return true;
  return (
    stores.catalog.db.row(`SELECT 1 FROM sessions s WHERE ${parts.join(' AND ')} LIMIT 1`, ...values) !== undefined
  );
}

/** Without words the newest turns that pass the filter. */
function browse(stores: Stores, filter: ReturnType<typeof passageFilter>): number[] {
  return stores.catalog.db
    .rows<{ id: number }>(
      `SELECT min(p.id) AS id FROM passages p JOIN sessions s ON s.id = p.session
       WHERE p.chunk >= 0 AND (${filter?.sql ?? '1'}) GROUP BY p.session, p.turn ORDER BY max(coalesce(p.at, s.active)) DESC LIMIT ?`,
      ...(filter?.values ?? []),
      MOST_CANDIDATES,
    )
    .map((row) => row.id);
}

/** Hits with what ranking looks at, in their order. */
function ranking(
  stores: Stores,
  hits: readonly LexicalHit[],
  full: ReadonlySet<number>,
  session: SessionLookup,
): Candidate[] {
  const scores = new Map(hits.map((hit) => [hit.passage, hit.score]));
  return stores.catalog.passages(hits.map((hit) => hit.passage)).map((row, i) => {
    const of = session(row.session);
    return {
      passage: row.id,
      session: row.session,
      turn: row.turn,
      lexical: scores.get(row.id) ?? 0,
      rank: i + 1,
      holdsAll: full.has(row.id),
      isRewound: row.rewound,
      isSubagent: of?.parent?.relation === 'subagent',
      ...(of?.active !== undefined && { active: of.active }),
    };
  });
}

/** The best passage of each turn, in order. */
function bestOfTurns(order: readonly Ranked[]): Ranked[] {
  const best = new Map<string, Ranked>();
  for (const one of order) {
    const key = `${one.session} ${one.turn}`;
    if (!best.has(key)) best.set(key, one);
  }
  return [...best.values()];
}

function bySession(turns: readonly Ranked[]): Ranked[][] {
  const groups = new Map<number, Ranked[]>();
  for (const turn of turns) {
    const group = groups.get(turn.session);
    if (group) group.push(turn);
    else groups.set(turn.session, [turn]);
  }
  return [...groups.values()];
}

function hitOf(
  stores: Stores,
  session: CatalogSession,
  turn: Ranked,
  matcher: Matcher,
  moreTurns: number,
  options: SearchOptions,
): Hit {
  const source = sourceOf(session.source);
  const found = excerpt(stores, session, turn, matcher);
  const resume = resumeOf(stores, session);
  const at = found.at ?? session.active;
  return {
    id: `${session.key}#${turn.turn}`,
    session: session.key,
    source: session.source,
    label: source?.label ?? session.source,
    turn: turn.turn,
    field: found.field,
    score: Math.round(turn.score * 1e6) / 1e6,
    snippet: found.text,
    highlights: found.highlights,
    moreTurns,
    where: found.where,
    lineage: lineageOf(stores, session),
    secretsRedacted: (found.text.match(LABEL) ?? []).length,
    ...(session.title !== undefined && { title: session.title }),
    ...(session.project !== undefined && { project: session.project }),
    ...(session.cwd !== undefined && { cwd: session.cwd }),
    ...(session.branch !== undefined && { branch: session.branch }),
    ...(at !== undefined && { timestamp: new Date(at).toISOString() }),
    ...(resume && { resume }),
    ...(options.explain && {
      explain: { rank: turn.rank, lexical: turn.lexical, holdsAll: turn.holdsAll, ...turn.factors, score: turn.score },
    }),
  };
}

/** The label that stands for a secret. */
const LABEL = /\[(?:AWS_KEY|GH_TOKEN|GL_TOKEN|API_KEY|SLACK_TOKEN|GOOGLE_KEY|JWT|PEM_BLOCK)\]/g;

interface Excerpt {
  readonly field: Field;
  readonly text: string;
  readonly highlights: readonly (readonly [number, number])[];
  readonly where: { readonly path: string; readonly line?: number };
  readonly at?: number;
}

function excerpt(stores: Stores, session: CatalogSession, turn: Ranked, matcher: Matcher): Excerpt {
  const nothing: Excerpt = { field: 'title', text: session.title ?? '', highlights: [], where: { path: session.path } };
  const passage = stores.catalog.passages([turn.passage])[0];
  if (!passage) return nothing;
  if (passage.chunk === TITLE_CHUNK) {
    const titles = stores.catalog.titlePassage(session.id)?.title.split('\n') ?? [];
    const named = titles
      .map((text) => ({ text, matches: matcher.matches(text) }))
      .sort((a, b) => b.matches.length - a.matches.length)[0];
    return named
      ? { ...nothing, text: named.text, highlights: named.matches.map(({ start, end }) => [start, end] as const) }
      : nothing;
  }
  const stored = stores.archive.chunk(passage.session, passage.turn, passage.chunk);
  const parts = stored?.body.parts.slice(passage.firstPart, passage.lastPart + 1) ?? [];
  const snippet = snippetOf(stretchesOf(parts, passage.from, passage.to), matcher);
  const part = snippet && parts[snippet.part];
  if (!snippet || !part) return nothing;
  const where = snippet.field === 'output' && part.type === 'tool_call' ? (part.outputWhere ?? part.where) : part.where;
  return {
    field: snippet.field,
    text: snippet.text,
    highlights: snippet.highlights,
    where: { path: where.path ?? session.path, line: where.line },
    ...(part.at !== undefined && { at: part.at }),
  };
}

function lineageOf(stores: Stores, session: CatalogSession): Lineage {
  const children = stores.catalog.childrenOf(session.key);
  return {
    parent: session.parent?.key ?? null,
    children: children.slice(0, MOST_CHILDREN),
    childrenTotal: children.length,
    childrenTruncated: children.length > MOST_CHILDREN,
    isAdvanced: null,
  };
}

function facetsOf(turns: readonly Ranked[], session: SessionLookup, exact: boolean): Facets {
  const count = (key: (session: CatalogSession) => string | undefined) => {
    const counts = new Map<string, number>();
    for (const turn of turns) {
      const of = session(turn.session);
      const name = of && key(of);
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]));
  };
  return {
    source: count((one) => one.source),
    project: count((one) => one.project),
    type: count((one) =>
      one.parent?.relation === 'subagent' ? 'subagent' : one.kind === 'prompts' ? 'prompt' : 'session',
    ),
    month: count((one) => (one.active === undefined ? undefined : new Date(one.active).toISOString().slice(0, 7))),
    exact,
  };
}

function termsOf(query: Query): string[] {
  const words = query.words.flatMap((word) => (termOf(word) ? [word.prefix ? `${word.text}*` : word.text] : []));
  return [...words, ...query.phrases.map((text) => `"${text}"`)];
}

/** How long ago the index was last brought up to date. */
function lagOf(stores: Stores, now: number): number {
  const at = stores.catalog.lastIngest();
  return at === undefined ? 0 : Math.max(0, now - at);
}
