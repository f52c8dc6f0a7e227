import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { SOURCES } from '../../agents/registry.ts';
import type { Environment } from '../../agents/source.ts';
import type { UnitRow } from '../../archive/rows.ts';
import type { Keep } from '../../home/settings.ts';
import { Copies } from '../copies/copies.ts';
import type { WritableStores } from '../writable-stores.ts';

const DAY_MS = 86_400_000;

/**
 * Drops what the agents deleted longer ago than the user wants it kept; gives the number of sessions. A history that is
 * away as a whole (a disk that is not mounted) was not deleted: nothing of it is dropped.
 */
export function expire(stores: WritableStores, env: Environment, keep: Keep, now: number): number {
  if (keep === 'forever') return 0;
  const before = keep === 'as the agent' ? now : now - keep.days * DAY_MS;
  const roots = SOURCES.flatMap((source) => source.roots(env).map(({ path }) => ({ source: source.id, path })));
  const isThere = ({ source, path }: UnitRow) =>
    roots.some((root) => root.source === source && path.startsWith(root.path + sep) && existsSync(root.path));
  const over = stores.archive.unitsGoneBefore(before).filter(isThere);
  const copies = new Copies(stores.archive, stores.keeper, stores.deriver);
  if (over.length === 0 && !copies.haveSuperseded(before)) return 0;
  let sessions = 0;
  stores.begin();
  copies.dropSuperseded(before);
  for (const unit of over) {
    for (const { id } of stores.archive.sessionsOfUnit(unit.id)) {
      copies.drop(id);
      sessions++;
    }
    stores.keeper.dropUnit(unit.id);
  }
  stores.deriver.projects.forgetFolders();
  stores.commit();
  return sessions;
}
