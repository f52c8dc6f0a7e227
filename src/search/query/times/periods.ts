import type { Calendar } from './calendar.ts';
import { clockAt, instantAt, isoDay } from './clock.ts';
import { MONTHS, monthOf, numberOf, type Unit, unitOf, weekdayOf } from './names.ts';
import type { Period, PeriodKind } from './period.ts';

/**
 * The period that is named by the words from `i` on, the longest there is; undefined where none is. Words are in lower
 * case, without the punctuation at their ends. `bound` words follow a preposition or stand in a field: then a time of
 * day belongs to them.
 */
export function periodAt(words: readonly string[], i: number, calendar: Calendar, bound: boolean): Period | undefined {
  const word = words[i];
  if (word === undefined) return undefined;
  const period =
    instantAt(words, i, calendar) ??
    relativeAt(words, i, calendar) ??
    agoAt(words, i, calendar, bound) ??
    dateAt(words, i, calendar) ??
    monthAt(words, i, calendar) ??
    namedAt(words, i, calendar);
  if (period) return bound ? withClock(words, i, period, calendar) : period;
  const clock = bound ? clockAt(words, i) : undefined;
  if (!clock) return undefined;
  const { year, month, day } = calendar.today;
  const today = calendar.zone.at(year, month, day, clock.hour, clock.minute);
  const at = today <= calendar.now ? today : calendar.zone.at(year, month, day - 1, clock.hour, clock.minute);
  return { from: at, to: at, length: clock.length, kind: 'name' };
}

/** `yesterday 14:00`, `monday at 9am`. */
function withClock(words: readonly string[], i: number, period: Period, calendar: Calendar): Period {
  const isDay = period.kind !== 'short' && period.to !== period.from && spanInDays(period, calendar) === 1;
  const clock = isDay ? clockAt(words, i + period.length) : undefined;
  if (!clock) return period;
  const { year, month, day } = calendar.zone.wall(period.from);
  const at = calendar.zone.at(year, month, day, clock.hour, clock.minute);
  return { from: at, to: at, length: period.length + clock.length, kind: 'name' };
}

function spanInDays({ from, to }: Period, calendar: Calendar): number {
  return Math.round(((to ?? calendar.now) - from) / 86_400_000 + (to === undefined ? 0.5 : 0));
}

/** `today`, `yesterday`, weekdays, `now`. */
function namedAt(words: readonly string[], i: number, calendar: Calendar): Period | undefined {
  const word = words[i]!;
  switch (word) {
    case 'today':
      return { from: calendar.day(0), length: 1, kind: 'clear' };
    case 'yesterday':
      return { from: calendar.day(-1), to: calendar.day(0), length: 1, kind: 'clear' };
    case 'now':
      return { from: calendar.now, to: calendar.now, length: 1, kind: 'name' };
  }
  const weekday = weekdayOf(word);
  if (weekday) return weekdayPeriod(calendar, weekday.index, 0, 1, weekday.isWhole ? 'clear' : 'abbreviated');
  const year = yearOf(word);
  // A year to come is a number.
  return year !== undefined && year <= calendar.today.year ? yearPeriod(calendar, year, 1, 'name') : undefined;
}

/** The latest such day before today. */
function weekdayPeriod(c: Calendar, index: number, weeks: number, length: number, kind: PeriodKind): Period {
  const back = ((c.weekday - index + 6) % 7) + 1 + weeks * 7;
  const before = () => weekdayPeriod(c, index, weeks + 1, length, kind);
  return { from: c.day(-back), to: c.day(1 - back), length, kind, before };
}

function yearPeriod({ zone }: Calendar, year: number, length: number, kind: PeriodKind): Period {
  return { from: zone.at(year, 0, 1), to: zone.at(year + 1, 0, 1), length, kind };
}

/** `last week`, `this month`, `last 3 days`, `the past hour`, `last friday`. */
function relativeAt(words: readonly string[], i: number, calendar: Calendar): Period | undefined {
  const lead = words[i] === 'the' ? 1 : 0;
  const which = words[i + lead];
  const isThis = which === 'this';
  const isPast = which === 'past';
  if (!isThis && !isPast && which !== 'last' && which !== 'previous') return undefined;
  const at = i + lead + 1;
  const word = words[at];
  if (word === undefined) return undefined;
  const length = lead + 2;
  if (!isThis) {
    const count = numberOf(words, at);
    const counted = count && unitOf(words[at + count.length] ?? '');
    if (counted) return sinceAgo(calendar, count.value, counted, lead + 2 + count.length);
    const short = shortOf(word);
    if (short) return sinceAgo(calendar, short.count, short.unit, length);
  }
  const weekday = weekdayOf(word);
  if (weekday) {
    if (!isThis) return weekdayPeriod(calendar, weekday.index, 0, length, 'clear');
    const from = weekday.index - calendar.weekday;
    return { from: calendar.day(from), to: calendar.day(from + 1), length, kind: 'clear' };
  }
  const month = monthOf(word);
  if (month !== undefined && !isThis) return monthPeriod(calendar, month, undefined, length, 'clear');
  if (word === 'weekend') {
    const saturday = -calendar.weekday + (isThis ? 5 : -2);
    return { from: calendar.day(saturday), to: calendar.day(saturday + 2), length, kind: 'clear' };
  }
  if (word === 'night' && !isThis) {
    const { year, month: of, day } = calendar.today;
    const { zone } = calendar;
    return { from: zone.at(year, of, day - 1, 18), to: zone.at(year, of, day, 6), length, kind: 'clear' };
  }
  if (word === 'morning' && isThis) {
    const { year, month: of, day } = calendar.today;
    return { from: calendar.day(0), to: calendar.zone.at(year, of, day, 12), length, kind: 'clear' };
  }
  const unit = singular(word);
  if (unit === undefined) return undefined;
  if (isPast || unit === 'hour' || unit === 'minute' || (unit === 'day' && !isThis))
    return isThis ? undefined : sinceAgo(calendar, 1, unit, length);
  return unitPeriod(calendar, unit, isThis ? 0 : -1, length);
}

/** One of a unit, not several: `last weeks` is no time. */
function singular(word: string): Unit | undefined {
  return word.endsWith('s') ? undefined : unitOf(word);
}

/** A whole week, month or year, counted from this one, which goes on. */
function unitPeriod(calendar: Calendar, unit: Unit, from: number, length: number): Period | undefined {
  const begin = (n: number) => {
    if (unit === 'week') return calendar.day(n * 7 - calendar.weekday);
    return unit === 'month' ? calendar.month(n) : calendar.year(n);
  };
  if (unit !== 'week' && unit !== 'month' && unit !== 'year') return undefined;
  return { from: begin(from), ...(from < 0 && { to: begin(from + 1) }), length, kind: 'clear' };
}

/** From so long ago to now. */
function sinceAgo(calendar: Calendar, count: number, unit: Unit, length: number, kind: PeriodKind = 'clear'): Period {
  return { from: momentAgo(calendar, count, unit), length, kind };
}

const MILLISECONDS = { minute: 60_000, hour: 3_600_000 } as const;

function momentAgo(calendar: Calendar, count: number, unit: Unit): number {
  if (unit === 'minute' || unit === 'hour') return calendar.now - count * MILLISECONDS[unit];
  if (unit === 'day' || unit === 'week') return calendar.earlier(unit === 'week' ? count * 7 : count, 0);
  return calendar.earlier(0, unit === 'year' ? count * 12 : count);
}

/** `3d`, `2w`: from so long ago on. `3d ago`, `2 weeks ago`: that day; without a preposition that week, month or year. */
function agoAt(words: readonly string[], i: number, calendar: Calendar, bound: boolean): Period | undefined {
  const short = shortOf(words[i]!);
  const count = short ? undefined : numberOf(words, i);
  const unit = short?.unit ?? (count && unitOf(words[i + count.length] ?? ''));
  const value = short?.count ?? count?.value;
  if (unit === undefined || value === undefined) return undefined;
  const length = short ? 1 : count!.length + 1;
  if (words[i + length] !== 'ago') return short ? sinceAgo(calendar, value, unit, length, 'short') : undefined;
  const moment = momentAgo(calendar, value, unit);
  if (unit === 'minute' || unit === 'hour') {
    const after = bound ? moment : moment + MILLISECONDS[unit];
    return { from: moment, to: after, length: length + 1, kind: 'clear' };
  }
  if (!bound && unit !== 'day') return { ...unitPeriod(calendar, unit, -value, length + 1)! };
  const { year, month, day } = calendar.zone.wall(moment);
  const { zone } = calendar;
  return { from: zone.at(year, month, day), to: zone.at(year, month, day + 1), length: length + 1, kind: 'clear' };
}

const SHORT_UNITS: ReadonlyMap<string, Unit> = new Map([
  ['m', 'minute'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['w', 'week'],
  ['mo', 'month'],
  ['y', 'year'],
]);

function shortOf(word: string): { readonly count: number; readonly unit: Unit } | undefined {
  const found = /^(\d{1,4})([a-z]{1,3})$/.exec(word);
  const unit = SHORT_UNITS.get(found?.[2] ?? '');
  return found && unit ? { count: Number(found[1]), unit } : undefined;
}

/** `2026-11-30`, `2026-11`, `30 November 2026`, `November 30th`. */
function dateAt(words: readonly string[], i: number, calendar: Calendar): Period | undefined {
  const word = words[i]!;
  const day = isoDay(word);
  if (day) {
    const { zone } = calendar;
    const from = zone.at(day.year, day.month, day.day ?? 1);
    const to = day.day === undefined ? zone.at(day.year, day.month + 1, 1) : zone.at(day.year, day.month, day.day + 1);
    return { from, to, length: 1, kind: 'date' };
  }
  const next = words[i + 1] ?? '';
  const dayFirst = ordinal(word);
  if (dayFirst !== undefined) {
    const of = next === 'of' ? 2 : 1;
    const month = monthOf(words[i + of] ?? '');
    return month === undefined ? undefined : dayPeriod(calendar, month, dayFirst, words, i, of + 1);
  }
  const month = monthOf(word);
  const dayAfter = ordinal(next);
  if (month === undefined || dayAfter === undefined) return undefined;
  return dayPeriod(calendar, month, dayAfter, words, i, 2);
}

function ordinal(word: string): number | undefined {
  const found = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word);
  const day = found ? Number(found[1]) : 0;
  return day >= 1 && day <= 31 ? day : undefined;
}

/** A day of a month: of the year that is told, or the latest that has begun. Undefined where the month has no such day. */
function dayPeriod(c: Calendar, month: number, day: number, words: readonly string[], i: number, length: number) {
  const told = yearOf(words[i + length]);
  const on = (year: number, of: number): Period => ({
    from: c.zone.at(year, month, day),
    to: c.zone.at(year, month, day + 1),
    length: of,
    // "It may 30" and "march 3" are sentences too.
    kind: told === undefined && MONTHS[month] === 'may' ? 'name' : 'clear',
    before: () => on(year - 1, of),
  });
  if (day > new Date(Date.UTC(told ?? 2024, month + 1, 0)).getUTCDate()) return undefined;
  if (told !== undefined) return on(told, length + 1);
  const thisYear = on(c.today.year, length);
  return thisYear.from <= c.now ? thisYear : on(c.today.year - 1, length);
}

function yearOf(word: string | undefined): number | undefined {
  return word !== undefined && /^(?:19|20)\d\d$/.test(word) ? Number(word) : undefined;
}

/** `October`, `March 2026`. */
function monthAt(words: readonly string[], i: number, calendar: Calendar): Period | undefined {
  const month = monthOf(words[i]!);
  if (month === undefined) return undefined;
  const year = yearOf(words[i + 1]);
  return year === undefined
    ? monthPeriod(calendar, month, undefined, 1, 'name')
    : monthPeriod(calendar, month, year, 2, 'clear');
}

/** A month of the year that is told, or the latest that has begun. */
function monthPeriod(c: Calendar, month: number, told: number | undefined, length: number, kind: PeriodKind): Period {
  const year = told ?? (month > c.today.month ? c.today.year - 1 : c.today.year);
  return {
    from: c.zone.at(year, month, 1),
    to: c.zone.at(year, month + 1, 1),
    length,
    kind,
    before: () => monthPeriod(c, month, year - 1, length, kind),
  };
}
