import { hash53 } from '../transcript/index.ts';

const MASK = '#';

/** The hash of a path as it is on disk: by that a unit is found whose path is not to be known. */
export function placeOf(path: string): number {
  return isMask(path) ? Number(path.slice(MASK.length)) : hash53(path);
}

/** What stands for the path of a unit of which nothing is to be known: it is found again, and tells nothing. */
export function maskOf(place: number): string {
  return `${MASK}${place}`;
}

export function isMask(path: string): boolean {
  return path.startsWith(MASK);
}
