import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { entriesOf, statOf } from '../../agents/folders.ts';

/** Tells paths below which something happened, by the system's own events. Nothing is polled. */
export interface FolderEvents {
  close(): void;
}

export interface EventHandlers {
  /** A file or folder was made, changed, renamed or deleted. */
  changed(path: string): void;
  /** A folder cannot be watched: the system's limit is reached, or it may not be read. */
  failed(path: string, reason: string): void;
}

/** Systems whose events tell of a whole tree. Elsewhere each folder is watched. */
const WATCHES_TREES: ReadonlySet<NodeJS.Platform> = new Set(['darwin', 'win32']);

/** Watches a folder and all below it, now and later; where it is not there yet, from when it is made. */
export function watchTree(folder: string, handlers: EventHandlers, platform = process.platform): FolderEvents {
  return WATCHES_TREES.has(platform) ? new WholeTree(folder, handlers) : new TreeOfFolders(folder, handlers);
}

/** Watches one file, which may not be there yet, through its folder. */
export function watchFile(file: string, handlers: EventHandlers): FolderEvents {
  const name = basename(file);
  const folder = dirname(file);
  if (!isFolder(folder)) return new Waiting(folder, handlers, () => watchFile(file, handlers));
  return watching(folder, handlers, (changed) => {
    if (changed === name) handlers.changed(file);
  });
}

class WholeTree implements FolderEvents {
  private readonly inner: FolderEvents;

  constructor(folder: string, handlers: EventHandlers) {
    this.inner = isFolder(folder)
      ? watching(folder, handlers, (name) => handlers.changed(join(folder, name)), true)
      : new Waiting(folder, handlers, () => {
          tellAll(folder, handlers);
          return new WholeTree(folder, handlers);
        });
  }

  close(): void {
    this.inner.close();
  }
}

class TreeOfFolders implements FolderEvents {
  private readonly folders = new Map<string, FolderEvents>();
  private readonly handlers: EventHandlers;

  constructor(folder: string, handlers: EventHandlers) {
    this.handlers = handlers;
    if (isFolder(folder)) this.add(folder, false);
    else
      this.folders.set(
        folder,
        new Waiting(folder, handlers, () => {
          this.add(folder, true);
          return { close() {} };
        }),
      );
  }

  /** Watches a folder and those in it. What lies in a folder that was just made may have come before the watching. */
  private add(folder: string, isNew: boolean): void {
    this.folders.get(folder)?.close();
    this.folders.set(
      folder,
      watching(folder, this.handlers, (name) => this.happened(join(folder, name))),
    );
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) this.add(path, isNew);
      else if (isNew) this.handlers.changed(path);
    }
  }

  private happened(path: string): void {
    if (isFolder(path)) {
      if (!this.folders.has(path)) this.add(path, true);
      return;
    }
    // A folder that went away takes its watching with it.
    this.folders.get(path)?.close();
    this.folders.delete(path);
    this.handlers.changed(path);
  }

  close(): void {
    for (const folder of this.folders.values()) folder.close();
    this.folders.clear();
  }
}

/** Waits for a folder to be made, at the nearest folder above it that is there. */
class Waiting implements FolderEvents {
  private watcher: FolderEvents;
  private isClosed = false;

  constructor(folder: string, handlers: EventHandlers, begin: () => FolderEvents) {
    let above = dirname(folder);
    while (!isFolder(above) && dirname(above) !== above) above = dirname(above);
    const next = folder
      .slice(above.length)
      .split(/[\\/]/)
      .find((name) => name !== '');
    const look = () => {
      if (this.isClosed || !isFolder(join(above, next ?? ''))) return;
      this.watcher.close();
      this.watcher = isFolder(folder) ? begin() : new Waiting(folder, handlers, begin);
    };
    this.watcher = watching(above, handlers, (name) => {
      if (name === next) look();
    });
    // It may have been made between the look and the watching.
    queueMicrotask(look);
  }

  close(): void {
    this.isClosed = true;
    this.watcher.close();
  }
}

function watching(
  folder: string,
  handlers: EventHandlers,
  happened: (name: string) => void,
  recursive = false,
): FolderEvents {
  let watcher: FSWatcher;
  try {
    watcher = watch(folder, { recursive, persistent: true });
  } catch (error) {
    handlers.failed(folder, error instanceof Error ? error.message : String(error));
    return { close() {} };
  }
  watcher.on('change', (_, name) => {
    if (typeof name === 'string') happened(name);
  });
  watcher.on('error', (error) => handlers.failed(folder, error.message));
  return watcher;
}

function tellAll(folder: string, handlers: EventHandlers): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) tellAll(path, handlers);
    else handlers.changed(path);
  }
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}
