import { Calendar, zoneOf } from './calendar.ts';
import type { Period } from './period.ts';
import { periodAt } from './periods.ts';

/** What words say about time, and how many they are. */
export interface Range {
  readonly since?: number;
  /** Exclusive. */
  readonly until?: number;
  readonly length: number;
}

/** Where words stand in what was typed. */
export interface Place {
  readonly isFirst: boolean;
  /** Whether nothing but filters follows so many words. */
  isLast(length: number): boolean;
  readonly previous?: string;
}

/** `Black Friday` and `every Monday` are no days of the past. */
const NAMED_DAYS: ReadonlySet<string> = new Set(['black', 'good', 'cyber', 'ash', 'every', 'each', 'next', 'per']);
const NOT_BEFORE_SHORT: ReadonlySet<string> = new Set(['in', 'a', 'the', 'for', 'with', 'of']);

/** Whether a range may begin with this word: told at once, for most words begin none. */
const BEGINNING =
  /^(?:since|from|after|before|until|till?|between|in|during|over|within|on|the|th?is|last|past|previous|today|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d.*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)$/;

/**
 * The range that the words from `i` on name. Words are in lower case, without the punctuation at their ends. Periods
 * stand for themselves; after a preposition they bound: `since` and `between` from their beginning, `before` up to it,
 * `until` and `after` from their end.
 */
export function rangeAt(words: readonly string[], i: number, calendar: Calendar, place: Place): Range | undefined {
  const word = words[i]!;
  if (!BEGINNING.test(word)) return undefined;
  const after = (length: number, bound = true) => zonedAt(words, i + length, calendar, bound);
  switch (word) {
    case 'since': {
      const first = after(1);
      return first && to(words, i, calendar, first, 1, { since: first.from, length: 1 + first.length });
    }
    case 'after': {
      const first = after(1);
      return first && { since: first.to ?? calendar.now, length: 1 + first.length };
    }
    case 'before': {
      const first = after(1);
      return first && { until: first.from, length: 1 + first.length };
    }
    case 'until':
    case 'till':
    case 'til': {
      const first = after(1);
      return first && { until: first.to ?? calendar.now, length: 1 + first.length };
    }
    case 'between': {
      const first = after(1);
      const second = first && words[i + 1 + first.length] === 'and' ? after(2 + first.length) : undefined;
      return first && second && both(first, second, 2 + first.length + second.length, calendar);
    }
    case 'from': {
      const first = after(1);
      const range = first && to(words, i, calendar, first, 1);
      return range ?? (first && first.kind !== 'short' ? whole(first, 1) : undefined);
    }
    case 'in':
    case 'during':
    case 'over':
    case 'within':
    case 'on': {
      const period = after(1, false);
      // "In 3d" and "on 2026" are about something else.
      if (!period || period.kind === 'abbreviated' || (period.kind === 'short' && (word === 'in' || word === 'on')))
        return undefined;
      return period.from === period.to ? undefined : whole(period, 1);
    }
  }
  const period = zonedAt(words, i, calendar, false);
  // "The last day of the month" is no day in particular.
  if (!period || period.from === period.to || words[i + period.length] === 'of') return undefined;
  switch (period.kind) {
    case 'name':
    case 'abbreviated':
      return undefined;
    case 'short':
      return place.isLast(period.length) && !NOT_BEFORE_SHORT.has(place.previous ?? '') ? whole(period, 0) : undefined;
    case 'date':
      return place.isFirst || place.isLast(period.length) ? whole(period, 0) : undefined;
    case 'clear':
      return NAMED_DAYS.has(place.previous ?? '') ? undefined : whole(period, 0);
  }
}

/** What a whole text says: the value of a field. Undefined where a word of it says something else. */
export function periodOf(text: string, calendar: Calendar): Period | undefined {
  const words = timeWords(text.trim().split(/\s+/));
  const period = zonedAt(words, 0, calendar, true);
  return period && period.length === words.length ? period : undefined;
}

/** Words as times are read from: in lower case, without the punctuation at their ends. */
export function timeWords(words: readonly string[]): string[] {
  return words.map((word) => (word.length > 40 ? '' : word.toLowerCase().replace(/[,.;?!]+$/, '')));
}

/** A period, in the zone that is named after it. */
function zonedAt(words: readonly string[], i: number, calendar: Calendar, bound: boolean): Period | undefined {
  const period = periodAt(words, i, calendar, bound);
  if (!period) return undefined;
  const name = words[i + period.length];
  const zone = name === undefined || name === 'z' ? undefined : zoneOf(name);
  if (!zone) return period;
  const there = periodAt(words, i, new Calendar(calendar.now, zone), bound);
  return there && { ...there, length: there.length + 1 };
}

/** `… to Friday`, after a first period; else what it is without. */
function to(
  words: readonly string[],
  i: number,
  calendar: Calendar,
  first: Period,
  lead: number,
  without?: Range,
): Range | undefined {
  const joint = i + lead + first.length;
  if (!/^(?:to|until|till?|through|-|–)$/.test(words[joint] ?? '')) return without;
  const second = zonedAt(words, joint + 1, calendar, true);
  if (!second) return without;
  return both(first, second, lead + first.length + 1 + second.length, calendar) ?? without;
}

/** From the beginning of one to the end of another. A name that would come after the other is that of a round earlier. */
function both(first: Period, second: Period, length: number, calendar: Calendar): Range | undefined {
  const until = second.to ?? calendar.now;
  const since = first.from < until || !first.before ? first.from : first.before().from;
  return since < until ? { since, until, length } : undefined;
}

function whole({ from, to, length }: Period, lead: number): Range {
  return { since: from, ...(to !== undefined && { until: to }), length: lead + length };
}
