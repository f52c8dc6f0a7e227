import { basename, join, relative, sep } from 'node:path';
import { databaseUnit, filesBelow, fileUnit, fileUnitWith } from '../folders.ts';
import type { Encounters, Environment, Root, Unit } from '../source.ts';

const SESSIONS = 'session-state';
const EVENTS = 'events.jsonl';
const WORKSPACE = 'workspace.yaml';
const STORE = 'session-store.db';
const OLD_SESSIONS = 'history-session-state';
const OTHER_FOLDERS: ReadonlySet<string> = new Set(['checkpoints', 'rewind-snapshots', 'files', 'research']);

/** Where Copilot keeps sessions: `COPILOT_HOME`, `~/.copilot`. */
export function roots({ home, variables }: Environment): Root[] {
  const named = variables.COPILOT_HOME?.trim();
  const folders = new Set([...(named ? [named] : []), join(home, '.copilot')]);
  return [...folders].map((path) => ({ path, layout: 'home' }));
}

export async function* units(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  for (const folder of [SESSIONS, OLD_SESSIONS]) {
    const walk = { depth: 2, passes: (name: string) => OTHER_FOLDERS.has(name) };
    for (const path of filesBelow(join(root.path, folder), root.path, walk, met)) {
      const unit = basename(path) === WORKSPACE ? undefined : unitUnder(root, path, met);
      if (unit) yield unit;
    }
  }
  const store = unitUnder(root, join(root.path, STORE), met);
  if (store) yield store;
}

export function places(root: Root): { folders: string[]; files: string[] } {
  const store = join(root.path, STORE);
  return { folders: [join(root.path, SESSIONS), join(root.path, OLD_SESSIONS)], files: [store, `${store}-wal`] };
}

/**
 * The session that a path under a root is: `session-state/<id>/events.jsonl`, before that `session-state/<id>.jsonl`, in
 * 2025 `history-session-state/session_<id>_<time>.json`; or the store of all. Each for what lies beside it too.
 */
export function unitUnder(root: Root, path: string, met?: Encounters): Unit | undefined {
  const [first, second, third, ...deeper] = relative(root.path, path).split(sep);
  const name = basename(path);
  if (second === undefined && (first === STORE || first === `${STORE}-wal`)) {
    return databaseUnit({ source: 'copilot-cli', path: join(root.path, STORE), layout: 'store' }, met);
  }
  const one = { source: 'copilot-cli', isOneSession: true } as const;
  if (first === SESSIONS && second !== undefined && deeper.length === 0) {
    const events = { ...one, layout: 'events', format: 'append' } as const;
    if (third === EVENTS || third === WORKSPACE) {
      const folder = join(root.path, SESSIONS, second);
      return fileUnitWith(join(folder, WORKSPACE), { ...events, path: join(folder, EVENTS) }, met);
    }
    return third === undefined && /^[^.].*\.jsonl$/.test(name) ? fileUnit({ ...events, path }, met) : undefined;
  }
  const isOld = first === OLD_SESSIONS && third === undefined && /^session_.+\.json$/.test(name);
  return isOld ? fileUnit({ ...one, path, layout: 'timeline', format: 'snapshot' }, met) : undefined;
}
