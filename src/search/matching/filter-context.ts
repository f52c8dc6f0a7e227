import type { Stores } from '../../holdings/stores.ts';
import type { Config } from '../../home/config.ts';
import { starsIn } from '../../recall/notes.ts';
import type { Clause, Query } from '../query/query.ts';
import type { FilterContext } from './conditions.ts';

/** What the filters of a query mean here: families of projects, and what is starred where it is asked for. */
export function filterContext<T extends FilterContext>(
  stores: Stores,
  config: Config,
  query: Query,
  options: T,
): T & FilterContext {
  const stars = query.clauses.some(asksForStars) ? starsIn(stores.home) : [];
  return { families: config.projects.families, stars, ...options };
}

function asksForStars(clause: Clause): boolean {
  switch (clause.type) {
    case 'filter':
      return clause.field === 'is' && clause.values.includes('starred');
    case 'not':
      return asksForStars(clause.of);
    case 'and':
    case 'or':
      return clause.of.some(asksForStars);
    default:
      return false;
  }
}
