import { isDamage } from './damage.ts';

/** SQLite's numbers for what is wrong with a statement or a value, and not with the database, the disk or who else writes. */
const OF_WHAT_IS_KEPT: ReadonlySet<number> = new Set([1, 18, 19, 20, 25]);

/** Whether an error is of the store itself, or of the system below it: a full disk, damage, another writer. */
export function isOfTheStore(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && typeof error.errcode === 'number') return !OF_WHAT_IS_KEPT.has(error.errcode & 0xff);
  return isDamage(error) || isOfTheSystem(error);
}

/** Whether the system says that a file or a folder could not be read or written, as it may again at another time. */
export function isOfTheSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
