import { inspect } from '../archive/inspect.ts';
import { Damage } from '../store/damage.ts';
import type { WritableStores } from './writable-stores.ts';

/**
 * Looks at all of an archive that is not as its last writer left it: it was copied, restored, changed from outside, its writer
 * was killed, or somebody met a damage. Sessions of which a part is damaged are read again from their files, where those are there.
 * @throws Damage where reading again is not enough
 */
export function mend({ archive, keeper, archiveSeal, begin, commit }: WritableStores): void {
  if (archiveSeal.isWhole) return;
  const { sessions, rows } = inspect(archive.db);
  if (rows.size > 0)
    throw new Damage(
      archive.db.path,
      `not as they were written: ${[...rows].map(([table, n]) => `${n} of ${table}`).join(', ')}`,
    );
  const units = new Set([...sessions.keys()].flatMap((session) => archive.session(session)?.unit ?? []));
  if (units.size > 0) {
    begin();
    for (const unit of units) keeper.readAgain(unit);
    commit();
  }
  archiveSeal.trust();
}
