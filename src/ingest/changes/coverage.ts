import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Unit } from '../../agents/source.ts';
import type { Archive } from '../../archive/archive.ts';
import { type Listing, Listings } from '../../archive/listings.ts';
import { placeOf } from '../../archive/mask.ts';
import { keptPath } from '../reading/protect.ts';
import type { Listed } from './listing.ts';

/** How far an indexing has come with each source, for those who ask meanwhile, or after it was broken off. */
export class Coverage {
  private readonly archive: Archive;
  private readonly listings: Listings;
  private readonly now = new Map<string, Listing>();
  private readonly listed: { readonly listed: Listed; readonly leftOut: ReadonlySet<Unit> }[] = [];

  constructor(archive: Archive) {
    this.archive = archive;
    this.listings = new Listings(archive.db);
  }

  /** A source was listed: so many of its units are to be read, and some are left out. */
  begin(source: string, listed: Listed, unread: number, leftOut: ReadonlySet<Unit>): void {
    this.listed.push({ listed, leftOut });
    this.now.set(source, { units: listed.units.length - leftOut.size, unread, unreadable: listed.unreadable });
  }

  /** A unit was read to its end, or could not be read. */
  passed(source: string): void {
    const listing = this.now.get(source);
    if (listing) this.now.set(source, { ...listing, unread: listing.unread - 1 });
  }

  /** Gives what sets it back to what it is now. */
  save(): () => void {
    const before = [...this.now];
    return () => {
      for (const [source, listing] of before) this.now.set(source, listing);
    };
  }

  /** Whether what is noted is another state. */
  get isNews(): boolean {
    const noted = this.listings.all();
    return [...this.now].some(([source, listing]) => !isDeepStrictEqual(noted.get(source), listing));
  }

  /** Notes how far it has come. Inside the writer's transaction. */
  note(): void {
    for (const [source, listing] of this.now) this.listings.note(source, listing);
  }

  /** The folders to be noted, where those that are noted are not these. */
  newFolders(): ReadonlyMap<string, number> | undefined {
    const noted = new Map(this.listings.folders().map(({ folder, modified }) => [folder, modified]));
    const folders = this.folders();
    return isDeepStrictEqual(noted, folders) ? undefined : folders;
  }

  /** Notes which folders there are. Inside the writer's transaction. */
  noteFolders(folders: ReadonlyMap<string, number>): void {
    this.listings.noteFolders(folders);
  }

  /** Folders whose names may be noted: not those of what is left out, nor of a unit in whose path something is hidden. */
  private folders(): Map<string, number> {
    const hidden = new Set(this.archive.places().values());
    const isNameless = (unit: Unit, leftOut: ReadonlySet<Unit>) =>
      leftOut.has(unit) || (hidden.size > 0 && hidden.has(placeOf(unit.path)));
    const named = new Set<string>();
    const nameless = new Set<string>();
    for (const { listed, leftOut } of this.listed)
      for (const unit of listed.units)
        for (const folder of foldersAbove(unit.path, listed))
          (isNameless(unit, leftOut) ? nameless : named).add(folder);
    const folders = new Map<string, number>();
    for (const { listed } of this.listed)
      for (const [folder, modified] of listed.folders) {
        const mayBeNoted = named.has(folder) || !(nameless.has(folder) || nameless.has(dirname(folder)));
        if (mayBeNoted && keptPath(folder) === folder) folders.set(folder, modified);
      }
    return folders;
  }
}

/** The listed folders that a unit lies in. */
function* foldersAbove(path: string, { folders }: Listed): Generator<string> {
  for (let folder = dirname(path); folders.has(folder); folder = dirname(folder)) yield folder;
}
