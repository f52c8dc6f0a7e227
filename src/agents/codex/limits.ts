import type { Limit, LimitWindow } from '../../transcript/index.ts';
import { type Fields, fields, number, text, timeToCome } from '../fields.ts';

/**
 * What the account had used of its limits. The first versions wrote flat fields without a time of renewal, later ones
 * how many seconds are left, today's the second of renewal. Undefined where nothing was said: accounts without limits.
 */
export function limitOf(said: unknown, at: number | undefined): Limit | undefined {
  if (at === undefined) return undefined;
  const given = fields(said);
  const primary = windowOf(given, 'primary', at);
  const secondary = windowOf(given, 'secondary', at);
  if (!primary && !secondary) return undefined;
  const plan = text(given.plan_type);
  return {
    at,
    ...(plan !== undefined && { plan }),
    ...(primary && { primary }),
    ...(secondary && { secondary }),
  };
}

/** Whether two say the same: a limit is written with every request, most often unchanged. */
export function isSameLimit(a: Limit, b: Limit): boolean {
  return a.plan === b.plan && isSameWindow(a.primary, b.primary) && isSameWindow(a.secondary, b.secondary);
}

/** Seconds left are whole, so the moment of renewal that they give differs from record to record by a little. */
const TOLERANCE = 5000;

function isSameWindow(a: LimitWindow | undefined, b: LimitWindow | undefined): boolean {
  if (!a || !b) return a === b;
  const apart = Math.abs((a.resetsAt ?? 0) - (b.resetsAt ?? 0));
  return a.usedPercent === b.usedPercent && a.windowMinutes === b.windowMinutes && apart <= TOLERANCE;
}

function windowOf(given: Fields, name: 'primary' | 'secondary', at: number): LimitWindow | undefined {
  const own = fields(given[name]);
  const usedPercent = number(own.used_percent) ?? number(given[`${name}_used_percent`]);
  if (usedPercent === undefined) return undefined;
  const windowMinutes = number(own.window_minutes) ?? number(given[`${name}_window_minutes`]);
  const left = number(own.resets_in_seconds);
  const resetsAt = timeToCome(own.resets_at) ?? (left === undefined ? undefined : timeToCome(at + left * 1000));
  return {
    usedPercent,
    ...(windowMinutes !== undefined && { windowMinutes }),
    ...(resetsAt !== undefined && { resetsAt }),
  };
}
