import { hash53 } from '../transcript/index.ts';

const MASK = '#';

/** What stands for the path of a unit of which nothing is to be known: it is found again, and tells nothing. */
export function maskOf(path: string): string {
  return `${MASK}${hash53(path)}`;
}

export function isMask(path: string): boolean {
  return path.startsWith(MASK);
}
