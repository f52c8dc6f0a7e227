import type { CatalogSession } from '../../catalog/listed.ts';
import type { Stores } from '../../holdings/stores.ts';
import { readConfig } from '../../home/config.ts';
import { conditionOf, type FilterContext } from '../matching/conditions.ts';
import { filterContext } from '../matching/filter-context.ts';
import { allOf, escaped, type Sql, sql } from '../matching/sql.ts';
import type { Query } from '../query/query.ts';
import { emptyFilters, emptyLine } from './filter-values.ts';
import { warningsOf } from './warnings.ts';

export interface ListOptions extends FilterContext {
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
  readonly warnings: readonly string[];
}

/**
 * Sessions that pass the query's filters and hold all its words in their title, newest first. A filter that asks of a
 * turn is passed by a session with such a turn.
 */
export function listSessions(stores: Stores, query: Query, options: ListOptions): SessionList {
  const context = filterContext(stores, readConfig(stores.home), query, options);
  const asked = query.clauses.map((clause) => conditionOf(clause, 'session', context, inTitle));
  const { sql: where, values } = allOf([
    sql('s.hidden = 0'),
    ...(options.withTurns ? [sql('s.turns > 0')] : []),
    sql(options.gone ? 's.gone = 1' : asksForPrompts(query) ? '1' : "s.kind = 'transcript'"),
    ...(options.all || asksForSubagents(query) ? [] : [sql(`(${TOP})`)]),
    ...asked,
  ]);
  const total = stores.catalog.count('sessions', where, ...values);
  const rows = stores.catalog.sessions(where, values, 's.active DESC, s.id DESC', options.limit, options.offset);
  const next = options.offset + rows.length;
  return {
    total,
    rows,
    cursor: next < total ? String(next) : null,
    warnings: [
      ...warningsOf(query, { isCut: false, wordsLeftOut: 0 }, context),
      ...emptyFilters(stores, query, context, total === 0).map(emptyLine),
    ],
  };
}

/** What stands below no other session: a sub-agent too, where that which started it is no more. */
const TOP = `coalesce(s.relation, '') <> 'subagent' OR NOT EXISTS (SELECT 1 FROM sessions above WHERE above.key = s.parent)`;

function inTitle(text: string): Sql {
  return sql("coalesce(s.title, '') LIKE ? ESCAPE '\\'", `%${escaped(text)}%`);
}

/** Who asks for sub-agents by a filter need not ask again by an option. */
function asksForSubagents({ clauses }: Query): boolean {
  return clauses.some(
    (clause) =>
      clause.type === 'filter' &&
      (clause.field === 'is' || clause.field === 'type') &&
      clause.values.some((value) => value === 'subagent'),
  );
}

function asksForPrompts({ clauses }: Query): boolean {
  return clauses.some(
    (clause) => clause.type === 'filter' && clause.field === 'type' && clause.values.includes('prompt'),
  );
}
