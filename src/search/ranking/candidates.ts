import { outlinesOf, placesOf, type SessionOutline } from '../../catalog/outlines.ts';
import type { Stores } from '../../holdings/stores.ts';
import type { LexicalHit, LexicalResult, PassageFilter } from '../../lexical/lexical-index.ts';
import { type Branch, type Plan, sessionExists } from '../matching/plan.ts';
import type { Candidate } from './ranking.ts';

/** Passages that are ranked, and over which facets are counted. Behind the six hundredth nothing stands out of the noise. */
const MOST_CANDIDATES = 600;

export type Outlines = ReadonlyMap<number, SessionOutline>;

export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** Of all sessions that they are of. */
  readonly outlines: Outlines;
  /** Whether these are all that match. */
  readonly complete: boolean;
}

/** What a branch gives: passages that hold all of it, and all that match, each in the order of the index. */
interface Found {
  readonly all: readonly LexicalHit[];
  readonly any: readonly LexicalHit[];
  readonly complete: boolean;
}

/** Passages with all words first, then those with any, each in the order of the index. */
export function candidatesOf(stores: Stores, { branches, isCut }: Plan): Candidates {
  const found = branches.map((branch) => foundBy(stores, branch));
  const all = united(found.map((one) => one.all));
  const full = new Set(all.map((hit) => hit.passage));
  const any = united(found.map((one) => one.any)).filter((hit) => !full.has(hit.passage));
  const hits = [...all, ...any];
  return {
    ...ranking(stores, hits.slice(0, MOST_CANDIDATES), full),
    complete: !isCut && hits.length <= MOST_CANDIDATES && found.every((one) => one.complete),
  };
}

/** The hits of several branches, each once with its best score. Those of one stay as they are. */
function united(lists: readonly (readonly LexicalHit[])[]): readonly LexicalHit[] {
  if (lists.length === 1) return lists[0]!;
  const best = new Map<number, LexicalHit>();
  for (const hit of lists.flat()) {
    const known = best.get(hit.passage);
    if (!known || hit.score > known.score) best.set(hit.passage, hit);
  }
  return [...best.values()].sort((a, b) => b.score - a.score);
}

function foundBy(stores: Stores, branch: Branch): Found {
  const { asked, filter } = branch;
  if (!asked) {
    const exists = sessionExists(branch);
    if (exists && !stores.catalog.db.row(exists.sql, ...exists.values)) return { all: [], any: [], complete: true };
    const { ids, complete } = browse(stores, branch);
    return { all: ids.map((passage) => ({ passage, score: 0 })), any: [], complete };
  }
  if (JSON.stringify(asked.all) === JSON.stringify(asked.any)) {
    const result = stores.lexical.search(asked.all, filter, MOST_CANDIDATES);
    return { all: result.hits, any: [], complete: isComplete(result) };
  }
  const result = stores.lexical.searchTiers(asked, filter, MOST_CANDIDATES);
  const { hits, full } = result;
  return { all: hits.slice(0, full), any: hits.slice(full), complete: isComplete(result) };
}

/** Whether the hits are all that match. */
function isComplete({ hits, total, relation }: LexicalResult): boolean {
  return relation === 'eq' && total === hits.length;
}

/** Without words the newest turns that pass the filter, and in which nothing of what is left out stands. */
function browse(stores: Stores, { filter, leftOut }: Branch) {
  const ids: number[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const newest = newestTurns(stores, filter, page * MOST_CANDIDATES);
    const unwanted = leftOut ? turnsWith(stores, leftOut, newest) : undefined;
    ids.push(...newest.filter((turn) => !unwanted?.has(turn.key)).map((turn) => turn.id));
    if (newest.length < MOST_CANDIDATES) return { ids: ids.slice(0, MOST_CANDIDATES), complete: true };
    if (ids.length >= MOST_CANDIDATES) break;
  }
  return { ids: ids.slice(0, MOST_CANDIDATES), complete: false };
}

/** Thousands of turns that are looked through for some in which nothing of what is left out stands. */
const MOST_PAGES = 5;

interface Turn {
  /** Its first passage that passes. */
  readonly id: number;
  readonly key: string;
}

function newestTurns(stores: Stores, filter: PassageFilter | undefined, offset: number): readonly Turn[] {
  return stores.catalog.db.rows<{ id: number; key: string }>(
    `SELECT min(p.id) AS id, p.session || ' ' || p.turn AS key FROM passages p JOIN sessions s ON s.id = p.session
     WHERE p.chunk >= 0 AND (${filter?.sql ?? '1'})
     GROUP BY p.session, p.turn ORDER BY max(coalesce(p.at, s.active)) DESC LIMIT ? OFFSET ?`,
    ...(filter?.values ?? []),
    MOST_CANDIDATES,
    offset,
  );
}

/** Those of the turns in which something matches. */
function turnsWith(
  stores: Stores,
  leftOut: NonNullable<Branch['leftOut']>,
  turns: readonly Turn[],
): ReadonlySet<string> {
  const among: PassageFilter = {
    // Not correlated, so that it is worked out once and not for every passage.
    sql: `p.id IN (SELECT other.id FROM json_each(?) turn JOIN passages one ON one.id = turn.value
      JOIN passages other ON other.session = one.session AND other.turn = one.turn)`,
    values: [JSON.stringify(turns.map((turn) => turn.id))],
  };
  const { hits } = stores.lexical.search(leftOut, among, MOST_LEFT_OUT);
  return new Set(stores.catalog.passages(hits.map((hit) => hit.passage)).map((row) => `${row.session} ${row.turn}`));
}

/** Passages of a thousand turns. */
const MOST_LEFT_OUT = 100_000;

/** Hits with what ranking looks at, in their order, and the outlines of their sessions. */
function ranking(
  stores: Stores,
  hits: readonly LexicalHit[],
  full: ReadonlySet<number>,
): Pick<Candidates, 'candidates' | 'outlines'> {
  const { db } = stores.catalog;
  const scores = new Map(hits.map((hit) => [hit.passage, hit.score]));
  const places = placesOf(
    db,
    hits.map((hit) => hit.passage),
  );
  const outlines = outlinesOf(db, new Set(places.map((place) => place.session)));
  const candidates = places.map(({ passage, session, turn, rewound }, i): Candidate => {
    const of = outlines.get(session);
    return {
      passage,
      session,
      turn,
      lexical: scores.get(passage) ?? 0,
      rank: i + 1,
      holdsAll: full.has(passage),
      isRewound: rewound,
      isSubagent: of?.type === 'subagent',
      ...(of?.active !== undefined && { active: of.active }),
    };
  });
  return { candidates, outlines };
}
