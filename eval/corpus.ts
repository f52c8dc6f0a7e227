import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { openForReading } from '../src/holdings/opening.ts';
import type { Stores } from '../src/holdings/stores.ts';
import { homeOf } from '../src/home/paths.ts';
import { ingest } from '../src/ingest/run.ts';
import { openForWriting } from '../src/ingest/writable-stores.ts';

/** Second homes of a machine, and copies of a database with its rows in a log: their sessions are in the first. */
const SECOND = /-(?:wal|b|c)$/;

/** The homes of the corpus: recorded histories, anonymous or readable, and those of programs that we ran. */
export function homesOf(corpus: string): string[] {
  const below = (name: string, pick: (folder: string) => boolean, tail = '') =>
    existsSync(join(corpus, name))
      ? readdirSync(join(corpus, name))
          .sort()
          .filter(pick)
          .map((folder) => join(corpus, name, folder, tail))
          .filter((path) => existsSync(path) && statSync(path).isDirectory())
      : [];
  return [
    ...below('homes', (folder) => !SECOND.test(folder)),
    // A collection of single files, not laid out as a home.
    ...below('natural', (folder) => folder !== 'git-ai'),
    ...below('live', () => true, 'home'),
  ];
}

/** Copies homes into one, files with their times; what two have under one name is the first one's. */
export function mergeHomes(homes: readonly string[], target: string): void {
  for (const home of homes) {
    for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const from = join(entry.parentPath, entry.name);
      const to = join(target, relative(home, from));
      if (existsSync(to)) continue;
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(from, to);
      chmodSync(to, 0o600);
      const { atime, mtime } = statSync(from);
      utimesSync(to, atime, mtime);
    }
  }
}

/** Indexes a copy of some homes below a folder and opens what came of it for reading. */
export async function indexHomes(homes: readonly string[], folder: string): Promise<Stores> {
  const user = join(folder, 'user');
  mergeHomes(homes, user);
  const home = homeOf({ PORTOLAN_HOME: join(folder, 'portolan') });
  const writable = openForWriting(home);
  if (!writable) throw new Error(`another process writes in ${home.path}`);
  try {
    await ingest(writable, { home: user, platform: 'linux', variables: {}, projects: [] });
  } finally {
    writable.close();
  }
  const stores = openForReading(home);
  if (!stores) throw new Error(`nothing was indexed in ${home.path}`);
  return stores;
}
