import { SOURCES } from '../agents/registry.ts';
import { readConfig } from '../home/config.ts';
import type { Stores } from '../ingest/stores.ts';

/** Whether a source was searched, and if not, why. */
export type SourceState =
  | { readonly state: 'searched'; readonly sessions: number }
  | { readonly state: 'empty' | 'excluded'; readonly reason: string };

/** What was searched: zero found is not the same as nothing to look at. */
export function sourceStates(stores: Stores, asked: readonly string[] | undefined): Record<string, SourceState> {
  const { sources: leftOut } = readConfig(stores.home).exclude;
  const wanted = asked?.map((name) => name.toLowerCase());
  return Object.fromEntries(
    SOURCES.map((source): [string, SourceState] => {
      if (wanted && !wanted.includes(source.id))
        return [source.id, { state: 'excluded', reason: 'left out by source:' }];
      if (leftOut.includes(source.id))
        return [source.id, { state: 'excluded', reason: 'left out by the configuration: exclude.sources' }];
      const sessions = stores.catalog.count('sessions', "source = ? AND kind = 'transcript' AND hidden = 0", source.id);
      return [
        source.id,
        sessions > 0 ? { state: 'searched', sessions } : { state: 'empty', reason: 'no history was found' },
      ];
    }),
  );
}
