import { SOURCES } from '../agents/registry.ts';
import type { FolderLayout } from '../agents/source.ts';
import { Folders, type SeenFolder } from '../archive/folders.ts';
import { type Place, Places } from '../catalog/places.ts';
import type { Config } from '../home/config.ts';
import type { Database } from '../store/database.ts';
import { hash53 } from '../transcript/index.ts';

/** All that is known of where work was done. The same evidence gives the same projects, in whatever order it came. */
export interface Evidence {
  readonly seen: readonly SeenFolder[];
  readonly places: readonly Place[];
  readonly aliases: Config['projects']['aliases'];
  readonly layouts: readonly FolderLayout[];
  /** What `~` stands for. */
  readonly home?: string;
}

/** Folders that any agent makes for its work. */
export const LAYOUTS: readonly FolderLayout[] = SOURCES.flatMap((source) => source.folders ?? []);

/** Raised when the same evidence gives other projects than before. */
const RULES_VERSION = 1;

/** What the user has set that projects are called by. */
export type ProjectSettings = Pick<Evidence, 'aliases' | 'home'>;

/** A mark of the rules and settings by which projects are given. */
export function rulesMark(settings: ProjectSettings): number {
  return hash53(JSON.stringify([RULES_VERSION, settings, LAYOUTS]));
}

/** What is known now. `archive` and `index` are our databases. */
export function evidenceOf(
  { archive, index }: { readonly archive: Database; readonly index: Database },
  settings: ProjectSettings,
): Evidence {
  return {
    seen: new Folders(archive).seen(),
    places: new Places(index).all(),
    layouts: LAYOUTS,
    ...settings,
  };
}

export interface Project {
  /** The remote, else the folder: what stays where the name changes. */
  readonly key: string;
  readonly name: string;
}
