import { type RedactedText, Redactor } from './redactor.ts';
import { RULES } from './rules/index.ts';

/** Raised with every change of what is hidden: what was kept under a lower one is redacted again. */
export const REDACTOR_VERSION = 2;

const redactor = new Redactor(RULES);

/**
 * The choke point: every text passes here, decoded and whole, before it is stored, scored, shown or sent. Gives the text
 * with each secret replaced by its label, and their number; the very same string where there was none.
 */
export function redactText(text: string): RedactedText {
  return redactor.redact(text);
}

/** A JSON value without its secrets, and how many there were. */
export interface Redacted<T> {
  readonly value: T;
  readonly count: number;
}

/** What stands for a value nested deeper than this, or inside itself: it is not read, so it must not pass. */
const DEEPEST = 500;
const TOO_DEEP = '[TOO_DEEP]';

/**
 * A JSON value (a tool's arguments) with the secrets hidden in its strings and its keys. The value itself, not a copy,
 * where there was none.
 */
export function redactDeep<T>(value: T): Redacted<T> {
  const tally = { count: 0 };
  return { value: walk(value, tally, []) as T, count: tally.count };
}

/** `above` are the arrays and objects that the value stands in. */
function walk(value: unknown, tally: { count: number }, above: object[]): unknown {
  if (typeof value === 'string') {
    const { text, count } = redactText(value);
    tally.count += count;
    return text;
  }
  if (value === null || typeof value !== 'object') return value;
  if (above.length >= DEEPEST || above.includes(value)) return TOO_DEEP;
  above.push(value);
  const out = Array.isArray(value) ? walkArray(value, tally, above) : walkObject(value, tally, above);
  above.pop();
  return out;
}

function walkArray(array: readonly unknown[], tally: { count: number }, above: object[]): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < array.length; index++) {
    const item = walk(array[index], tally, above);
    if (item === array[index] || Number.isNaN(item)) continue;
    copy ??= array.slice();
    copy[index] = item;
  }
  return copy ?? array;
}

function walkObject(object: object, tally: { count: number }, above: object[]): unknown {
  let changed = false;
  const entries: [string, unknown][] = [];
  const names = new Set<string>();
  for (const [key, item] of Object.entries(object)) {
    const name = distinct(walk(key, tally, []) as string, names);
    const kept = walk(item, tally, above);
    names.add(name);
    changed ||= name !== key || (kept !== item && !Number.isNaN(kept));
    entries.push([name, kept]);
  }
  // Not by assignment: a key may be `__proto__`.
  return changed ? Object.fromEntries(entries) : object;
}

/** A name not yet taken: two keys that become one label stay two. */
function distinct(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} (${number})`)) number++;
  return `${name} (${number})`;
}
