import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { text } from '../fields.ts';
import { askForeignDatabase, markOf } from '../foreign-database.ts';
import { newestDatabase } from './databases.ts';
import { plainPath } from './paths.ts';

const known = new Map<string, { readonly mark: string; readonly paths: readonly string[] }>();

/**
 * Rollouts that Codex's own catalogue knows in other folders of a home than those that are scanned. What it says is
 * never trusted: a path that leads out of the home, itself or by a link, is none, nor is one that is not there.
 */
export function cataloguedElsewhere(home: string): readonly string[] {
  const database = newestDatabase(home, 'state');
  if (database === undefined) return [];
  const mark = `${database} ${markOf(database)}`;
  const before = known.get(home);
  if (before?.mark === mark) return before.paths;
  const paths = askForeignDatabase(database, (rows) => rows(ELSEWHERE).flatMap((row) => text(row.rollout_path) ?? []));
  const inside = (paths ?? []).map((path) => resolve(home, plainPath(path))).filter((path) => isInside(home, path));
  known.set(home, { mark, paths: inside });
  return inside;
}

const ELSEWHERE = `SELECT rollout_path FROM threads
  WHERE rollout_path NOT GLOB '*[/\\]sessions[/\\]*' AND rollout_path NOT GLOB '*[/\\]archived_sessions[/\\]*'`;

function isInside(home: string, path: string): boolean {
  const isBelow = (folder: string, inner: string) => {
    const way = relative(folder, inner);
    return way !== '' && !way.startsWith('..') && resolve(folder, way) === inner;
  };
  try {
    return isBelow(resolve(home), path) && isBelow(realpathSync(home), realpathSync(path));
  } catch {
    return false;
  }
}
