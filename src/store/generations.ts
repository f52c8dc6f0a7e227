import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The path of the index in use, or undefined where there is none yet. */
export function currentGeneration(folder: string): string | undefined {
  try {
    const path = join(folder, readFileSync(join(folder, 'CURRENT'), 'utf8').trim());
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Leaves the generation in use: the next writer makes another. */
export function forgetGeneration(folder: string): void {
  rmSync(join(folder, 'CURRENT'), { force: true });
}

/** The path of a generation that is not there yet. */
export function nextGeneration(folder: string): string {
  const numbers = readdirSync(folder)
    .flatMap((name) => /^gen-(\d+)\.db/.exec(name)?.[1] ?? [])
    .map(Number);
  return join(folder, `gen-${Math.max(0, ...numbers) + 1}.db`);
}

/** Puts a generation into use, at once and whole, and removes the others. */
export function useGeneration(folder: string, path: string): void {
  const name = path.slice(folder.length + 1);
  writeFileSync(join(folder, 'CURRENT.new'), `${name}\n`, { mode: 0o600 });
  renameSync(join(folder, 'CURRENT.new'), join(folder, 'CURRENT'));
  for (const other of readdirSync(folder))
    if (/^gen-\d+\.db(-wal|-shm)?$/.test(other) && !other.startsWith(`${name}`))
      rmSync(join(folder, other), { force: true });
}
