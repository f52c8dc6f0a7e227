import { SOURCES } from '../../agents/registry.ts';
import type { Stores } from '../../holdings/stores.ts';
import type { Config } from '../../home/config.ts';
import { isPattern } from '../matching/sql.ts';
import type { Filters } from '../query/query.ts';

/** Whether a source was searched, and if not, why. */
export type SourceState =
  | { readonly state: 'searched'; readonly sessions: number }
  | { readonly state: 'empty' | 'excluded'; readonly reason: string };

/** What was searched: zero found is not the same as nothing to look at. */
export function sourceStates(
  stores: Stores,
  { source, without }: Filters,
  { exclude }: Config,
): Record<string, SourceState> {
  return Object.fromEntries(
    SOURCES.map(({ id }): [string, SourceState] => {
      const isAsked =
        (!source || source.some((name) => isNamed(id, name))) && !without?.source?.some((name) => isNamed(id, name));
      if (!isAsked) return [id, { state: 'excluded', reason: 'left out by source:' }];
      if (exclude.sources.includes(id))
        return [id, { state: 'excluded', reason: 'left out by the configuration: exclude.sources' }];
      const sessions = stores.catalog.sessionsOf(id);
      return [id, sessions > 0 ? { state: 'searched', sessions } : { state: 'empty', reason: whyEmpty(stores) }];
    }),
  );
}

/** While the first indexing goes on, or where it was broken off, nobody knows what there is. */
function whyEmpty({ catalog }: Stores): string {
  return catalog.lastIngest() === undefined ? 'it was not read yet: portolan index reads it' : 'no history was found';
}

/** Patterns are left to the index. */
function isNamed(id: string, name: string): boolean {
  return isPattern(name) || name.toLowerCase() === id;
}
