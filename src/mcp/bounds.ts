/** The longest query: a pasted log is one. */
export const LONGEST_QUERY = 20_000;
/** The longest id, name, path or time that is asked for. */
export const LONGEST_NAME = 1000;

/** What an answer is made of: as much as was asked for, by `limit` and `max_chars`. */
const ASKED_FOR: ReadonlySet<string> = new Set([
  'text',
  'output',
  'input',
  'input_text',
  'hits',
  'parts',
  'highlights',
]);
/** Of everything else in an answer, as titles, sub-agents, files, warnings, so much. */
const MOST_CHARACTERS = 500;
const MOST_ITEMS = 20;

/** A text of one line that says what something is: not the whole of one that is longer than any should be. */
export function brief(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
}

/**
 * A document, as it is printed, within bounds whatever a history holds: agents pay for each character. Beside a list that
 * was cut stands how many are left out, as `children_left_out`.
 */
export function bounded(document: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(document).flatMap(([key, value]): [string, unknown][] => {
      if (ASKED_FOR.has(key) && !Array.isArray(value)) return [[key, value]];
      if (!Array.isArray(value) || ASKED_FOR.has(key) || value.length <= MOST_ITEMS) return [[key, within(value)]];
      return [
        [key, within(value.slice(0, MOST_ITEMS))],
        [`${key}_left_out`, value.length - MOST_ITEMS],
      ];
    }),
  );
}

function within(value: unknown): unknown {
  if (typeof value === 'string') return brief(value);
  if (Array.isArray(value)) return value.map(within);
  return value === null || typeof value !== 'object' ? value : bounded(value);
}
