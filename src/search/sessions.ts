import type { CatalogSession } from '../catalog/catalog.ts';
import type { Stores } from '../ingest/stores.ts';
import type { Query } from './query.ts';

export interface ListOptions {
  /** Sub-agents' sessions too. */
  readonly all: boolean;
  /** Those whose file is gone, and prompts that are all that is left. */
  readonly gone: boolean;
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
  const parts = ['hidden = 0', options.gone ? 'gone = 1' : "kind = 'transcript'"];
  const values: (string | number)[] = [];
  if (!options.all) parts.push("coalesce(relation, '') <> 'subagent'");
  const anyOf = (list: readonly string[] | undefined, sql: string, times: number) => {
    if (!list) return;
    parts.push(`(${list.map(() => sql).join(' OR ')})`);
    for (const value of list) for (let i = 0; i < times; i++) values.push(value);
  };
  anyOf(query.filters.source, 'source = ? COLLATE NOCASE', 1);
  anyOf(query.filters.project, '(project = ? COLLATE NOCASE OR cwd = ?)', 2);
  for (const { text } of query.words) {
    parts.push("title LIKE ? ESCAPE '\\'");
    values.push(`%${text.replace(/[\\%_]/g, '\\$&')}%`);
  }
  if (query.filters.since !== undefined) {
    parts.push('active >= ?');
    values.push(query.filters.since);
  }
  if (query.filters.until !== undefined) {
    parts.push('coalesce(started, active) < ?');
    values.push(query.filters.until);
  }
  const where = parts.join(' AND ');
  const total = stores.catalog.count('sessions', where, ...values);
  const rows = stores.catalog.sessions(where, values, 'active DESC, id DESC', options.limit, options.offset);
  const next = options.offset + rows.length;
  return { total, rows, cursor: next < total ? String(next) : null };
}
