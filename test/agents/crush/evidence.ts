import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeAt } from '../../support/folders.ts';

/** Projects in which Crush itself wrote; the second with a log that was not taken up. */
export const homes = [
  ['corpus', 'homes', 'crush'],
  ['corpus', 'homes', 'crush-wal'],
] as const;

/** The list of projects, which is Crush's own, as its newer versions write it. */
export function prepare(home: string): void {
  const projects = readdirSync(join(home, 'projects')).map((name) => ({ path: join(home, 'projects', name) }));
  writeAt(join(home, '.local/share/crush/projects.json'), JSON.stringify({ projects }));
}
