import { SOURCES } from '../../agents/registry.ts';
import type { Failure } from '../../agents/source.ts';
import type { Listing, OnDisk } from '../../archive/listings.ts';
import { Listings } from '../../archive/listings.ts';
import { ARCHIVE_VERSION } from '../../archive/schema.ts';
import type { Stores } from '../../holdings/stores.ts';
import type { Config } from '../../home/config.ts';
import { isPattern } from '../matching/sql.ts';
import type { Filters } from '../query/query.ts';

/** Whether a source was searched, and if not, or not all of it, why. */
export type SourceState =
  | { readonly state: 'searched'; readonly sessions: number }
  | {
      /** `unavailable`: nothing of it can be read now; what was read before was searched. */
      readonly state: 'partial' | 'unavailable';
      readonly sessions: number;
      readonly reason: string;
      /** How many of its files were read, where an indexing goes on or was broken off. */
      readonly files?: { readonly read: number; readonly found: number };
      /** Files that are not read yet, or not as they are now. */
      readonly unread?: number;
      /** Files and folders that cannot be read. */
      readonly failed?: number;
    }
  | { readonly state: 'empty' | 'excluded'; readonly reason: string };

/** Failures that are counted: of more, nobody needs the number before each answer. */
const MOST_FAILED = 1000;

/** What was searched: zero found is not the same as nothing to look at. `onDisk` is what was seen just before. */
export function sourceStates(
  stores: Stores,
  { source, without }: Filters,
  { exclude }: Config,
  onDisk?: OnDisk,
): Record<string, SourceState> {
  const listings = listingsOf(stores);
  return Object.fromEntries(
    SOURCES.map(({ id }): [string, SourceState] => {
      const isAsked =
        (!source || source.some((name) => isNamed(id, name))) && !without?.source?.some((name) => isNamed(id, name));
      if (!isAsked) return [id, { state: 'excluded', reason: 'left out by source:' }];
      if (exclude.sources.includes(id))
        return [id, { state: 'excluded', reason: 'left out by the configuration: exclude.sources' }];
      return [id, stateOf(stores, id, listings.get(id), onDisk)];
    }),
  );
}

/** How many files are known not to be read as they are now. */
export function unreadIn(sources: Readonly<Record<string, SourceState>>): number {
  return Object.values(sources).reduce((sum, state) => sum + ('unread' in state ? (state.unread ?? 0) : 0), 0);
}

/** What is not searched, in a few words; undefined where all is. */
export function shortfallOf(sources: Readonly<Record<string, SourceState>>): string | undefined {
  const short = Object.values(sources).flatMap((state) => ('failed' in state || 'unread' in state ? [state] : []));
  const files = short.find((state) => state.files)?.files;
  if (files) return `${files.read} of ${files.found} files read`;
  const unread = unreadIn(sources);
  if (unread > 0) return `${unread} ${unread === 1 ? 'file' : 'files'} not read yet`;
  const failed = short.reduce((sum, state) => sum + (state.failed ?? 0), 0);
  return failed > 0 ? `${failed} cannot be read: portolan doctor` : undefined;
}

/** An archive of an older version does not tell. */
function listingsOf({ archive }: Stores): ReadonlyMap<string, Listing> {
  return archive.db.version < ARCHIVE_VERSION ? new Map() : new Listings(archive.db).all();
}

function stateOf(stores: Stores, id: string, listing: Listing | undefined, onDisk: OnDisk | undefined): SourceState {
  const sessions = stores.catalog.sessionsOf(id);
  const unreadable = new Map(
    [...(listing?.unreadable ?? []), ...(onDisk?.unreadable.get(id) ?? [])].map((one) => [one.path, one]),
  );
  const failures = [...unreadable.values(), ...stores.archive.unreadableFiles(id, MOST_FAILED)];
  const behind = listing?.unread ?? 0;
  const unread = Math.max(behind, onDisk?.unread.get(id)?.files ?? 0);
  if (failures.length === 0 && unread === 0)
    return sessions > 0 ? { state: 'searched', sessions } : { state: 'empty', reason: whyEmpty(stores) };
  const isClosed = unreadable.size > 0 && listing?.units === 0;
  const files = listing && behind > 0 ? { read: listing.units - behind, found: listing.units } : undefined;
  const reasons = [
    ...(files ? [`${files.read} of ${files.found} files read so far`] : unread > 0 ? [notRead(unread)] : []),
    ...(failures.length > 0 ? [whyFailed(failures)] : []),
  ];
  return {
    state: isClosed ? 'unavailable' : 'partial',
    sessions,
    reason: reasons.join('; '),
    ...(files && { files }),
    ...(unread > 0 && { unread }),
    ...(failures.length > 0 && { failed: failures.length }),
  };
}

const notRead = (files: number) => `${files} new or changed ${files === 1 ? 'file is' : 'files are'} not read yet`;

function whyFailed([first, ...others]: readonly Failure[]): string {
  const more = others.length === 0 ? '' : `, and ${others.length} more (portolan doctor)`;
  return `cannot be read: ${first!.path} (${first!.reason})${more}`;
}

/** While the first indexing goes on, or where it was broken off, nobody knows what there is. */
function whyEmpty({ catalog }: Stores): string {
  return catalog.lastIngest() === undefined ? 'it was not read yet: portolan index reads it' : 'no history was found';
}

/** Patterns are left to the index. */
function isNamed(id: string, name: string): boolean {
  return isPattern(name) || name.toLowerCase() === id;
}
