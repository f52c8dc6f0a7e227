import { dirname, sep } from 'node:path';
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
 * to be tried; without it all are. Where a file lies as in the home of some agent, no other one is asked.
 */
export async function unitsAt(
  path: string,
  env: Environment,
  only: string | undefined,
  met: Encounters,
): Promise<UnitOf[]> {
  const sources = SOURCES.filter(({ id }) => only === undefined || id === only);
  if (statOf(path)?.isDirectory()) return unitsUnder(sources, (source) => rootsIn(source, path, env), path, met);
  const inHomes = await unitsUnder(sources, (source) => homesAbove(source, path, env), path, met);
  return inHomes.length > 0 ? inHomes : unitsUnder(sources, (source) => rootsAbove(source, path, env), path, met);
}

async function unitsUnder(
  sources: readonly Source[],
  rootsOf: (source: Source) => readonly Root[],
  path: string,
  met: Encounters,
): Promise<UnitOf[]> {
  const found: UnitOf[] = [];
  for (const source of sources) {
    const units = new Map<string, Unit>();
    for (const root of rootsOf(source))
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

/** The roots that the folders above a file have as homes, and the machine's own, where the file lies in them. */
function homesAbove(source: Source, file: string, env: Environment): Root[] {
  const homes = [env, ...foldersAbove(file).map((home) => ({ ...env, home, variables: {} }))];
  return homes.flatMap((home) => source.roots(home)).filter((root) => file.startsWith(root.path + sep));
}

/** Each folder above a file as each kind of root. */
function rootsAbove(source: Source, file: string, env: Environment): Root[] {
  return foldersAbove(file).flatMap((folder) => rootsAt(source, folder, env));
}

function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); folders.length < DEEPEST; folder = dirname(folder)) {
    folders.push(folder);
    if (dirname(folder) === folder) break;
  }
  return folders;
}

function rootsAt(source: Source, path: string, env: Environment): Root[] {
  const layouts = new Set(source.roots(env).map(({ layout }) => layout));
  return [...layouts].map((layout) => ({ path, layout }));
}
