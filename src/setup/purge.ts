import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Home } from '../home/paths.ts';
import { Busy, takeLease } from '../store/lease.ts';
import { isMissing, removeEmpty } from './files.ts';

/** Everything that Portolan makes in its home, so exactly that a home inside somebody's own folder costs them nothing. */
const OURS = [
  /^archive(?:\.new|\.damaged-[\dT-]+)?\.db(?:-wal|-shm)?$/,
  /^SEAL$/,
  /^index\/(?:gen-\d+\.db(?:-wal|-shm)?|CURRENT(?:\.new)?|SEAL)$/,
  /^lock\.db(?:-journal)?$/,
  /^config\.json(?:\.new)?$/,
  /^notes\.jsonl(?:\.new)?$/,
  /^portolan\.log(?:\.1)?$/,
  /^events\/\d{4}-\d{2}\.jsonl$/,
  /^telemetry\/(?:served|access)\.jsonl$/,
  /^setup\/(?:record\.json|.+\.backup)$/,
  /^code\/\d+\.\d+\.\d+[^/]*$/,
  /^bin\/(?:node-)?\d+\.\d+\.\d+[^/]*$/,
];
const FOLDERS = ['index', 'events', 'telemetry', 'setup', 'code', 'bin'];
/** The sample's own home. */
const DEMO = 'demo';

/** What deleting everything would delete, and what lies there besides. */
export interface Purge {
  readonly paths: readonly string[];
  readonly bytes: number;
  readonly others: readonly string[];
  /** @throws Busy where another process writes */
  apply(): void;
}

export function planPurge(home: Home): Purge {
  const names = namesIn(home.path).flatMap((name) =>
    FOLDERS.includes(name) ? namesIn(join(home.path, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  const isDemo = (name: string) => name === DEMO && existsSync(join(home.path, DEMO, basename(home.archive)));
  const ours = names.filter((name) => OURS.some((pattern) => pattern.test(name)) || isDemo(name));
  const paths = ours.map((name) => join(home.path, name));
  return {
    paths,
    bytes: paths.reduce((sum, path) => sum + sizeOf(path), 0),
    others: names.filter((name) => !ours.includes(name)).map((name) => join(home.path, name)),
    apply() {
      if (paths.length === 0) return;
      const lease = takeLease(home.lock);
      if (!lease) throw new Busy();
      lease.release();
      for (const path of [...paths, home.lock]) rmSync(path, { recursive: true, force: true });
      for (const folder of [...FOLDERS.map((name) => join(home.path, name)), home.path]) removeEmpty(folder);
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
