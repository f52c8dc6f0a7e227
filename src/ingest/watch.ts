import { SOURCES } from '../agents/registry.ts';
import type { Environment, Root, Source } from '../agents/source.ts';
import { type FolderEvents, watchFile, watchTree } from './changes/folder-events.ts';
import { type Change, type Followed, ingest, ingestChanges } from './run.ts';
import type { WritableStores } from './writable-stores.ts';

/** Events that come within this are read together: a writer's line comes in several. */
const TOGETHER_MS = 10;
/** Where nothing happens for so long, what was left for later is done. */
const REST_MS = 2000;

export interface WatchHandlers {
  /** A batch of changes was read and is searchable. */
  followed(changes: readonly Change[], what: Followed): void;
  /** Something cannot be watched or read; the rest goes on. */
  failed(path: string, reason: string): void;
}

/** Follows the agents' histories as they are written. */
export interface Watching {
  /** Resolves when all that happened until now was read. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Reads what is new, then follows the system's events: each appended line is read when it is written. Idle costs nothing. */
export async function watchHistories(
  stores: WritableStores,
  env: Environment,
  handlers: WatchHandlers,
): Promise<Watching> {
  const watching = new Follower(stores, env, handlers);
  // Watched first, read then: what is written meanwhile is seen twice rather than never.
  for (const source of SOURCES) for (const root of source.roots(env)) watching.add(source, root);
  await ingest(stores, env);
  return watching;
}

class Follower implements Watching {
  private readonly stores: WritableStores;
  private readonly env: Environment;
  private readonly handlers: WatchHandlers;
  private readonly events: FolderEvents[] = [];
  private readonly waiting = new Map<string, Change>();
  private running: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private restTimer: NodeJS.Timeout | undefined;

  constructor(stores: WritableStores, env: Environment, handlers: WatchHandlers) {
    this.stores = stores;
    this.env = env;
    this.handlers = handlers;
  }

  add(source: Source, root: Root): void {
    const { folders, files } = source.places?.(root) ?? { folders: [root.path], files: [] };
    const handlers = {
      changed: (path: string) => this.note({ source, root, path }),
      failed: (path: string, reason: string) => this.handlers.failed(path, reason),
    };
    for (const folder of folders) this.events.push(watchTree(folder, handlers));
    for (const file of files) this.events.push(watchFile(file, handlers));
  }

  private note(change: Change): void {
    this.waiting.set(`${change.source.id}\0${change.path}`, change);
    this.timer ??= setTimeout(() => this.follow(), TOGETHER_MS);
  }

  private follow(): void {
    this.timer = undefined;
    this.running = this.running.then(() => this.read());
  }

  private async read(): Promise<void> {
    const changes = [...this.waiting.values()];
    this.waiting.clear();
    if (changes.length === 0) return;
    this.restAfter(REST_MS);
    try {
      this.handlers.followed(changes, await ingestChanges(this.stores, this.env, changes));
    } catch (error) {
      this.handlers.failed(changes[0]!.path, error instanceof Error ? error.message : String(error));
    }
  }

  /** Does what was left for later a little at a time, as long as nothing happens; then nothing is done any more. */
  private restAfter(ms: number): void {
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => {
      this.running = this.running.then(() => {
        const isQuiet = this.timer === undefined && this.waiting.size === 0;
        if (isQuiet && this.stores.rest()) this.restAfter(0);
      });
    }, ms);
  }

  async settled(): Promise<void> {
    while (this.timer !== undefined || this.waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
      await this.running;
    }
    await this.running;
  }

  async close(): Promise<void> {
    for (const events of this.events) events.close();
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
    clearTimeout(this.restTimer);
    await this.read();
    this.stores.finish();
  }
}
