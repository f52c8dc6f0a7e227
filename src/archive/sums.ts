import { crc32 } from 'node:zlib';
import type { Functions, Value } from '../store/database.ts';

/**
 * SQLite has no checksums: a row whose bytes changed on the disk is read as if it had been written so. So each durable row has
 * the CRC32 of what it says in `sum`, written by triggers and looked at by who shows it. Left out is what is counted or
 * derived (`state`, `records`, `shares`, `spending`, `listings`, `listed`, `not_shown`, the records in a turn's own row),
 * and the bodies of chunks, which carry their own (`bodies.ts`).
 */
export const SUMMED = {
  units: [
    ...['id', 'source', 'path', 'layout', 'identity', 'size', 'modified', 'reader', 'checkpoint', 'read_to'],
    ...['read_lines', 'records', 'failures', 'unknown', 'gone'],
  ],
  sessions: [
    ...[
      'id',
      'key',
      'source',
      'native_id',
      'unit',
      'kind',
      'facts',
      'turns',
      'open_calls',
      'orphans',
      'started',
      'ended',
    ],
    ...['first_prompt', 'ends_with_prompt', 'secrets'],
  ],
  turns: ['session', 'turn', 'anchor', 'started', 'ended', 'after', 'prompt'],
  later_records: ['session', 'turn', 'piece', 'records'],
  sightings: [
    ...['session', 'key', 'turn', 'model', 'at', 'input', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'output'],
    ...['reasoning', 'web_searches', 'context_window', 'reported_cost'],
  ],
  limits: [
    ...['session', 'at', 'plan', 'primary_used', 'primary_window', 'primary_resets', 'secondary_used'],
    ...['secondary_window', 'secondary_resets'],
  ],
  spawns: ['child', 'session', 'turn', 'call_id'],
  summaries: ['leaf', 'session', 'text'],
  withheld: ['hash', 'unit', 'cause'],
  folders: ['path', 'root', 'remote', 'born', 'at'],
  places: ['unit', 'place'],
  aside: ['session', 'unit', 'same'],
  outside: ['session', 'turn', 'since', 'copy', 'copy_turn'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type SummedTable = keyof typeof SUMMED;

export const SUMMED_TABLES = Object.keys(SUMMED) as readonly SummedTable[];

/** The sum of a row: over the name of its table and the values of its summed columns, in their order. */
export function rowSum(table: string, ...values: (Value | bigint)[]): number {
  let told = table;
  for (const value of values)
    if (value === null) told += '\0n';
    else if (typeof value === 'string') told += `\0s${value}`;
    else told += value instanceof Uint8Array ? `\0b${crc32(value)}` : `\0${value}`;
  return crc32(told);
}

/**
 * Whether a row says what was written: given all its summed columns, and `sum`. An archive of before there were sums, where
 * its folder is read-only, is taken as it is.
 */
export function isWhole(table: SummedTable, row: Readonly<Record<string, Value>>): boolean {
  const { sum = null } = row;
  return sum === null || sum === rowSum(table, ...SUMMED[table].map((column) => row[column] ?? null));
}

/** The version of the archive that sums came with. */
export const SUMMED_SINCE = 5;

/** What the triggers call. */
export const SUM_FUNCTIONS: Functions = {
  row_sum: (table, ...values) => rowSum(String(table), ...values),
};

const KEYS: Readonly<Record<SummedTable, readonly string[]>> = {
  units: ['id'],
  sessions: ['id'],
  turns: ['session', 'turn'],
  later_records: ['session', 'turn', 'piece'],
  sightings: ['session', 'key'],
  limits: ['session', 'at'],
  spawns: ['child', 'session'],
  summaries: ['leaf', 'session'],
  withheld: ['hash'],
  folders: ['path', 'root', 'remote', 'born'],
  places: ['unit'],
  aside: ['session'],
  outside: ['session', 'turn'],
};

/** Gives a table its sums, and whatever it holds already. */
export function sumsOf(table: SummedTable): string {
  const columns: readonly string[] = SUMMED[table];
  const sum = (row: string) => `row_sum('${table}', ${columns.map((column) => `${row}${column}`).join(', ')})`;
  const where = KEYS[table].map((key) => `${key} = NEW.${key}`).join(' AND ');
  return `ALTER TABLE ${table} ADD COLUMN sum INTEGER;
UPDATE ${table} SET sum = ${sum('')};
CREATE TRIGGER ${table}_summed AFTER INSERT ON ${table}
  BEGIN UPDATE ${table} SET sum = ${sum('NEW.')} WHERE ${where}; END;
CREATE TRIGGER ${table}_summed_again AFTER UPDATE OF ${columns.join(', ')} ON ${table}
  BEGIN UPDATE ${table} SET sum = ${sum('NEW.')} WHERE ${where}; END;
`;
}
