export const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

/** A month by its name or its beginning, from 0. */
export function monthOf(word: string): number | undefined {
  if (word.length < 3) return undefined;
  const index = MONTHS.findIndex((month) => month === word || month.slice(0, 3) === word || word === 'sept');
  if (word === 'sept') return 8;
  return index < 0 ? undefined : index;
}

/** A weekday by its name or a usual beginning of it, from 0 for Monday. */
export function weekdayOf(word: string): { readonly index: number; readonly isWhole: boolean } | undefined {
  if (word.length < 3) return undefined;
  const index = WEEKDAYS.findIndex((day) => day === word || day.slice(0, 3) === word || SHORT.get(word) === day);
  return index < 0 ? undefined : { index, isWhole: WEEKDAYS[index] === word };
}

const SHORT: ReadonlyMap<string, (typeof WEEKDAYS)[number]> = new Map([
  ['tues', 'tuesday'],
  ['wednes', 'wednesday'],
  ['thur', 'thursday'],
  ['thurs', 'thursday'],
]);

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ['minute', 'minute'],
  ['minutes', 'minute'],
  ['mins', 'minute'],
  ['hour', 'hour'],
  ['hours', 'hour'],
  ['hrs', 'hour'],
  ['day', 'day'],
  ['days', 'day'],
  ['week', 'week'],
  ['weeks', 'week'],
  ['month', 'month'],
  ['months', 'month'],
  ['year', 'year'],
  ['years', 'year'],
]);

export function unitOf(word: string): Unit | undefined {
  return UNITS.get(word);
}

const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** A number of at most four digits, or its word: `3`, `three`, `a`, `a couple of`, `few` (three). */
export function numberOf(
  words: readonly string[],
  i: number,
): { readonly value: number; readonly length: number } | undefined {
  const word = words[i] ?? '';
  if (/^\d{1,4}$/.test(word)) return { value: Number(word), length: 1 };
  const lead = word === 'a' && (words[i + 1] === 'couple' || words[i + 1] === 'few') ? 1 : 0;
  const name = words[i + lead];
  if (name === 'couple') return { value: 2, length: lead + (words[i + lead + 1] === 'of' ? 2 : 1) };
  if (name === 'few') return { value: 3, length: lead + 1 };
  if (word === 'a' || word === 'an') return { value: 1, length: 1 };
  const value = word === '' ? -1 : NUMBERS.indexOf(word);
  return value > 0 ? { value, length: 1 } : undefined;
}

const MOMENTS: ReadonlySet<string> = new Set(['today', 'yesterday', 'now', 'noon', 'midnight', 'night', 'morning']);
const RELATIVES: ReadonlySet<string> = new Set(['last', 'past', 'previous', 'this']);

/** Whether a word, in lower case and without punctuation, can be what makes others speak of time. No time is named without one. */
export function isOfTime(word: string): boolean {
  const isNamed = monthOf(word) !== undefined || weekdayOf(word) !== undefined || unitOf(word) !== undefined;
  return isNamed || /^\d/.test(word) || MOMENTS.has(word) || RELATIVES.has(word);
}
