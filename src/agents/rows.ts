import type { Unit } from './source.ts';

/** What the identities of rows begin with: no file's does. */
const ROW = 'row:';

/** The path of a row of a listing: a session in a database, say. */
export function rowPath(listing: string, key: string): string {
  return `${listing}#${key}`;
}

/** The path of the listing that a row's path stands in; undefined where it is no row's. */
export function listingOf(path: string): string | undefined {
  const at = path.lastIndexOf('#');
  return at > 0 ? path.slice(0, at) : undefined;
}

/** The file that a unit stands in: of a row that of its listing. */
export function fileOf({ path, identity }: Pick<Unit, 'path' | 'identity'>): string {
  return identity.startsWith(ROW) ? (listingOf(path) ?? path) : path;
}

/** The key of a row. */
export function rowKey({ path }: Unit): string {
  return path.slice(path.lastIndexOf('#') + 1);
}

/** A row of a listing as a unit. `size` is a number that grows with it, `modified` when it last changed, in milliseconds. */
export function rowUnit(
  listing: Unit,
  key: string,
  { size, modified, layout = listing.layout }: { size: number; modified: number; layout?: string },
): Unit {
  return {
    source: listing.source,
    path: rowPath(listing.path, key),
    layout,
    format: 'snapshot',
    size,
    modified: Math.floor(modified),
    identity: `${ROW}${listing.source}:${key}`,
    isOneSession: true,
    ...(listing.inside !== undefined && { inside: listing.inside }),
  };
}
