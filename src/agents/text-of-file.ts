import { closeSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The beginning of a file that really lies in a folder, at most so many bytes; undefined where there is none. */
export function textOfFile(path: string, folder: string, most: number): string | undefined {
  try {
    // A link may lead out of the folder: only what really lies in it is the session's.
    if (lstatSync(folder).isSymbolicLink() || dirname(realpathSync(path)) !== realpathSync(folder)) return undefined;
    const stat = statSync(path);
    if (!stat.isFile()) return undefined;
    const size = Math.min(stat.size, most);
    const bytes = Buffer.allocUnsafe(size);
    const file = openSync(path, 'r');
    try {
      return bytes.subarray(0, readSync(file, bytes, 0, size, 0)).toString('utf8');
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
