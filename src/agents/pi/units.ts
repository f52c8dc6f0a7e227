import { basename, join, relative, sep } from 'node:path';
import { filesBelow, fileUnit } from '../folders.ts';
import type { Encounters, Environment, Root, Unit } from '../source.ts';

const SESSIONS = 'sessions';

/** Where Pi keeps sessions: `PI_CODING_AGENT_DIR`, `~/.pi/agent`; Oh-My-Pi's `~/.omp/agent`. */
export function roots({ home, variables }: Environment): Root[] {
  const named = variables.PI_CODING_AGENT_DIR?.trim();
  const folders = new Set([...(named ? [named] : []), join(home, '.pi', 'agent'), join(home, '.omp', 'agent')]);
  return [...folders].map((path) => ({ path, layout: 'home' }));
}

/** `sessions/--<folder>--/<time>_<id>.jsonl`. */
export async function* units(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  for (const path of filesBelow(join(root.path, SESSIONS), root.path, { depth: 2 }, met)) {
    const unit = unitUnder(root, path, met);
    if (unit) yield unit;
  }
}

export function places(root: Root): { folders: string[]; files: string[] } {
  return { folders: [join(root.path, SESSIONS)], files: [] };
}

export function unitUnder(root: Root, path: string, met?: Encounters): Unit | undefined {
  const [first, ...below] = relative(root.path, path).split(sep);
  if (first !== SESSIONS || below.length > 2 || !/^[^.].*\.jsonl$/.test(basename(path))) return undefined;
  return fileUnit({ source: 'pi', path, layout: root.layout, format: 'append', isOneSession: true }, met);
}

/** The session's id in a file's name, behind the time. */
export function idOf(path: string): string {
  const name = (path.split(/[\\/]/).at(-1) ?? '').replace(/\.jsonl$/, '');
  return name.slice(name.lastIndexOf('_') + 1);
}
