import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import type { Unit } from './source.ts';

/** What lies in a folder; nothing where it is none or may not be entered. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The file at a path as a unit, if there is one. */
export function fileUnit(unit: Pick<Unit, 'source' | 'path' | 'layout' | 'format' | 'isOneSession'>): Unit | undefined {
  const stat = statOf(unit.path);
  if (!stat?.isFile()) return undefined;
  const [size, modified] = [stat.size, Math.floor(stat.mtimeMs)];
  return { ...unit, size, modified, identity: `${stat.dev}:${stat.ino}` };
}

export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A link that leads to itself, a folder that may not be entered.
    return undefined;
  }
}
