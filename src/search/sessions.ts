import type { CatalogSession } from '../catalog/catalog.ts';
import type { Stores } from '../ingest/stores.ts';
import { escaped, sessionConditions } from './lexical-query.ts';
import type { Query } from './query.ts';

export interface ListOptions {
  /** Sub-agents' sessions too. */
  readonly all: boolean;
  /** Those whose file is gone, and prompts that are all that is left. */
  readonly gone: boolean;
  /** Only those that there is something to read of. */
  readonly withTurns?: boolean;
  readonly limit: number;
  readonly offset: number;
}

export interface SessionList {
  readonly total: number;
  readonly cursor: string | null;
  readonly rows: readonly CatalogSession[];
}

/** Sessions that pass the query's filters and hold its words in their title, newest first. */
export function listSessions(stores: Stores, query: Query, options: ListOptions): SessionList {
  const { parts, values } = sessionConditions(query);
  const add = (sql: string, ...given: (string | number)[]) => {
    parts.push(sql);
    values.push(...given);
  };
  add('s.hidden = 0');
  add(options.gone ? 's.gone = 1' : "s.kind = 'transcript'");
  if (options.withTurns) add('s.turns > 0');
  if (!options.all) add("coalesce(s.relation, '') <> 'subagent'");
  const inTitle = "coalesce(s.title, '') LIKE ? ESCAPE '\\'";
  for (const text of [...query.words.map((word) => word.text), ...query.phrases]) add(inTitle, `%${escaped(text)}%`);
  for (const { text } of query.excluded) add(`NOT ${inTitle}`, `%${escaped(text)}%`);
  const { tool, path, is, since, until } = query.filters;
  for (const name of tool ?? [])
    add('EXISTS (SELECT 1 FROM tools WHERE session = s.id AND name = ? COLLATE NOCASE)', name);
  for (const name of path ?? [])
    add("EXISTS (SELECT 1 FROM touches WHERE session = s.id AND path LIKE ? ESCAPE '\\')", `%${escaped(name)}%`);
  if (is?.includes('error')) add('s.errors > 0');
  if (since !== undefined) add('s.active >= ?', since);
  if (until !== undefined) add('coalesce(s.started, s.active) < ?', until);
  const where = parts.join(' AND ');
  const total = stores.catalog.count('sessions', where, ...values);
  const rows = stores.catalog.sessions(where, values, 's.active DESC, s.id DESC', options.limit, options.offset);
  const next = options.offset + rows.length;
  return { total, rows, cursor: next < total ? String(next) : null };
}
