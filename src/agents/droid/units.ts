import { basename, join, relative, sep } from 'node:path';
import { filesBelow, fileUnitWith } from '../folders.ts';
import type { Encounters, Environment, Root, Unit } from '../source.ts';

const SESSIONS = 'sessions';
const SETTINGS = '.settings.json';

/** Where Droid keeps sessions: `.factory` in the home, or in the one that `FACTORY_HOME_OVERRIDE` names. */
export function roots({ home, variables }: Environment): Root[] {
  const named = variables.FACTORY_HOME_OVERRIDE?.trim();
  const homes = new Set([...(named ? [named] : []), home]);
  return [...homes].map((path) => ({ path: join(path, '.factory'), layout: 'home' }));
}

/** `sessions/<folder>/<id>.jsonl`. */
export async function* units(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  for (const path of filesBelow(join(root.path, SESSIONS), root.path, { depth: 2 }, met)) {
    const unit = path.endsWith('.jsonl') ? unitUnder(root, path, met) : undefined;
    if (unit) yield unit;
  }
}

export function places(root: Root): { folders: string[]; files: string[] } {
  return { folders: [join(root.path, SESSIONS)], files: [] };
}

/** A session, for itself and for its settings, which have what it cost. */
export function unitUnder(root: Root, path: string, met?: Encounters): Unit | undefined {
  const [first, ...below] = relative(root.path, path).split(sep);
  const own = path.endsWith(SETTINGS) ? `${path.slice(0, -SETTINGS.length)}.jsonl` : path;
  if (first !== SESSIONS || below.length > 2 || !/^[^.].*\.jsonl$/.test(basename(own))) return undefined;
  const file = { source: 'droid', path: own, layout: root.layout, format: 'append', isOneSession: true } as const;
  return fileUnitWith(settingsOf(own), file, met);
}

/** The file with a session's settings and sums. */
export function settingsOf(path: string): string {
  return `${path.slice(0, -'.jsonl'.length)}${SETTINGS}`;
}
