import { dirname, sep } from 'node:path';
import { sourceOf } from '../agents/registry.ts';
import type { CatalogSession } from '../catalog/listed.ts';
import { openForReading } from '../holdings/opening.ts';
import type { Stores } from '../holdings/stores.ts';
import { readConfig } from '../home/config.ts';
import type { Home } from '../home/paths.ts';
import { type Marked, markOf, type Star, star, starsIn, unstar } from '../recall/notes.ts';
import type { Facets, Hit, SearchResult } from '../search/answers/search.ts';
import { listSessions } from '../search/answers/sessions.ts';
import { shortfallOf, sourceStates } from '../search/answers/source-states.ts';
import { suggest } from '../search/answers/suggest.ts';
import { type Pages, pagesOf } from '../search/transcripts/pages.ts';
import { type Resumption, resumptionHere } from '../search/transcripts/resume.ts';
import { turnsOf } from '../search/transcripts/transcript.ts';
import type { Completing } from './completing.ts';
import type { Item } from './item.ts';
import type { LineEditor } from './line-editor.ts';
import { queryOf } from './question.ts';
import type { Answer } from './state.ts';

/** Sessions that are listed: those that a person led and that hold something. */
const LISTED = { all: false, gone: false, withTurns: true, offset: 0 };
/** Sessions over which facets of a list are counted. */
const MOST_COUNTED = 1000;

/** The sign after the one that parts names: what lies below a folder stands before it. */
const AFTER_SEP = String.fromCharCode(sep.charCodeAt(0) + 1);

/** An answer without what it is an answer to. */
export type Found = Omit<Answer, 'number' | 'text' | 'limit' | 'kind' | 'isPartial' | 'matcher'>;

/** The history as the picker asks for it. All of this answers at once; searching by words is the seeker's. */
export class Library {
  private readonly home: Home;
  private readonly stores: Stores;
  private stars: ReadonlyMap<string, Star> = new Map();

  private constructor(home: Home, stores: Stores) {
    this.home = home;
    this.stores = stores;
    this.readStars();
  }

  /** @throws where nothing was indexed yet */
  static open(home: Home): Library {
    const stores = openForReading(home);
    if (!stores) throw new Error(`nothing is indexed in ${home.path}`);
    return new Library(home, stores);
  }

  close(): void {
    this.stores.close();
  }

  /** The project of a folder: that of the newest session in it or below it, else in a folder around it. */
  projectAt(folder: string, user: string | undefined): string | undefined {
    const newest = (where: string, ...values: string[]) =>
      this.stores.catalog.sessions(`s.project IS NOT NULL AND ${where}`, values, 's.active DESC', 1)[0]?.project;
    const here = newest('s.cwd = ?', folder) ?? newest('s.cwd > ? AND s.cwd < ?', folder + sep, folder + AFTER_SEP);
    if (here !== undefined) return here;
    for (let at = dirname(folder); at !== dirname(at) && at !== user; at = dirname(at)) {
      const around = newest('s.cwd = ?', at);
      if (around !== undefined) return around;
    }
    return undefined;
  }

  /** Sessions that pass a query's filters and hold its words in their title, the newest first. */
  sessions(text: string, limit: number, now: number): Found {
    const begin = performance.now();
    const options = { ...LISTED, limit };
    const { rows, total, warnings } = listSessions(this.stores, queryOf(text, now), options);
    const items = rows.map((row) => this.itemOf(row));
    return { items, total, isAtLeast: false, warnings, ...this.freshness(now), tookMs: since(begin) };
  }

  /** How the sessions of a list are spread. */
  facets(text: string, now: number): Facets {
    const options = { ...LISTED, limit: MOST_COUNTED };
    const { rows, total } = listSessions(this.stores, queryOf(text, now), options);
    return facetsOf(rows, rows.length === total);
  }

  /** What is starred and still here, the newest star first. */
  starred(now: number): Found {
    const begin = performance.now();
    const rows: CatalogSession[] = [];
    const items = [...this.stars.values()].flatMap((one): Item[] => {
      const row = this.row(one.session);
      if (!row) return [];
      const turn = one.anchor === undefined ? undefined : this.stores.catalog.turnAt(row.id, one.anchor);
      if (one.anchor !== undefined && !turn) return [];
      rows.push(row);
      const item = { ...this.itemOf(row), isStarred: true };
      if (!turn) return [item];
      const at = turn.started ?? item.at;
      return [
        {
          ...item,
          id: `${row.key}#${turn.turn}`,
          turn: turn.turn,
          ...(turn.prompt !== undefined && { snippet: turn.prompt }),
          ...(at !== undefined && { at }),
        },
      ];
    });
    return {
      items,
      total: items.length,
      isAtLeast: false,
      facets: facetsOf(rows, true),
      warnings: [],
      ...this.freshness(now),
      tookMs: since(begin),
    };
  }

  /** What the word at the cursor may become. */
  complete(line: LineEditor): Omit<Completing, 'at'> {
    const { from, to, suggestions } = suggest(this.stores, line.text, line.cursor);
    return { before: line, from, to, options: suggestions };
  }

  /** What the seeker found, as items. */
  found(result: SearchResult): Found {
    const shortfall = shortfallOf(result.sources);
    return {
      items: result.hits.map((hit) => this.itemOfHit(hit)),
      total: result.total.turns,
      isAtLeast: result.total.relation === 'gte',
      tookMs: result.tookMs,
      ...(result.index.lagMs !== null && { lagMs: result.index.lagMs }),
      ...(shortfall !== undefined && { shortfall }),
      facets: result.facets,
      also: result.query.corrections.map(({ to }) => to),
      warnings: [...result.query.corrections.map(correctionText), ...result.warnings],
    };
  }

  /** The pages of an item's session, or of its turn. @throws where the session is no more */
  pages(item: Item, scope: 'session' | 'turn'): Pages {
    return pagesOf(this.stores, this.known(item), scope === 'turn' ? item.turn : undefined);
  }

  /** The last turn that a session shows: where it stands. */
  lastTurn(item: Item): number | undefined {
    return this.stores.catalog.shownOf(this.known(item).id, 'last');
  }

  resumption(item: Item): Resumption {
    return resumptionHere(this.stores, this.known(item));
  }

  /** What people would paste of a turn: its prompt and its answers. Of a session, its first prompt. */
  textOf(item: Item): string {
    const row = this.known(item);
    const turn = item.turn ?? 1;
    const [read] = turnsOf(this.stores, row, { withParent: true, range: [turn, turn] });
    const texts = (read?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return texts.join('\n\n') || (row.title ?? '');
  }

  /** Stars an item, or takes its star away; gives whether it is starred now. @throws where its folder is read-only */
  toggleStar(item: Item, now: number): boolean {
    const marked = this.marked(item);
    const isStarred = this.stars.has(markOf(marked));
    if (isStarred) unstar(this.home, marked, now);
    else star(this.home, marked, item.title, now);
    this.readStars();
    return !isStarred;
  }

  private readStars(): void {
    this.stars = new Map(starsIn(this.home).map((one) => [markOf(one), one]));
  }

  private marked(item: Item): Marked {
    if (item.turn === undefined) return { session: item.session };
    const anchor = this.stores.catalog.turn(this.known(item).id, item.turn)?.anchor;
    return { session: item.session, ...(anchor !== undefined && { anchor }) };
  }

  /** A session, or one of its turns, by its id. @throws where there is none */
  itemNamed(session: string, turn?: number): Item {
    const row = this.row(session);
    if (!row) throw new Error(`${session} is no longer here`);
    const item = this.itemOf(row);
    return turn === undefined ? item : { ...item, id: `${row.key}#${turn}`, turn };
  }

  private row(key: string): CatalogSession | undefined {
    return this.stores.catalog.sessions('s.key = ?', [key], 's.id', 1)[0];
  }

  private known(item: Item): CatalogSession {
    const row = this.row(item.session);
    if (!row) throw new Error(`${item.session} is no longer here`);
    return row;
  }

  private freshness(now: number): Pick<Found, 'lagMs' | 'shortfall'> {
    const at = this.stores.catalog.lastIngest();
    const shortfall = shortfallOf(sourceStates(this.stores, {}, readConfig(this.home)));
    return {
      ...(at !== undefined && { lagMs: Math.max(0, now - at) }),
      ...(shortfall !== undefined && { shortfall }),
    };
  }

  private itemOf(row: CatalogSession): Item {
    return {
      id: row.key,
      session: row.key,
      label: sourceOf(row.source)?.label ?? row.source,
      turns: row.turns,
      isStarred: this.stars.has(markOf({ session: row.key })),
      ...(row.title !== undefined && { title: row.title }),
      ...(row.project !== undefined && { project: row.project }),
      ...(row.more.inside !== undefined && { inside: row.more.inside }),
      ...(row.branch !== undefined && { branch: row.branch }),
      ...(row.cwd !== undefined && { cwd: row.cwd }),
      ...(row.active !== undefined && { at: row.active }),
    };
  }

  private itemOfHit(hit: Hit): Item {
    const { id, session, turn, label, title, project, inside, branch, cwd, timestamp, where } = hit;
    const item = { id, session, turn, label };
    const isKnown = this.stars.size > 0 && [...this.stars.values()].some((one) => one.session === session);
    return {
      ...item,
      snippet: hit.snippet,
      highlights: hit.highlights,
      moreTurns: hit.moreTurns,
      isStarred: isKnown && this.stars.has(markOf(this.marked({ ...item, isStarred: false }))),
      ...(title !== undefined && { title }),
      ...(project !== undefined && { project }),
      ...(inside !== undefined && { inside }),
      ...(branch !== undefined && { branch }),
      ...(cwd !== undefined && { cwd }),
      ...(timestamp !== undefined && { at: Date.parse(timestamp) }),
      ...(where.line !== undefined && { line: where.line }),
    };
  }
}

const since = (begin: number) => Math.round((performance.now() - begin) * 10) / 10;

const correctionText = ({ from, to }: SearchResult['query']['corrections'][number]) =>
  `“${from}” was not found anywhere, so “${to}” was searched for too.`;

function facetsOf(rows: readonly CatalogSession[], exact: boolean): Facets {
  const count = (nameOf: (row: CatalogSession) => string | undefined) => {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const name = nameOf(row);
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]));
  };
  return {
    source: count(({ source }) => source),
    project: count(({ project }) => project),
    type: {},
    month: count(({ active }) => (active === undefined ? undefined : new Date(active).toISOString().slice(0, 7))),
    exact,
  };
}
