import { basename, dirname, join } from 'node:path';
import { filesBelow, fileUnit } from '../folders.ts';
import type { Encounters, Environment, Root, Unit } from '../source.ts';

const THREAD = /^T-[\w-]{8,64}\.json$/;
const THREADS = 'threads';

/** Where Amp keeps threads: `$XDG_DATA_HOME/amp`, `~/.local/share/amp`, on every system. */
export function roots(env: Environment): Root[] {
  const data = env.variables.XDG_DATA_HOME?.trim();
  const folders = new Set([...(data ? [join(data, 'amp')] : []), join(env.home, '.local', 'share', 'amp')]);
  return [...folders].map((path) => ({ path, layout: 'home' }));
}

export async function* units(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  for (const path of filesBelow(join(root.path, THREADS), root.path, { depth: 1 }, met)) {
    const unit = unitUnder(root, path, met);
    if (unit) yield unit;
  }
}

export function places(root: Root): { folders: string[]; files: string[] } {
  return { folders: [join(root.path, THREADS)], files: [] };
}

/** The thread that a path under a root is. */
export function unitUnder(root: Root, path: string, met?: Encounters): Unit | undefined {
  if (dirname(path) !== join(root.path, THREADS) || !THREAD.test(basename(path))) return undefined;
  return fileUnit({ source: 'amp', path, layout: root.layout, format: 'snapshot', isOneSession: true }, met);
}
