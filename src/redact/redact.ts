import { hash53 } from '../transcript/index.ts';
import { finderOf } from './patterns.ts';
import { isLikelySecret } from './plausible.ts';
import { type Found, type RedactedText, Redactor } from './redactor.ts';
import { RULES } from './rules/index.ts';
import { sortOfName } from './rules/names.ts';

/** Raised with every change of what is hidden: what was kept under a lower one is redacted again. */
export const REDACTOR_VERSION = 4;

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

/**
 * A JSON value (a tool's arguments) with the secrets hidden in its strings and its keys. A string is judged with the name
 * that it has there, or the flag before it in a list. The value itself, not a copy, where there was none.
 */
export function redactDeep<T>(value: T): Redacted<T> {
  const tally = { count: 0 };
  return { value: walk(value, '', tally, []) as T, count: tally.count };
}

/** `above` are the arrays and objects that the value stands in, `name` is what it is called there. */
function walk(value: unknown, name: string, tally: { count: number }, above: object[]): unknown {
  if (typeof value === 'string') {
    const { text, count } = redactNamed(name, value);
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

function walkArray(array: readonly unknown[], name: string, tally: { count: number }, above: object[]): unknown {
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

function walkObject(object: object, tally: { count: number }, above: object[]): unknown {
  let changed = false;
  const entries: [string, unknown][] = [];
  const names = new Set<string>();
  for (const [key, item] of Object.entries(object)) {
    const name = distinct(walk(key, '', tally, []) as string, names);
    const kept = walk(item, key === 'value' ? nameIn(object) : key, tally, above);
    names.add(name);
    changed ||= name !== key || (kept !== item && !Number.isNaN(kept));
    entries.push([name, kept]);
  }
  // Not by assignment: a key may be `__proto__`.
  return changed ? Object.fromEntries(entries) : object;
}

function isFlag(value: unknown): value is string {
  return typeof value === 'string' && value.length < 64 && value.startsWith('-');
}

/** What an object calls its `value`: `{ name: 'DB_PASSWORD', value: '…' }`. */
function nameIn(object: object): string {
  const { name, key } = object as { readonly name?: unknown; readonly key?: unknown };
  return typeof name === 'string' ? name : typeof key === 'string' ? key : '';
}

/** A text with the name it has: `password`, `Authorization`, `-u`. */
function redactNamed(name: string, text: string): RedactedText {
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
