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

/** A folder as the system spells it: extended paths of Windows and file URLs are made plain. */
export function plainPath(path: string): string {
  if (path.startsWith('\\\\?\\UNC\\')) return `\\\\${path.slice(8)}`;
  if (path.startsWith('\\\\?\\')) return path.slice(4);
  if (!path.startsWith('file://')) return path;
  const rest = path.slice(7);
  const local = /^\/[A-Za-z]:/.test(rest) ? rest.slice(1) : rest;
  try {
    return decodeURIComponent(local);
  } catch {
    return local;
  }
}

/** A path that may stand relative to a folder, made whole; the folder's own kind of separator is kept. */
export function pathIn(folder: string | undefined, path: string): string {
  const plain = plainPath(path);
  if (folder === undefined || plain === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(plain)) return plain;
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
  return `${folder.replace(/[/\\]+$/, '')}${separator}${plain.replace(/^\.[/\\]/, '')}`;
}
