import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of the running test's own, removed when the test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file, with the folders above it; gives its path. */
export function writeAt(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** The paths of all files below a folder, links not followed. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** What a folder holds: of every file and folder below it the name, kind, mode, times and content. */
export function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mode, mtimeMs, ino } = lstatSync(path);
      const content = entry.isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : entry.isSymbolicLink()
          ? readlinkSync(path)
          : 'folder';
      return [relative(folder, path), mode.toString(8), mtimeMs, ino, content].join(' ');
    })
    .sort();
}
