import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import type { Home } from './paths.ts';

/** What other versions compiled is kept so long: an agent may go on starting an older one. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * Lets Node keep what it compiles of the code that is loaded from here on, for the next start to take from there. Compiled
 * code is run as it is, so it is kept only in a home that nobody but its owner can write; and where something was indexed, for
 * a program that is only looked at leaves nothing behind.
 */
export function keepCompiledCode(home: Home, version: string): void {
  const folder = join(home.code, version);
  try {
    if (!existsSync(home.archive) || !isOwnersAlone(home.path)) return;
    if (!existsSync(folder)) makeFolder(folder);
    enableCompileCache(folder);
  } catch {
    // Nothing may be written: the code is compiled, as ever.
  }
}

function isOwnersAlone(path: string): boolean {
  const { uid, mode } = statSync(path);
  // Where there are no such rights, the folder lies in the user's own.
  if (process.getuid === undefined) return true;
  return uid === process.getuid() && (mode & 0o022) === 0;
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const versions = dirname(folder);
  for (const name of readdirSync(versions)) {
    const path = join(versions, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
