import type { CatalogSession } from '../../catalog/listed.ts';
import type { Stores } from '../../holdings/stores.ts';
import { escaped } from '../matching/sql.ts';

/** What an id names. Ids may be shortened to any unique beginning, with or without the source. */
export type Identified =
  | { readonly found: 'session'; readonly session: CatalogSession; readonly turn?: number }
  | { readonly found: 'several'; readonly candidates: readonly CatalogSession[] }
  | { readonly found: 'nothing' };

/** Reads `source:id`, `id`, a beginning of either, `id#turn`, and the form `turn-<id>-<turn>`. */
export function identify(stores: Stores, text: string): Identified {
  const seed = /^turn-(.+)-(\d+)$/.exec(text);
  if (seed) return withTurn(bySession(stores, seed[1]!), Number(seed[2]));
  const hash = /^(.+)#(\d+)$/.exec(text);
  return hash ? withTurn(bySession(stores, hash[1]!), Number(hash[2])) : bySession(stores, text);
}

/** The id of a session as short as it may be given: without its source, and no longer than to be told from all others. */
export function shortId(stores: Stores, { nativeId }: Pick<CatalogSession, 'nativeId'>): string {
  for (let length = SHORTEST; length < nativeId.length; length += 5) {
    const found = bySession(stores, nativeId.slice(0, length));
    if (found.found === 'session' && found.session.nativeId === nativeId) return nativeId.slice(0, length);
  }
  return nativeId;
}

/** As much of a uuid as people read: up to its first dash, then to the next. */
const SHORTEST = 8;

function withTurn(identified: Identified, turn: number): Identified {
  return identified.found === 'session' ? { ...identified, turn } : identified;
}

function bySession(stores: Stores, text: string): Identified {
  const exact = stores.catalog.sessions('key = ? OR native_id = ?', [text, text], 'id', 2);
  if (exact.length === 1) return { found: 'session', session: exact[0]! };
  const beginning = `${escaped(text)}%`;
  const found = stores.catalog.sessions(
    "(key LIKE ? ESCAPE '\\' OR native_id LIKE ? ESCAPE '\\') AND hidden = 0",
    [beginning, beginning],
    'active DESC',
    10,
  );
  if (found.length === 1) return { found: 'session', session: found[0]! };
  // The sub-agents inside a session's file are called after it.
  const root = found.find((one) =>
    found.every((other) => other === one || other.nativeId.startsWith(`${one.nativeId}/`)),
  );
  if (root) return { found: 'session', session: root };
  return found.length === 0 ? { found: 'nothing' } : { found: 'several', candidates: found };
}
