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

/** Epoch milliseconds of an ISO 8601 string or of a number of milliseconds, or undefined. */
export function time(value: unknown): number | undefined {
  // What no calendar has is no time.
  if (typeof value === 'number') return value > 0 && value <= 8.64e15 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
}

const NOTHING: Fields = {};
