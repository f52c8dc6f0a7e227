import { hash53 } from '../transcript/index.ts';
import { finderOf } from './patterns.ts';
import { isLikelySecret } from './plausible.ts';
import { type Found, type RedactedText, Redactor } from './redactor.ts';
import { RULES } from './rules/index.ts';
import { sortOfName } from './rules/names.ts';

/** Raised with every change of what is hidden or mended: what was kept under a lower one is redacted again. */
export const REDACTOR_VERSION = 5;

/** What is hidden besides what the rules find, and what is not although they find it. */
export interface Redaction {
  /** Secrets known by their value: kept in memory, written nowhere. */
  readonly values: readonly string[];
  /** The user's own patterns. */
  readonly patterns: readonly string[];
  /** Texts that look like secrets and are none. */
  readonly allow: readonly string[];
}

let redaction: Redaction = { values: [], patterns: [], allow: [] };
let finders: readonly ReturnType<typeof finderOf>[] = [];
/** Made with the first text: many programs never see one. */
let redactor: Redactor | undefined;

/**
 * What this process redacts with, from here on: one for all of it, as there is one choke point.
 * @throws SyntaxError for a pattern that cannot be run in linear time
 */
export function redactWith(chosen: Redaction): void {
  finders = chosen.patterns.map(finderOf);
  redaction = chosen;
  redactor = undefined;
}

function currentRedactor(): Redactor {
  const { values, allow } = redaction;
  redactor ??= new Redactor(RULES, { values, allow, patterns: finders });
  return redactor;
}

/** What this process redacts with: for its workers, which have memory of their own. */
export function currentRedaction(): Redaction {
  return redaction;
}

/**
 * A number of 32 bits for what the redactor hides: its version and what the user has set. What was kept under another
 * one is redacted again. Values known from the environment change from day to day and do not count.
 */
export function redactionStamp(): number {
  return hash53(JSON.stringify([REDACTOR_VERSION, redaction.patterns, redaction.allow])) % 2 ** 32;
}

/**
 * The choke point: every text passes here, decoded and whole, before it is stored, scored, shown or sent. Gives the text
 * with each secret replaced by its label, and their number; the very same string where there was none.
 */
export function redactText(text: string): RedactedText {
  return currentRedactor().redact(text);
}

/** Where the secrets of a text stand, for a text that is redacted in pieces. */
export function findSecrets(text: string): readonly Found[] {
  return currentRedactor().find(text);
}

/** A JSON value without its secrets, and how many there were. */
export interface Redacted<T> {
  readonly value: T;
  readonly count: number;
}

/** What stands for a value nested deeper than this, or inside itself: it is not read, so it must not pass. */
const DEEPEST = 500;
const TOO_DEEP = '[TOO_DEEP]';

/** Hides the secrets of a text that has a name: that of a member of an object, the flag before it in a list. */
export type Hide = (name: string, text: string) => RedactedText;

interface Tally {
  readonly hide: Hide;
  readonly data: string | undefined;
  count: number;
}

/**
 * A JSON value (a tool's arguments) with the secrets hidden in its strings and its keys. A string is judged with the name
 * that it has there, or the flag before it in a list. The value itself, not a copy, where there was none.
 */
export function redactDeep<T>(value: T): Redacted<T> {
  return deep(value, { hide: redactNamed, data: undefined, count: 0 });
}

/**
 * A value of our own making: its strings are hidden by `hide`, its keys stay, but for those below a member that is called
 * `data`, which is a JSON value of somebody else's.
 */
export function redactOwn<T>(value: T, hide: Hide, data: string): Redacted<T> {
  return deep(value, { hide, data, count: 0 });
}

function deep<T>(value: T, tally: Tally): Redacted<T> {
  // What is walked keeps its shape: strings alone are replaced, by strings.
  return { value: walk(value, '', tally, []) as T, count: tally.count };
}

/** `above` are the arrays and objects that the value stands in, `name` is what it is called there. */
function walk(value: unknown, name: string, tally: Tally, above: object[]): unknown {
  if (typeof value === 'string') {
    // Half of a character, as a cut leaves it, is no text: programs refuse the JSON that holds one.
    const { text, count } = tally.hide(name, value.toWellFormed());
    tally.count += count;
    return text;
  }
  if (value === null || typeof value !== 'object') return value;
  if (above.length >= DEEPEST || above.includes(value)) return TOO_DEEP;
  above.push(value);
  const out = Array.isArray(value) ? walkArray(value, name, tally, above) : walkObject(value, tally, above);
  above.pop();
  return out;
}

function walkArray(array: readonly unknown[], name: string, tally: Tally, above: object[]): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < array.length; index++) {
    const before = array[index - 1];
    const item = walk(array[index], isFlag(before) ? before : name, tally, above);
    if (item === array[index] || Number.isNaN(item)) continue;
    copy ??= array.slice();
    copy[index] = item;
  }
  return copy ?? array;
}

function walkObject(object: object, tally: Tally, above: object[]): unknown {
  let changed = false;
  const entries: [string, unknown][] = [];
  const names = new Set<string>();
  for (const [key, item] of Object.entries(object)) {
    const name = tally.data === undefined ? distinct(walk(key, '', tally, []) as string, names) : key;
    const kept =
      key === tally.data ? foreign(item, tally) : walk(item, /^value$/i.test(key) ? nameIn(object) : key, tally, above);
    names.add(name);
    changed ||= name !== key || (kept !== item && !Number.isNaN(kept));
    entries.push([name, kept]);
  }
  // Not by assignment: a key may be `__proto__`.
  return changed ? Object.fromEntries(entries) : object;
}

function foreign(value: unknown, tally: Tally): unknown {
  const redacted = redactDeep(value);
  tally.count += redacted.count;
  return redacted.value;
}

function isFlag(value: unknown): value is string {
  return typeof value === 'string' && value.length < 64 && value.startsWith('-');
}

/** What an object calls its `value`: `{ name: 'DB_PASSWORD', value: '…' }`, a browser's cookie. */
function nameIn(object: object): string {
  const entries = new Map<string, unknown>(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value]));
  if (COOKIES.some((key) => entries.has(key))) return 'cookie_token';
  const names = NAMING.map((key) => entries.get(key)).filter((name) => typeof name === 'string');
  return names.find((name) => sortOfName(name, '') !== undefined) ?? names[0] ?? '';
}

/** What objects call the name of their value, in any case. */
const NAMING = ['name', 'key', 'label', 'id'];
/** What an object has that is a cookie. */
const COOKIES = ['httponly', 'samesite', 'hostonly'];

/** A text without its secrets, judged with the name it has: `password`, `Authorization`, `-u`. */
export function redactNamed(name: string, text: string): RedactedText {
  const alone = redactText(text);
  if (alone.count > 0 || name === '' || name.length > 200 || text.length < 6) return alone;
  const sort = sortOfName(name, text);
  if (sort !== undefined && isLikelySecret(text, sort) && !redaction.allow.includes(text))
    return { text: '[SECRET]', count: 1 };
  if (!/auth|cookie|^-/i.test(name)) return alone;
  const before = ` ${name}${name.startsWith('-') ? '' : ':'} `;
  const together = redactText(before + text);
  return together.text.startsWith(before) ? { ...together, text: together.text.slice(before.length) } : alone;
}

/** A name not yet taken: two keys that become one label stay two. */
function distinct(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} (${number})`)) number++;
  return `${name} (${number})`;
}
