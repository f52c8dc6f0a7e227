import { join } from 'node:path';
import { entriesOf, statOf } from '../folders.ts';
import type { Encounters } from '../source.ts';

export type DatabaseName = 'state' | 'memories' | 'goals';

/**
 * A home's database of a name, like `state_5.sqlite`: the number rises with versions. The desktop program keeps them in
 * a folder of their own. Of two with one number the one written last is the one in use.
 */
export function newestDatabase(home: string, name: DatabaseName, met?: Encounters): string | undefined {
  let newest: { number: number; modified: number; path: string } | undefined;
  for (const folder of [home, join(home, FOLDER)])
    for (const entry of entriesOf(folder, met)) {
      const found = NAME.exec(entry.name);
      if (found?.[1] !== name) continue;
      const path = join(folder, entry.name);
      const one = { number: Number(found[2]), modified: statOf(path)?.mtimeMs ?? 0, path };
      const isNewer =
        !newest || one.number > newest.number || (one.number === newest.number && one.modified > newest.modified);
      if (isNewer) newest = one;
    }
  return newest?.path;
}

/** Whether a path below a home is one of its databases, or the log beside it: the database's own path. */
export function databaseOf(path: string): { readonly name: DatabaseName; readonly path: string } | undefined {
  const plain = path.replace(/-wal$/, '');
  const name = NAME.exec(plain.split(/[/\\]/).at(-1) ?? '')?.[1];
  return name === 'memories' || name === 'goals' || name === 'state' ? { name, path: plain } : undefined;
}

const FOLDER = 'sqlite';
const NAME = /^(state|memories|goals)_(\d{1,9})\.sqlite$/;
