import { resolve } from 'node:path';
import { text } from '../fields.ts';
import { isBelow, realPath } from '../folders.ts';
import { askForeignDatabase, markOf } from '../foreign-database.ts';
import { plainPath } from '../plain-path.ts';
import type { Encounters } from '../source.ts';
import { newestDatabase } from './databases.ts';

const known = new Map<string, { readonly mark: string; readonly paths: readonly string[] }>();

/**
 * Rollouts that Codex's own catalogue knows in other folders of a home than those that are scanned. What it says is
 * never trusted: a path that leads out of the home, itself or by a link, is none, nor is one that is not there.
 */
export function cataloguedElsewhere(home: string, met?: Encounters): readonly string[] {
  const database = newestDatabase(home, 'state', met);
  if (database === undefined) return [];
  const mark = `${database} ${markOf(database)}`;
  const before = known.get(home);
  if (before?.mark === mark) return before.paths;
  const paths = askForeignDatabase(database, (rows) => rows(ELSEWHERE).flatMap((row) => text(row.rollout_path) ?? []));
  if (paths === undefined) met?.unreadable?.(database, 'it is no database that can be read');
  const inside = (paths ?? []).map((path) => resolve(home, plainPath(path))).filter((path) => isInside(home, path));
  known.set(home, { mark, paths: inside });
  return inside;
}

const ELSEWHERE = `SELECT rollout_path FROM threads
  WHERE rollout_path NOT GLOB '*[/\\]sessions[/\\]*' AND rollout_path NOT GLOB '*[/\\]archived_sessions[/\\]*'`;

function isInside(home: string, path: string): boolean {
  const [realHome, real] = [realPath(home), realPath(path)];
  return realHome !== undefined && real !== undefined && isBelow(resolve(home), path) && isBelow(realHome, real);
}
