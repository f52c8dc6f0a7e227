import { userHome } from '../../agents/environment.ts';
import type { Archive } from '../../archive/archive.ts';
import { ARCHIVE_VERSION } from '../../archive/schema.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { Places } from '../../catalog/places.ts';
import { CATALOG_VERSION } from '../../catalog/schema.ts';
import { readConfig } from '../../home/config.ts';
import type { Home } from '../../home/paths.ts';
import { type ProjectSettings, rulesMark } from '../../projects/evidence.ts';
import { redactionStamp } from '../../redact/redact.ts';
import { sealState } from '../../store/seal.ts';

interface Halves {
  readonly archive: Archive;
  readonly catalog: Catalog;
}

/** What the user has set that projects are called by. */
export function projectSettings(home: Home): ProjectSettings {
  return { aliases: readConfig(home).projects.aliases, home: userHome() };
}

/** Whether all that is kept was redacted as this process does. */
export function isClean({ archive }: Pick<Halves, 'archive'>): boolean {
  return archive.state('redactor') === redactionStamp();
}

/** Whether the archive was not cleaned since the index was made from it; while it is being cleaned, the index may stay. */
export function isAsClean({ archive, catalog }: Halves): boolean {
  const stamp = archive.state('redactor') ?? 0;
  return stamp === 0 || catalog.state('redactor') === stamp;
}

/** Whether the index holds what the archive does, with projects as the user's settings want them. */
export function isUpToDate({ archive, catalog }: Halves, settings: ProjectSettings): boolean {
  const changes = archive.changes();
  const isSame = catalog.changes() === changes && changes > 0;
  return isSame && new Places(catalog.db).rules() === rulesMark(settings);
}

/** Whether a writer that finds nothing new would have nothing to do: both halves whole, of today's versions and as one. */
export function isSettled(home: Home, halves: Halves): boolean {
  const { archive, catalog } = halves;
  const isOfToday = archive.db.version === ARCHIVE_VERSION && catalog.db.version === CATALOG_VERSION;
  const isSound = isOfToday && sealState(home.index, catalog.db.path) === 'whole';
  return isSound && isClean(halves) && isAsClean(halves) && isUpToDate(halves, projectSettings(home));
}
