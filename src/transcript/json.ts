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
  const out: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const spelled = MAPS.has(key) ? name : snake(name);
    out[spelled] = VERBATIM.has(name) ? item : toJson(item, MAPS.has(key) ? '' : name);
  }
  return out;
}

/** An ISO 8601 string in UTC, or undefined for a time that no calendar has. */
export function isoTime(ms: number | undefined): string | undefined {
  if (ms === undefined || !Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return undefined;
  return new Date(ms).toISOString();
}
