import { mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where Portolan keeps what is its own. */
export interface Home {
  readonly path: string;
  readonly archive: string;
  readonly index: string;
  readonly lock: string;
  readonly config: string;
  readonly notes: string;
  readonly log: string;
  /** What Node compiled of our code: derived, and made again. */
  readonly code: string;
}

/** The home that the environment names (`PORTOLAN_HOME`), else the folder where each system keeps such things. */
export function homeOf(
  variables: Readonly<Record<string, string | undefined>> = process.env,
  platform = process.platform,
): Home {
  const path = variables.PORTOLAN_HOME || defaultHome(variables, platform);
  return {
    path,
    archive: join(path, 'archive.db'),
    index: join(path, 'index'),
    lock: join(path, 'lock.db'),
    config: join(path, 'config.json'),
    notes: join(path, 'notes.jsonl'),
    log: join(path, 'portolan.log'),
    code: join(path, 'code'),
  };
}

// The launcher has the same rule, for the Node it keeps there.
function defaultHome(variables: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  const user = variables.HOME || homedir();
  if (platform === 'darwin') return join(user, 'Library', 'Application Support', 'portolan');
  if (platform === 'win32') return join(variables.LOCALAPPDATA || join(user, 'AppData', 'Local'), 'portolan');
  return join(variables.XDG_DATA_HOME || join(user, '.local', 'share'), 'portolan');
}

/** Makes the home's folders, for their owner alone. @throws where they cannot be made */
export function makeHome(home: Home): void {
  mkdirSync(home.path, { recursive: true, mode: 0o700 });
  mkdirSync(home.index, { recursive: true, mode: 0o700 });
}

/** The size of a file in bytes, 0 where there is none. */
export function sizeOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
