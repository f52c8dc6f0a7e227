/** A record of an agent's file: anything may be missing or of the wrong type. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as a non-empty string, or undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value as a finite number, or undefined. */
export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The value as an object's fields; those of nothing where it is none. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : NOTHING;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** No coding agent wrote a history before. */
const EARLIEST = Date.UTC(2020, 0, 1);
/** Clocks differ, and so do time zones that were not written. */
const DAY = 24 * 60 * 60 * 1000;
/** No limit is renewed later. */
const YEAR = 366 * DAY;
/** How many of a unit are a millisecond: seconds, milliseconds, microseconds, nanoseconds. */
const UNITS = [1e-3, 1, 1e3, 1e6];
/** A number that was written as a string. */
const DIGITS = /^\d{9,}(?:\.\d+)?$/;

/**
 * Epoch milliseconds of an ISO 8601 string, or of a number of seconds, milli-, micro- or nanoseconds: no two of these
 * are plausible for one number. Undefined for what is no time, and for what an agent cannot have written: before 2020
 * or more than a day from now.
 */
export function time(value: unknown): number | undefined {
  return timeWithin(value, DAY);
}

/** The same of a moment that was still to come when it was written: within a year from now. */
export function timeToCome(value: unknown): number | undefined {
  return timeWithin(value, YEAR);
}

function timeWithin(value: unknown, ahead: number): number | undefined {
  if (typeof value === 'string' && !DIGITS.test(value)) return plausible(Date.parse(value), ahead);
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  for (const unit of UNITS) {
    const ms = plausible(Number(value) / unit, ahead);
    if (ms !== undefined) return ms;
  }
  return undefined;
}

function plausible(ms: number, ahead: number): number | undefined {
  return ms >= EARLIEST && ms <= Date.now() + ahead ? Math.round(ms) : undefined;
}

const NOTHING: Fields = {};
