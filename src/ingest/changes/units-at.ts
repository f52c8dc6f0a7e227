import { dirname } from 'node:path';
import { statOf } from '../../agents/folders.ts';
import { SOURCES } from '../../agents/registry.ts';
import type { Encounters, Environment, Root, Source, Unit } from '../../agents/source.ts';
import { withRows } from './listing.ts';

/** A unit, and the source that reads it. */
export interface UnitOf {
  readonly source: Source;
  readonly unit: Unit;
}

/** A file lies no deeper in its agent's home. */
const DEEPEST = 12;

/**
 * The units that a file is, or that lie in a folder: a user's home, or an agent's own folder. `only` is the id of the source
 * to be tried; without it all are.
 */
export async function unitsAt(
  path: string,
  env: Environment,
  only: string | undefined,
  met: Encounters,
): Promise<UnitOf[]> {
  const sources = SOURCES.filter(({ id }) => only === undefined || id === only);
  const found: UnitOf[] = [];
  for (const source of sources) {
    const roots = statOf(path)?.isDirectory() ? rootsIn(source, path, env) : rootsAbove(source, path, env);
    const units = new Map<string, Unit>();
    for (const root of roots)
      for (const unit of await unitsOf(source, root, path, met)) if (!units.has(unit.path)) units.set(unit.path, unit);
    found.push(...[...units.values()].map((unit) => ({ source, unit })));
  }
  return found;
}

async function unitsOf(source: Source, root: Root, path: string, met: Encounters): Promise<Unit[]> {
  if (!statOf(path)?.isDirectory()) {
    const unit = source.unitAt?.(root, path);
    return unit ? withRows(source, unit, met) : [];
  }
  const units: Unit[] = [];
  for await (const unit of source.units(root, met)) units.push(...(await withRows(source, unit, met)));
  return units;
}

/** The roots that a folder has as a home, and the folder as each kind of root. */
function rootsIn(source: Source, folder: string, env: Environment): Root[] {
  return [...source.roots({ ...env, home: folder, variables: {} }), ...rootsAt(source, folder, env)];
}

/** Each folder above a file as each kind of root. */
function rootsAbove(source: Source, file: string, env: Environment): Root[] {
  const roots: Root[] = [];
  let folder = dirname(file);
  for (let depth = 0; depth < DEEPEST; depth++) {
    roots.push(...rootsAt(source, folder, env));
    if (dirname(folder) === folder) break;
    folder = dirname(folder);
  }
  return roots;
}

function rootsAt(source: Source, path: string, env: Environment): Root[] {
  const layouts = new Set(source.roots(env).map(({ layout }) => layout));
  return [...layouts].map((layout) => ({ path, layout }));
}
