import { dirname } from 'node:path';
import { isBelow, realPath, statOf, whyUnread } from '../../agents/folders.ts';
import { inTime } from '../../agents/in-time.ts';
import type { Encounters, Environment, Failure, Root, Source, Unit } from '../../agents/source.ts';
import { keptPath } from '../reading/protect.ts';
import { eachFileOnce } from './known-units.ts';

/** The units of a source on this machine, and what was met on the way to them. */
export interface Listed {
  /** Each file once. */
  readonly units: readonly Unit[];
  /** What is there and could not be looked into: folders, and files in them. */
  readonly unreadable: readonly Failure[];
  /** Links that lead out of the agent's own home: they were not followed. */
  readonly leadOut: readonly string[];
  /** The folders that were listed, and when something last came or went in them. */
  readonly folders: ReadonlyMap<string, number>;
}

/** A folder that changed so shortly before it was listed may change again within the same tick of the file system's clock. */
const SETTLED_MS = 1000;

/** Lists a source. What cannot be listed is told, and hides nothing of the rest. */
export async function listUnits(source: Source, env: Environment): Promise<Listed> {
  const units: Unit[] = [];
  const unreadable = new Map<string, Failure>();
  const leadOut = new Set<string>();
  const folders = new Map<string, number>();
  const now = Date.now();
  const met = {
    unreadable: (path: string, reason: string) => void unreadable.set(path, { path: keptPath(path), reason }),
    leadsOut: (link: string) => void leadOut.add(keptPath(link)),
    listed(folder: string) {
      const modified = Math.floor(statOf(folder)?.mtimeMs ?? 0);
      folders.set(folder, now - modified < SETTLED_MS ? modified - 1 : modified);
    },
  };
  for (const root of rootsOf(source, env, met)) {
    try {
      for await (const unit of inTime(source.units(root, met))) units.push(...(await withRows(source, unit, met)));
    } catch (error) {
      met.unreadable(root.path, whyUnread(error));
    }
  }
  return { units: eachFileOnce(units), unreadable: [...unreadable.values()], leadOut: [...leadOut], folders };
}

function rootsOf(source: Source, env: Environment, met: Encounters): Root[] {
  try {
    return source.roots(env);
  } catch (error) {
    met.unreadable?.(env.home, whyUnread(error));
    return [];
  }
}

/** A unit, and the rows of one that is a listing; nothing of a listing that cannot be told now. */
export async function withRows(source: Source, unit: Unit, met: Encounters = {}): Promise<Unit[]> {
  if (unit.format !== 'listing') return [unit];
  const rows: Unit[] = [];
  try {
    for await (const row of inTime(source.rows?.(unit) ?? [])) rows.push(row);
  } catch (error) {
    met.unreadable?.(unit.path, whyUnread(error));
    return [];
  }
  return [...rows, unit];
}

/** Whether a path of a root is the agent's own: no link on the way to it leads out of the root, or of a folder that it has in it. */
export function isOwn(source: Source, root: Root, path: string): boolean {
  const real = realPath(path) ?? realPath(dirname(path));
  if (real === undefined) return true;
  const own = [root.path, ...(source.places?.(root).folders ?? [])];
  return own.some((folder) => isBelow(realPath(folder) ?? folder, real));
}
