const TIMES: ReadonlySet<string> = new Set([
  'at',
  'startedAt',
  'endedAt',
  'activeAt',
  'resetsAt',
  'lastChange',
  'since',
  'until',
]);

/** Keys whose values are the agents' own data, or maps whose keys are names: what is below them is not renamed. */
const VERBATIM: ReadonlySet<string> = new Set(['input']);
const MAPS: ReadonlySet<string> = new Set([
  'tokensByModel',
  'sources',
  'unknownRecords',
  'notShown',
  'source',
  'project',
  'type',
  'month',
]);

const snake = (key: string) =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/([a-z])(\d)/g, '$1_$2');

/**
 * The JSON that the doors print: keys in snake_case, times as ISO strings, what is undefined left out.
 * A tool's arguments (`input`) stay as the agent wrote them; the keys of maps (models, sources) stay too.
 */
export function toJson(value: unknown, key = ''): unknown {
  if (typeof value === 'number') return TIMES.has(key) ? isoTime(value) : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => toJson(item));
  // By entries, not by assignment: a model may be called `__proto__`.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      if (item === undefined) return [];
      if (MAPS.has(key)) return [[name, toJson(item)]];
      return [[snake(name), VERBATIM.has(name) ? item : toJson(item, name)]];
    }),
  );
}

/**
 * What a terminal obeys or does not show: controls but for those of a line, direction marks, characters of no width, line
 * separators, tags.
 */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/**
 * A value as JSON that can be printed anywhere and that every reader takes: the very same value, with nothing unseen in its
 * text, but for halves of characters, which are no text.
 */
export function jsonText(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent);
  return printableJson(HALF.test(json) ? json.replace(ESCAPE, whole) : json);
}

/** JSON, a line or a piece of it, with nothing unseen in its text: as the value that it stands for it is the same. */
export function printableJson(json: string): string {
  return json.replace(UNSAFE, escapedSign);
}

/** The half of a character, as `JSON.stringify` writes it; a text that tells of one may look like it. */
const HALF = /\\ud[89a-f]/;
/** Escapes one after the other: the second sign of `\\` begins none. */
const ESCAPE = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g;

const whole = (sign: string) => (sign.length === 2 ? sign : '\ufffd');

function escapedSign(sign: string): string {
  return [...Array(sign.length).keys()].map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}

/** An ISO 8601 string in UTC, or undefined for a time that no calendar has. */
export function isoTime(ms: number | undefined): string | undefined {
  if (ms === undefined || !Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return undefined;
  return new Date(ms).toISOString();
}
