import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../../src/home/paths.ts';
import { currentGeneration } from '../../src/store/generations.ts';
import type { Chance } from './chance.ts';

const PAGE = 4096;

/** Something that may happen to a file: a bad disk, a broken synchronisation, a program gone wild. */
interface Misfortune {
  readonly name: string;
  happen(path: string, chance: Chance, home: Home): void;
}

function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

const randomBytes = (n: number, chance: Chance) => Buffer.from(Array.from({ length: n }, () => chance.below(256)));
const pagesOf = (path: string) => Math.max(1, Math.ceil(statSync(path).size / PAGE));

const MISFORTUNES: readonly Misfortune[] = [
  {
    name: 'bytes flipped',
    happen(path, chance) {
      const bytes = readFileSync(path);
      for (let n = 1 + chance.below(20); n > 0 && bytes.length > 0; n--)
        bytes[chance.below(bytes.length)]! ^= 1 << chance.below(8);
      writeFileSync(path, bytes);
    },
  },
  {
    name: 'a stretch overwritten',
    happen(path, chance) {
      const { size } = statSync(path);
      if (size > 0) overwrite(path, chance.below(size), randomBytes(1 + chance.below(600), chance));
    },
  },
  {
    name: 'pages zeroed',
    happen(path, chance) {
      for (let n = 1 + chance.below(6); n > 0; n--)
        overwrite(path, chance.below(pagesOf(path)) * PAGE, Buffer.alloc(PAGE));
    },
  },
  {
    name: 'pages of garbage',
    happen(path, chance) {
      for (let n = 1 + chance.below(4); n > 0; n--)
        overwrite(path, chance.below(pagesOf(path)) * PAGE, randomBytes(PAGE, chance));
    },
  },
  {
    name: 'two pages swapped',
    happen(path, chance) {
      const bytes = readFileSync(path);
      const [a, b] = [chance.below(pagesOf(path)) * PAGE, chance.below(pagesOf(path)) * PAGE];
      const page = Buffer.from(bytes.subarray(a, a + PAGE));
      bytes.copy(bytes, a, b, b + PAGE);
      page.copy(bytes, b);
      writeFileSync(path, bytes);
    },
  },
  {
    name: 'its head overwritten',
    happen: (path, chance) => overwrite(path, 0, randomBytes(16 + chance.below(2 * PAGE), chance)),
  },
  {
    name: 'truncated',
    happen: (path, chance) => truncateSync(path, chance.below(Math.max(1, statSync(path).size))),
  },
  {
    name: 'garbage appended',
    happen: (path, chance) => appendFileSync(path, randomBytes(1 + chance.below(3 * PAGE), chance)),
  },
  { name: 'emptied', happen: (path) => writeFileSync(path, '') },
  { name: 'deleted', happen: (path) => rmSync(path) },
  { name: 'made garbage', happen: (path, chance) => writeFileSync(path, randomBytes(20_000, chance)) },
  {
    name: 'swapped with another file',
    happen(path, chance, home) {
      const others = [home.archive, home.lock, currentGeneration(home.index)].filter(
        (other): other is string => other !== undefined && other !== path && existsSync(other),
      );
      copyFileSync(chance.of(others), path);
    },
  },
];

const LOG_MISFORTUNES: readonly Misfortune[] = MISFORTUNES.filter(({ name }) =>
  ['bytes flipped', 'truncated', 'emptied', 'deleted', 'made garbage', 'garbage appended'].includes(name),
);

/** Damages one file of a home; gives what happened to which. */
export function ruin(home: Home, chance: Chance): string {
  const index = currentGeneration(home.index)!;
  const log = `${home.archive}-wal`;
  const hasLog = existsSync(log) && statSync(log).size > 0;
  // The archive is what cannot be made again.
  const path = chance.of([home.archive, home.archive, home.archive, hasLog ? log : home.archive, home.lock, index]);
  if (!existsSync(path)) writeFileSync(path, '');
  const misfortune = chance.of(path === log ? LOG_MISFORTUNES : MISFORTUNES);
  misfortune.happen(path, chance, home);
  return `${path.slice(home.path.length + 1)}: ${misfortune.name}`;
}

/** A copy of a home, also of one that is open: its log with it. */
export function copyHome(from: Home, to: Home): void {
  for (const name of readdirSync(from.path, { recursive: true, encoding: 'utf8' })) {
    const path = join(from.path, name);
    if (statSync(path).isFile() && !name.endsWith('-shm')) copyFileSync(path, join(to.path, name));
  }
}
