import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Unit } from '../agents/source.ts';
import type { Archive } from '../archive/archive.ts';
import { type Listing, Listings } from '../archive/listings.ts';
import type { Listed } from './listing.ts';
import { keptPath } from './protect.ts';

/** How far an indexing has come with each source, for those who ask meanwhile, or after it was broken off. */
export class Coverage {
  private readonly listings: Listings;
  private readonly now = new Map<string, Listing>();
  private readonly folders = new Map<string, number>();

  constructor({ db }: Archive) {
    this.listings = new Listings(db);
  }

  /** A source was listed: so many of its units are to be read; of those that are left out nothing is noted. */
  begin(source: string, { units, unreadable, folders }: Listed, unread: number, leftOut: ReadonlySet<Unit>): void {
    this.now.set(source, { units: units.length - leftOut.size, unread, unreadable });
    const kept = new Set(units.flatMap((unit) => (leftOut.has(unit) ? [] : [dirname(unit.path)])));
    const muted = new Set([...leftOut].map((unit) => dirname(unit.path)).filter((folder) => !kept.has(folder)));
    for (const [folder, modified] of folders)
      if (!muted.has(folder) && keptPath(folder) === folder) this.folders.set(folder, modified);
  }

  /** A unit was read to its end, or could not be read. */
  passed(source: string): void {
    const listing = this.now.get(source);
    if (listing) this.now.set(source, { ...listing, unread: listing.unread - 1 });
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

  /** Whether folders are not as they are noted. */
  get hasNewFolders(): boolean {
    const noted = this.listings.folders();
    return noted.length !== this.folders.size || noted.some((one) => this.folders.get(one.folder) !== one.modified);
  }

  noteFolders(): void {
    this.listings.noteFolders(this.folders);
  }
}
