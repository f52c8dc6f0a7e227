import { Calendar, LOCAL, zoneOf } from './times/calendar.ts';
import { periodOf } from './times/range.ts';

/** A span of time, epoch milliseconds. */
export interface Span {
  readonly from: number;
  /** Exclusive; absent where the span goes on to now. */
  readonly to?: number;
}

/** A clock that stands at `now` in the zone of that name, or in the machine's. */
export function calendarOf(now: number, zone?: string): Calendar {
  return new Calendar(now, (zone === undefined ? undefined : zoneOf(zone)) ?? LOCAL);
}

/** The span that a text names, as `since:` and `until:` take it: `yesterday`, `3d`, `last friday`; undefined where it names none. */
export function spanOf(text: string, calendar: Calendar): Span | undefined {
  const period = periodOf(text, calendar);
  if (!period) return undefined;
  return { from: within(period.from), ...(period.to !== undefined && { to: within(period.to) }) };
}

/** Nothing was written before the epoch; and a time must print as ISO 8601. */
export function within(at: number): number {
  return Number.isFinite(at) ? Math.min(Math.max(at, 0), 253_402_300_799_999) : 0;
}
