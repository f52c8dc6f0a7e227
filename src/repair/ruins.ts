import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Home } from '../home/paths.ts';

/** What an archive that was repaired is called from then on. */
export function ruinName(now: Date): string {
  return `archive.damaged-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.db`;
}

const RUIN = /^archive\.damaged-[\dT-]+\.db(?:-wal)?$/;

/** The damaged archives that repairs have kept, with their logs. */
export function ruinsIn(home: Home): string[] {
  const folder = dirname(home.archive);
  return readdirSync(folder)
    .filter((name) => RUIN.test(name))
    .map((name) => join(folder, name));
}

/** Deletes them: what is forgotten may still stand in them. */
export function removeRuins(home: Home): void {
  for (const path of ruinsIn(home)) rmSync(path, { force: true });
}
