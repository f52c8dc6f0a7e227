/**
 * The most characters of an answer, its document as JSON and its text together: 25,000 tokens, about what Claude Code takes
 * of a tool.
 */
export const BUDGET = 100_000;

/** The longest query: a pasted log is one. */
export const LONGEST_QUERY = 20_000;
/** The longest name, path or time that is asked for. */
export const LONGEST_NAME = 1000;
export const LONGEST_ID = 500;

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
/** Of the items of a list together, in JSON. */
const MOST_IN_JSON = 4000;
/** More members has no object of ours: it is a map of names, and these are cut too. */
const MOST_MEMBERS = 40;
const LONGEST_MEMBER = 200;

/** Characters of a value in JSON. */
export function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** A text of one line that says what something is: not the whole of one that is longer than any should be. */
export function brief(text: string, most = MOST_CHARACTERS): string {
  let kept = text.slice(0, most);
  while (sizeOf(kept) > 2 * most) kept = kept.slice(0, kept.length >> 1);
  return kept.length === text.length ? text : `${kept.toWellFormed()}…`;
}

/** The first lines of several, and how many more there are. */
export function briefLines(lines: readonly string[]): string[] {
  const more = lines.length - MOST_ITEMS;
  return [...lines.slice(0, MOST_ITEMS).map((line) => brief(line)), ...(more > 0 ? [`… and ${more} more`] : [])];
}

/**
 * A document, as it is printed, within bounds whatever a history holds: agents pay for each character. Beside a list or a
 * map that was cut stands how many are left out, as `children_left_out`.
 */
export function bounded(document: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(document).flatMap(([key, value]): [string, unknown][] => {
      if (ASKED_FOR.has(key)) return [[key, Array.isArray(value) ? value.map(within) : value]];
      const { kept, leftOut } = cut(value);
      return [[key, kept], ...(leftOut > 0 ? [[`${key}_left_out`, leftOut] satisfies [string, number]] : [])];
    }),
  );
}

function cut(value: unknown): { readonly kept: unknown; readonly leftOut: number } {
  if (Array.isArray(value)) {
    const kept = firstOf(value);
    return { kept, leftOut: value.length - kept.length };
  }
  if (value === null || typeof value !== 'object') return { kept: within(value), leftOut: 0 };
  const members = Object.entries(value);
  const kept = members.slice(0, MOST_MEMBERS).map(([name, member]) => [brief(name, LONGEST_MEMBER), member] as const);
  return { kept: bounded(Object.fromEntries(kept)), leftOut: members.length - kept.length };
}

function firstOf(list: readonly unknown[]): unknown[] {
  const first: unknown[] = [];
  let size = 0;
  for (const item of list.slice(0, MOST_ITEMS)) {
    const kept = within(item);
    size += sizeOf(kept);
    if (first.length > 0 && size > MOST_IN_JSON) break;
    first.push(kept);
  }
  return first;
}

function within(value: unknown): unknown {
  if (typeof value === 'string') return brief(value);
  if (Array.isArray(value)) return firstOf(value);
  return value === null || typeof value !== 'object' ? value : bounded(value);
}
