/** SQLite's own numbers: a broken page, and a file that is no database. */
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** A database file of ours is broken: a page of it, its tables, or all of it. */
export class Damage extends Error {
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.path = path;
  }
}

/** Whether an error says that a file is no database, or a broken one. */
export function isDamage(error: unknown): error is Damage {
  return error instanceof Damage;
}

/** Does something with a database file; what SQLite says of broken ones is a `Damage` of that file. */
export function lookingAt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isDamageOfSqlite(error) ? new Damage(path, error.message, { cause: error }) : error;
  }
}

/** Whether SQLite says that what it read is no database, or a broken one. */
export function isDamageOfSqlite(error: unknown): error is Error {
  if (!(error instanceof Error) || isDamage(error)) return false;
  // No number of ours is larger than JavaScript's can be.
  if ('code' in error && error.code === 'ERR_OUT_OF_RANGE') return true;
  // The result code in the low byte says the kind, the rest the place.
  const kind = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
  return kind === CORRUPT || kind === NOT_A_DATABASE || /no such table|no such column/i.test(error.message);
}
