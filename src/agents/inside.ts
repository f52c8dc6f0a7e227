import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from './folders.ts';
import type { Root } from './source.ts';

/**
 * An agent's own roots, and after them those that lie inside folders where agents worked: of that name, and holding one
 * of the folders that histories have. What is one of its own, by whatever path, is none of these.
 */
export function withInside(
  own: readonly Root[],
  projects: readonly string[],
  name: string,
  holds: readonly string[],
): Root[] {
  const found = new Map<string, Root>();
  let real: Set<string | undefined> | undefined;
  for (const inside of projects) {
    const path = join(inside, name);
    if (found.has(path) || !holds.some((folder) => existsSync(join(path, folder)))) continue;
    real ??= new Set(own.map((root) => realPath(root.path)));
    if (!real.has(realPath(path))) found.set(path, { path, layout: 'home', inside });
  }
  return [...own, ...found.values()];
}
