import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Encounters, Unit } from './source.ts';

/** What lies in a folder; nothing where there is none. One that may not be entered is told of, and is as if empty. */
export function entriesOf(folder: string, met: Encounters = {}): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    tell(folder, error, met);
    return [];
  }
}

/** The file at a path as a unit, if there is one. */
export function fileUnit(
  unit: Pick<Unit, 'source' | 'path' | 'layout' | 'format' | 'isOneSession'>,
  met: Encounters = {},
): Unit | undefined {
  const stat = statOf(unit.path, met);
  if (!stat?.isFile()) return undefined;
  const [size, modified] = [stat.size, Math.floor(stat.mtimeMs)];
  return { ...unit, size, modified, identity: `${stat.dev}:${stat.ino}` };
}

/** A log with another file beside it that tells of the same session: what changed last of both is its mark. */
export function fileUnitWith(
  beside: string,
  unit: Parameters<typeof fileUnit>[0],
  met: Encounters = {},
): Unit | undefined {
  const found = fileUnit(unit, met);
  const modified = Math.max(found?.modified ?? 0, Math.floor(statOf(beside)?.mtimeMs ?? 0));
  return found && { ...found, modified, isToldBeside: true };
}

/** A database of sessions as a listing; the log beside it is part of its mark. */
export function databaseUnit(
  { source, path, layout }: Pick<Unit, 'source' | 'path' | 'layout'>,
  met: Encounters = {},
): Unit | undefined {
  const unit = fileUnit({ source, path, layout, format: 'listing' }, met);
  const log = unit && statOf(`${path}-wal`);
  if (!unit || !log) return unit;
  return { ...unit, size: unit.size + log.size, modified: Math.max(unit.modified, Math.floor(log.mtimeMs)) };
}

/** What is known of the file or folder at a path; undefined where there is none, or none that may be looked at. */
export function statOf(path: string, met: Encounters = {}): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    tell(path, error, met);
    return undefined;
  }
}

export interface Walk {
  /** Folders that lie in one another, the first included. */
  readonly depth?: number;
  /** Whether a folder of that name is not entered. */
  readonly passes?: (name: string) => boolean;
}

/**
 * The files below a folder of an agent's home. A link is followed where it leads to something in the home, or in the
 * folder, wherever that lies: what a link leads to elsewhere is no history of the agent's. Each folder is entered once.
 */
export function* filesBelow(folder: string, home: string, walk: Walk, met: Encounters = {}): Generator<string> {
  const real = realPath(folder);
  if (real === undefined) {
    // Tells why, where it is not that there is none.
    entriesOf(folder, met);
    return;
  }
  const own = [real, realPath(home) ?? home];
  yield* below(folder, real, walk.depth ?? Number.POSITIVE_INFINITY, { walk, own, met, linked: new Set() });
}

interface Walking {
  readonly walk: Walk;
  /** Where links may lead. */
  readonly own: readonly string[];
  readonly met: Encounters;
  /** Folders that links led to. */
  readonly linked: Set<string>;
}

/** `real` is the folder's path without links. */
function* below(folder: string, real: string, depth: number, walking: Walking): Generator<string> {
  const { walk, own, met, linked } = walking;
  met.listed?.(folder);
  for (const entry of entriesOf(folder, met)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth > 1 && !walk.passes?.(entry.name)) yield* below(path, join(real, entry.name), depth - 1, walking);
      continue;
    }
    if (!entry.isSymbolicLink()) {
      yield path;
      continue;
    }
    const target = realPath(path);
    if (target === undefined) continue;
    const isFolder = statOf(path)?.isDirectory() === true;
    if (isFolder && (depth <= 1 || walk.passes?.(entry.name))) continue;
    if (!own.some((at) => isBelow(at, target))) met.leadsOut?.(path);
    else if (!isFolder) yield path;
    else if (!linked.has(target) && !isBelow(target, real)) {
      linked.add(target);
      yield* below(path, target, depth - 1, walking);
    }
  }
}

/** Whether a path is a folder, or lies below it. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** A path without the links that lead there; undefined where there is nothing. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Codes of errors by which the system says that there is nothing. */
const NOTHING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
const FORBIDDEN: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM']);

/** Why something could not be read, in words for people. */
export function whyUnread(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && FORBIDDEN.has(error.code) ? 'permission denied' : error.message;
}

/** Tells of what is there and cannot be read: where a folder above it may not be entered, that one. */
function tell(path: string, error: unknown, met: Encounters): void {
  if (!met.unreadable || (error instanceof Error && 'code' in error && NOTHING.has(error.code))) return;
  let at = path;
  while (dirname(at) !== at && !canBeSeen(at)) at = dirname(at);
  met.unreadable(at, whyUnread(error));
}

function canBeSeen(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
}
