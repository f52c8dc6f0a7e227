import { FIELD_NAMES } from '../search/query/query.ts';

/** The query as text: what the picker's own keys add to it and take from it, so that what is asked is always to be seen. */

const PIECE = /-?[a-z]+:(?:"[^"]*"|\S+)|"[^"]*"?|\S+/gi;
const STARRED = 'is:starred';
const FILTER = new RegExp(`^-?(?:${FIELD_NAMES.join('|')}):.`, 'i');

const piecesOf = (text: string): string[] => text.match(PIECE) ?? [];

/** A filter as it is written. */
export const filterOf = (field: string, value: string) =>
  `${field}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value}`;

/** The filters for a month: `2026-11`. */
export const monthFilters = (month: string) => [`since:${month}`, `until:${month}`];

export const hasFilters = (text: string, filters: readonly string[]) => {
  const pieces = piecesOf(text);
  return filters.every((filter) => pieces.includes(filter));
};

/** The text with filters before its end, or without them where it has them. A word may be typed on behind them. */
export function toggleFilters(text: string, filters: readonly string[]): string {
  const pieces = piecesOf(text);
  const left = pieces.filter((piece) => !filters.includes(piece));
  return (hasFilters(text, filters) ? left : [...filters, ...left]).join(' ');
}

/** The text without any filter. */
export const withoutFilters = (text: string) =>
  piecesOf(text)
    .filter((piece) => !FILTER.test(piece))
    .join(' ');

export const toggleStarred = (text: string) => toggleFilters(text, [STARRED]);

/** Whether nothing is asked for but all that is starred: that is a list of its own, the newest star first. */
export const isStarList = (text: string) => text.trim() === STARRED;

/** One letter finds half of everything: titles answer it. */
export const isTooShort = (text: string) => /^[a-z\d]$/i.test(text.trim());
