import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The content of a file, or undefined where there is none. @throws where it cannot be read */
export function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Writes a file at once and whole. A file that was there keeps its mode; where it is a link, what it points to is
 * replaced and the link stays. A new one is its owner's alone.
 */
export function writeWhole(path: string, content: Buffer | string, newMode = 0o600): void {
  const place = targetOf(path);
  const mode = modeOf(place) ?? newMode;
  mkdirSync(dirname(place), { recursive: true });
  const beside = join(dirname(place), `.${basename(place)}.portolan-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    writeFileSync(beside, content, { mode, flag: 'wx' });
    // What umask took away.
    chmodSync(beside, mode);
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

export function modeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && stats.mode & 0o7777;
}

function targetOf(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  return realpathSync(path);
}

/** Removes a folder in which nothing is left. */
export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Others keep something in it, or it is gone.
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
