import { type Calendar, zoneOf } from './calendar.ts';
import type { Period } from './period.ts';

/** A day or a month as ISO 8601 has it; undefined where no calendar has it: 2026-02-31 would silently become another. */
export function isoDay(
  word: string,
): { readonly year: number; readonly month: number; readonly day?: number } | undefined {
  const found = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(word);
  if (!found) return undefined;
  const [year, month] = [Number(found[1]), Number(found[2]) - 1];
  if (month < 0 || month > 11 || year < 1970) return undefined;
  if (found[3] === undefined) return { year, month };
  const day = Number(found[3]);
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return day >= 1 && day <= last ? { year, month, day } : undefined;
}

const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(z|[+-]\d{2}:?\d{2})?$/;

/** A moment: `2026-11-30T08:00+02:00`, or the same in two words. Without a zone in the calendar's. */
export function instantAt(words: readonly string[], i: number, calendar: Calendar): Period | undefined {
  const word = words[i]!;
  const parted = word.length > 11 && word[10] === 't';
  const day = isoDay(word.slice(0, 10));
  if (day?.day === undefined || (!parted && word.length > 10)) return undefined;
  const found = TIME.exec(parted ? word.slice(11) : (words[i + 1] ?? ''));
  if (!found) return undefined;
  const [hour, minute, second] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const zone = found[5] === undefined ? calendar.zone : zoneOf(found[5]);
  if (!zone) return undefined;
  const ms = Number((found[4] ?? '0').padEnd(3, '0').slice(0, 3));
  const at = zone.at(day.year, day.month, day.day, hour, minute, second, ms);
  return { from: at, to: at, length: parted ? 1 : 2, kind: 'name' };
}

/** A time of day: `14:00`, `at 9am`, `noon`. */
export function clockAt(
  words: readonly string[],
  i: number,
): { readonly hour: number; readonly minute: number; readonly length: number } | undefined {
  const lead = words[i] === 'at' ? 1 : 0;
  const word = words[i + lead] ?? '';
  const length = lead + 1;
  if (word === 'noon') return { hour: 12, minute: 0, length };
  if (word === 'midnight') return { hour: 0, minute: 0, length };
  const found = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/.exec(word);
  if (!found || (found[2] === undefined && found[3] === undefined)) return undefined;
  const [hour, minute] = [Number(found[1]), Number(found[2] ?? 0)];
  if (minute > 59) return undefined;
  if (found[3] === undefined) return hour < 24 ? { hour, minute, length } : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return { hour: (hour % 12) + (found[3] === 'pm' ? 12 : 0), minute, length };
}
