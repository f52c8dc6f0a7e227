import { SOURCES } from '../../agents/registry.ts';
import type { Stores } from '../../holdings/stores.ts';
import { TOOL_KINDS } from '../../transcript/index.ts';
import { conditionOf, type FilterContext } from '../matching/conditions.ts';
import { isPattern } from '../matching/sql.ts';
import { printClause } from '../query/print.ts';
import type { Clause, ListFilter, Query } from '../query/query.ts';
import { nearestName } from './did-you-mean.ts';

/** A filter, or one of its values, that no session matches. */
export interface EmptyFilter {
  /** The clause, or what is left of it with this value alone. */
  readonly clause: Clause;
  /** The value that was probably meant. */
  readonly didYouMean?: string;
  /** Whether it was to leave something out. */
  readonly isLeftOut?: true;
}

/** Whether any session passes a clause of filters. */
export function passes(stores: Stores, clause: Clause, context: FilterContext): boolean {
  const { sql, values } = conditionOf(clause, 'session', context);
  return (
    stores.catalog.db.row(`SELECT 1 FROM sessions s WHERE s.hidden = 0 AND ${sql} LIMIT 1`, ...values) !== undefined
  );
}

/**
 * The conditions of a query that no session matches.
 * @param isEmpty whether nothing was found: else a value that stands alone was passed by what was found, and is not asked for
 */
export function emptyFilters(stores: Stores, query: Query, context: FilterContext, isEmpty: boolean): EmptyFilter[] {
  return query.clauses.flatMap((clause) => emptyIn(clause, stores, context, isEmpty));
}

function emptyIn(clause: Clause, stores: Stores, context: FilterContext, mayBeEmpty: boolean): EmptyFilter[] {
  switch (clause.type) {
    case 'filter': {
      if ('at' in clause) return mayBeEmpty && !passes(stores, clause, context) ? [{ clause }] : [];
      if (clause.values.length === 1 && !mayBeEmpty) return [];
      return clause.values.flatMap((value) => emptyValue(clause, value, stores, context));
    }
    case 'not':
      return emptyIn(clause.of, stores, context, true)
        .filter(isMistaken)
        .map((one) => ({ ...one, isLeftOut: true }));
    case 'and':
    case 'or':
      return clause.of.flatMap((one) => emptyIn(one, stores, context, true));
    default:
      return [];
  }
}

/** Whether what was to be left out was a name that there is not: habits (`-path:node_modules`) are no mistakes. */
function isMistaken({ clause }: EmptyFilter): boolean {
  if (clause.type !== 'filter' || 'at' in clause) return false;
  if (clause.field === 'source') return !clause.values.every(isSource);
  return NAMES.has(clause.field);
}

function isSource(name: string): boolean {
  return isPattern(name) || SOURCES.some(({ id }) => id === name.toLowerCase());
}

function emptyValue(filter: ListFilter, value: string, stores: Stores, context: FilterContext): EmptyFilter[] {
  // A value of the filter's own.
  const clause = { ...filter, values: [value] } as ListFilter;
  if (filter.field === 'intent' || filter.field === 'machine' || passes(stores, clause, context)) return [];
  const didYouMean = nearestName(value, namesOf(stores, filter.field));
  return [{ clause, ...(didYouMean !== undefined && didYouMean !== value && { didYouMean }) }];
}

/** More names than these are not looked through. */
const MOST_NAMES = 5000;

const NAMES: ReadonlyMap<ListFilter['field'], string> = new Map([
  ['project', 'SELECT DISTINCT project AS name FROM sessions WHERE hidden = 0 AND project IS NOT NULL LIMIT ?'],
  ['branch', 'SELECT DISTINCT branch AS name FROM sessions WHERE hidden = 0 AND branch IS NOT NULL LIMIT ?'],
  ['model', "SELECT DISTINCT model.value AS name FROM sessions s, json_each(s.more, '$.models') model LIMIT ?"],
  ['tool', 'SELECT DISTINCT name FROM tools LIMIT ?'],
]);

/** The values that a field has in the index, where they are names of something. */
function namesOf(stores: Stores, field: ListFilter['field']): readonly string[] {
  if (field === 'source') return SOURCES.flatMap(({ id, label }) => [id, label]);
  const sql = NAMES.get(field);
  if (sql === undefined) return [];
  const names = stores.catalog.db.rows<{ readonly name: string }>(sql, MOST_NAMES).map(({ name }) => name);
  return field === 'tool' ? [...names, ...TOOL_KINDS] : names;
}

/** What a person is told of a filter that no session matches. */
export function emptyLine({ clause, didYouMean, isLeftOut }: EmptyFilter): string {
  const filter = printClause(clause);
  const near = didYouMean ?? '';
  const hint =
    near === ''
      ? ''
      : `; did you mean ${filter.slice(0, filter.indexOf(':'))}:${/\s/.test(near) ? `"${near}"` : near}?`;
  const source = clause.type === 'filter' && clause.field === 'source' ? clause.values[0]! : undefined;
  if (source !== undefined && !isSource(source))
    return `there is no source “${source}”${hint}; known: ${SOURCES.map(({ id }) => id).join(', ')}`;
  return isLeftOut ? `-${filter} leaves nothing out: nothing matches it${hint}` : `nothing matches ${filter}${hint}`;
}
