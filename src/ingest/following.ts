import { SOURCES } from '../agents/registry.ts';
import type { Environment } from '../agents/source.ts';
import type { Home } from '../home/paths.ts';
import { type FolderEvents, watchFile, watchTree } from './changes/folder-events.ts';
import { refresh } from './refresh.ts';

/** Events that come within this are followed together: a line comes in several, and an answer in many lines. */
const TOGETHER_MS = 100;
/** How long what was written may be looked at and read at a time. */
const BUDGET_MS = 200;

/** Follows what is written while somebody looks. Nothing is polled: idle costs nothing. */
export interface Following {
  close(): void;
}

/**
 * Reads what agents write as they write it, as far as no other Portolan does, and tells when the index may have changed,
 * whoever changed it. The lease is held only while something is read. What cannot be watched is not followed.
 */
export function follow(home: Home, env: Environment, changed: () => void): Following {
  const written = new Set<string>();
  let running: Promise<unknown> = Promise.resolve();
  const read = together(() => {
    running = running.then(async () => {
      const paths = [...written];
      written.clear();
      await refresh(home, env, BUDGET_MS, paths);
    });
    // The next answer looks for itself, and says what it meets.
    running = running.catch(() => {});
  });
  const failed = () => {};
  const ofAgents = {
    changed(path: string) {
      written.add(path);
      read.soon();
    },
    failed,
  };
  const tell = together(changed);
  const events: FolderEvents[] = [watchTree(home.index, { changed: tell.soon, failed })];
  for (const source of SOURCES)
    for (const root of source.roots(env)) {
      const { folders, files } = source.places?.(root) ?? { folders: [root.path], files: [] };
      for (const folder of folders) events.push(watchTree(folder, ofAgents));
      for (const file of files) events.push(watchFile(file, ofAgents));
    }
  return {
    close() {
      for (const one of [...events, read, tell]) one.close();
    },
  };
}

/** Does something once for all that happens within a while. */
function together(work: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined;
        work();
      }, TOGETHER_MS);
    },
    close: () => clearTimeout(timer),
  };
}
