import { sourceOf } from '../../agents/registry.ts';
import type { Resume } from '../../agents/source.ts';
import type { CatalogSession } from '../../catalog/listed.ts';
import type { Stores } from '../../holdings/stores.ts';

/** How to take a session up again; a sub-agent's root is resumed. Undefined where its agent cannot, or its file is gone. */
export function resumeOf(stores: Stores, session: CatalogSession, prompt?: string): Resume | undefined {
  const root = rootOf(stores, session);
  if (root.gone || root.kind === 'prompts') return undefined;
  return sourceOf(session.source)?.resume?.(resumable(root), prompt === undefined ? {} : { prompt });
}

function resumable(session: CatalogSession) {
  return { nativeId: session.nativeId, ...(session.cwd !== undefined && { cwd: session.cwd }) };
}

/** The session at the top of a sub-agent's parents. */
export function rootOf(stores: Stores, session: CatalogSession): CatalogSession {
  let root = session;
  for (let depth = 0; depth < 16 && root.parent?.relation === 'subagent'; depth++) {
    const parent = stores.catalog.sessions('key = ?', [root.parent.key], 'id', 1)[0];
    if (!parent) break;
    root = parent;
  }
  return root;
}
