import { basename, dirname, join, sep } from 'node:path';
import { withInside } from '../inside.ts';
import type { Environment, Root } from '../source.ts';

/** Where Codex keeps histories: `CODEX_HOME`, `~/.codex`, and homes inside projects. */
export function roots(env: Environment): Root[] {
  const named = env.variables.CODEX_HOME?.trim();
  const folders = new Set([...(named ? [named] : []), join(env.home, '.codex')]);
  const own = [...folders].map((path) => ({ path, layout: 'home' }));
  return withInside(own, env.projects, '.codex', ['sessions', 'archived_sessions']);
}

/** The session's id in a rollout's name, whatever a program that copies files put behind it; undefined where it holds none. */
export function idOf(path: string): string | undefined {
  return ID.exec(basename(path))?.[1]?.toLowerCase();
}

const ID = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[^0-9a-z].*)?\.jsonl?(?:\.zst)?$/i;

/** The home that a rollout lies in: the folder above `sessions` or `archived_sessions`. */
export function homeOf(path: string): string {
  const names = dirname(path).split(sep);
  const folder = names.findLastIndex((name) => name === 'sessions' || name === 'archived_sessions');
  return folder > 0 ? names.slice(0, folder).join(sep) : dirname(path);
}
