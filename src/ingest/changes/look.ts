import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { entriesOf, isBelow, statOf, whyUnread } from '../../agents/folders.ts';
import { SOURCES } from '../../agents/registry.ts';
import type { Environment, Failure, Root, Source, Unit } from '../../agents/source.ts';
import { Listings } from '../../archive/listings.ts';
import type { Stores } from '../../holdings/stores.ts';
import { readConfig } from '../../home/config.ts';
import { keptPath } from '../reading/protect.ts';
import type { Change } from '../run.ts';
import { knownAt } from './known-units.ts';
import { isOwn } from './listing.ts';

/** A file that is not as it was read. */
export interface UnreadFile extends Change {
  /** How much of it is to be read. */
  readonly bytes: number;
  /** When it was written, epoch milliseconds. */
  readonly modified: number;
}

/** What a look at the agents' files saw. */
export interface Seen {
  /** The newest first. */
  readonly unread: readonly UnreadFile[];
  /** What is there and cannot be looked into, by source. */
  readonly unreadable: ReadonlyMap<string, readonly Failure[]>;
}

/** Units that were written last: where they lie, more will be written. */
const HOT_UNITS = 20;
/** Of the agents' folders those are looked at in which something came or went last: so many, and for so long. */
const MOST_FOLDERS = 500;
const MOST_MS = 10;
/** A new folder is looked into no deeper. */
const DEPTH = 10;

interface At {
  readonly source: Source;
  readonly root: Root;
}

/**
 * A look before an answer, as far as there is time: at the files that are in use, at those that lie right in an agent's
 * home, and at the folders in which something came or went. A file that is long out of use and only grew is not seen unless
 * it is among the `written`. What is not to be kept is seen too (`keptOf`).
 */
export function lookAround(stores: Stores, env: Environment, deadline: number, written: readonly string[] = []): Seen {
  return new Look(stores, env, deadline).seen(written);
}

class Look {
  private readonly stores: Stores;
  private readonly deadline: number;
  private readonly roots: readonly At[];
  private readonly listings: Listings;
  private readonly looked = new Set<string>();
  private readonly unread = new Map<string, UnreadFile>();
  private readonly unreadable = new Map<string, Failure[]>();

  constructor(stores: Stores, env: Environment, deadline: number) {
    this.stores = stores;
    this.deadline = deadline;
    const { exclude } = readConfig(stores.home);
    this.listings = new Listings(stores.archive.db);
    this.roots = SOURCES.filter(({ id }) => !exclude.sources.includes(id)).flatMap((source) =>
      source.roots(env).map((root) => ({ source, root })),
    );
  }

  seen(written: readonly string[]): Seen {
    for (const path of written) {
      const at = this.rootOf(path);
      if (at) this.file(at, path);
    }
    this.atHomes();
    this.inUse();
    this.whereSomethingCame();
    return { unread: newestFirst([...this.unread.values()]), unreadable: this.unreadable };
  }

  private get isOver(): boolean {
    return performance.now() > this.deadline;
  }

  /** The files right in an agent's home, and the folders there that hold its history: they may be new, or closed. */
  private atHomes(): void {
    for (const at of this.roots) {
      const { folders, files } = at.source.places?.(at.root) ?? { folders: [at.root.path], files: [] };
      for (const file of files) this.file(at, file);
      for (const folder of folders) if (this.canBeListed(at, folder)) this.listIfChanged(at, folder);
    }
  }

  private canBeListed({ source }: At, folder: string): boolean {
    const unreadable = (path: string, reason: string) =>
      void this.unreadable.set(source.id, [
        ...(this.unreadable.get(source.id) ?? []),
        { path: keptPath(path), reason },
      ]);
    if (!statOf(folder, { unreadable })) return false;
    try {
      accessSync(folder, constants.R_OK | constants.X_OK);
      return true;
    } catch (error) {
      unreadable(folder, whyUnread(error));
      return false;
    }
  }

  /** The folders of the files that were written last. */
  private inUse(): void {
    const folders = new Set(this.stores.archive.newestUnits(HOT_UNITS).map((row) => dirname(row.path)));
    for (const folder of folders) {
      const at = this.rootOf(folder);
      if (at) this.list(at, folder);
    }
  }

  /** The folders in which something came or went since they were listed. */
  private whereSomethingCame(): void {
    const end = performance.now() + MOST_MS;
    for (const { folder, modified } of this.listings.folders(MOST_FOLDERS)) {
      if (this.isOver || performance.now() > end) return;
      const at = this.rootOf(folder);
      if (at) this.listIfChanged(at, folder, modified);
    }
  }

  /** `modified`: when something had last come or gone as it was listed; where it never was, all in it is new. */
  private listIfChanged(at: At, folder: string, modified = this.listings.modifiedOf(folder)): void {
    if (this.looked.has(folder)) return;
    const stat = statOf(folder);
    if (stat && Math.floor(stat.mtimeMs) !== modified) this.list(at, folder);
  }

  /** Looks at the files in a folder, and into those folders in it that were never listed. */
  private list(at: At, folder: string, depth = DEPTH): void {
    if (this.looked.has(folder) || this.isOver) return;
    this.looked.add(folder);
    let marks: ReadonlyMap<string, { readonly size: number; readonly modified: number }> | undefined;
    for (const entry of entriesOf(folder)) {
      if (this.isOver) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth > 1 && this.listings.modifiedOf(path) === undefined) this.list(at, path, depth - 1);
        continue;
      }
      const unit = at.source.unitAt?.(at.root, path);
      if (!unit) continue;
      marks ??= this.stores.archive.marksIn(at.source.id, folder);
      const mark = marks.get(unit.path);
      if (mark?.size !== unit.size || mark.modified !== unit.modified) this.unit(at, unit);
    }
  }

  private file(at: At, path: string): void {
    const unit = at.source.unitAt?.(at.root, path);
    if (unit) this.unit(at, unit);
  }

  private unit(at: At, unit: Unit): void {
    const [row] = knownAt(this.stores.archive, unit.source, unit);
    if (row?.size === unit.size && row.modified === unit.modified) return;
    if (unit.size === 0 && row?.gone) return;
    if (!isOwn(at.source, at.root, unit.path)) return;
    // Which of its rows changed is looked at where they are read.
    const isListing = unit.format === 'listing';
    const bytes = isListing ? 1 : unit.size - Math.min(unit.size, row?.readTo ?? 0) || 1;
    this.unread.set(unit.path, { ...at, path: unit.path, bytes, modified: unit.modified });
  }

  private rootOf(folder: string): At | undefined {
    return this.roots.find(({ root }) => isBelow(root.path, folder));
  }
}

/** The files, those that were written last before the others. */
export function newestFirst(files: readonly UnreadFile[]): UnreadFile[] {
  return [...files].sort((a, b) => b.modified - a.modified);
}
