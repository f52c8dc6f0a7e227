/** The query as text: what the picker's own keys add to it and take from it, so that what is asked is always to be seen. */

const PIECE = /-?[a-z]+:(?:"[^"]*"|\S+)|"[^"]*"?|\S+/gi;
const STARRED = 'is:starred';
/** Filters of a session itself: with nothing else a query lists sessions. */
const OF_SESSION = /^-?(?:source|project|session|since|until|branch|model|machine):./i;
const OF_TURN = /^-?(?:role|tool|path|is|type|intent):./i;

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
    .filter((piece) => !OF_SESSION.test(piece) && !OF_TURN.test(piece))
    .join(' ');

export const toggleStarred = (text: string) => toggleFilters(text, [STARRED]);

/** Whether only what is starred is asked for, and the rest of the query. */
export function starredPart(text: string): { readonly isStarred: boolean; readonly rest: string } {
  const isStarred = piecesOf(text).includes(STARRED);
  return { isStarred, rest: isStarred ? toggleStarred(text) : text.trim() };
}

/** Whether a query holds nothing to look for: it lists sessions. */
export const isListing = (text: string) => piecesOf(text).every((piece) => OF_SESSION.test(piece));

/** One letter finds half of everything: titles answer it. */
export const isTooShort = (text: string) => /^[a-z\d]$/i.test(text.trim());

/** The query while its last word is being typed: the word may only be begun. */
export const asTyped = (text: string) =>
  /(?:^|\s)[\p{L}\p{N}_]{3,}$/u.test(text) && (text.match(/"/g) ?? []).length % 2 === 0 ? `${text}*` : text;
