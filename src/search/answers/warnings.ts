import { hostname } from 'node:os';
import { SOURCES } from '../../agents/registry.ts';
import { type FilterContext, isMachine } from '../matching/conditions.ts';
import { isPattern } from '../matching/sql.ts';
import type { Clause, ListFilter, Query } from '../query/query.ts';

/** What a person should know of how a query was answered. */
export function warningsOf(query: Query, plan: { readonly isCut: boolean }, context: FilterContext): string[] {
  const lists = query.clauses.flatMap(listsIn);
  const of = (field: ListFilter['field']) => lists.flatMap((list) => (list.field === field ? list.values : []));
  const unknown = of('source').filter(
    (name) => !isPattern(name) && !SOURCES.some(({ id }) => id === name.toLowerCase()),
  );
  const elsewhere = of('machine').filter((name) => !isMachine(name, context));
  return [
    ...(of('intent').length > 0 ? ['nothing is classified by intent yet: intent: was not applied'] : []),
    ...unknown.map((name) => `there is no source “${name}”; known: ${SOURCES.map(({ id }) => id).join(', ')}`),
    ...elsewhere.map(
      (name) => `the index holds this machine alone, ${context.machine ?? hostname()}: nothing of “${name}” is here`,
    ),
    ...(plan.isCut ? ['the query has more alternatives than are looked at: some were left out'] : []),
  ];
}

function listsIn(clause: Clause): ListFilter[] {
  switch (clause.type) {
    case 'filter':
      return 'at' in clause ? [] : [clause];
    case 'not':
      return listsIn(clause.of);
    case 'and':
    case 'or':
      return clause.of.flatMap(listsIn);
    default:
      return [];
  }
}
