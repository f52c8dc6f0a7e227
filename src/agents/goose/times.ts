import { time } from '../fields.ts';

/** A time as SQLite writes it, `2026-11-20 09:00:00`, which is UTC and does not say so; epoch milliseconds. */
export function utcTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d/.test(value)) return time(value);
  return time(`${value.replace(' ', 'T')}Z`);
}
