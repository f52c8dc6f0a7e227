import { SOURCES } from '../../agents/registry.ts';
import type { Stores } from '../../holdings/stores.ts';
import { fold } from '../../lexical/words/folding.ts';
import { escaped } from '../matching/sql.ts';
import { FIELD_NAMES, type FieldName, ROLES, SESSION_TYPES, STATES } from '../query/query.ts';
import { MONTHS, WEEKDAYS } from '../query/times/names.ts';

/** Something that the piece being typed may become. */
export interface Suggestion {
  readonly kind: 'field' | 'value' | 'word' | 'time';
  /** What takes the piece's place, quoted where it must be. */
  readonly text: string;
  /** What it stands for, where the text does not say: a session's title, a source's name. */
  readonly label?: string;
  /** How many sessions, turns or passages have it, where it was counted. */
  readonly count?: number;
}

export interface Suggestions {
  /** The piece being typed, UTF-16 offsets: what a suggestion takes the place of. */
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly Suggestion[];
}

const MOST = 12;
/** Shorter beginnings are those of too many names, and of far too many words. */
const SHORTEST_NAME = 2;
const SHORTEST_WORD = 3;

const TIMES = [
  'today',
  'yesterday',
  'this week',
  'last week',
  'this month',
  'last month',
  'last 3 days',
  ...WEEKDAYS,
  ...MONTHS.map((month) => `in ${month}`),
];
const TIME_VALUES = ['today', 'yesterday', '3d', '1w', '2w', '1mo', ...WEEKDAYS, 'last week', 'last month', ...MONTHS];

/**
 * What the piece at the cursor (a UTF-16 offset; the end where none is given) may become: names of fields, values of
 * one by how often they occur, times, and words of the index by frequency.
 */
export function suggest(stores: Stores, text: string, cursor = text.length): Suggestions {
  const at = Math.min(Math.max(0, cursor), text.length);
  const start = startOfPiece(text, at);
  const typed = text.slice(start, at);
  const field = /^([a-z]+):(.*)$/is.exec(typed);
  const name = FIELD_NAMES.find((one) => one === field?.[1]?.toLowerCase());
  if (name !== undefined) {
    const values = field![2]!;
    const from = start + typed.length - values.length + startOfValue(values);
    const begun = text.slice(from, at).replace(/^"/, '');
    return { from, to: at, suggestions: valuesOf(stores, name, begun).slice(0, MOST) };
  }
  if (typed === '' || typed.startsWith('"')) return { from: start, to: at, suggestions: [] };
  const suggestions = [
    ...fieldsLike(typed),
    ...timesLike(typed),
    ...projectsLike(stores, typed),
    ...wordsLike(stores, typed),
  ];
  return { from: start, to: at, suggestions: suggestions.slice(0, MOST) };
}

/** Where the piece at the cursor begins, past a dash or a parenthesis: spaces inside quotes part nothing. */
function startOfPiece(text: string, cursor: number): number {
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < cursor; i++) {
    if (text[i] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /\s/.test(text[i]!)) start = i + 1;
  }
  while (start < cursor && /[-(]/.test(text[start]!)) start++;
  return start;
}

/** Where the last value of a list begins. */
function startOfValue(values: string): number {
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < values.length; i++) {
    if (values[i] === '"') isQuoted = !isQuoted;
    else if (values[i] === ',' && !isQuoted) start = i + 1;
  }
  return start;
}

function begins(text: string, beginning: string): boolean {
  return fold(text).startsWith(fold(beginning));
}

function quotedWhereNeeded(value: string): string {
  return /^[^\s",()]+$/.test(value) ? value : `"${value.replaceAll('"', '""')}"`;
}

function fieldsLike(typed: string): Suggestion[] {
  return FIELD_NAMES.filter((name) => begins(name, typed)).map((name) => ({ kind: 'field', text: `${name}:` }));
}

function timesLike(typed: string): Suggestion[] {
  if (typed.length < SHORTEST_NAME) return [];
  return TIMES.filter((time) => begins(time, typed)).map((time) => ({ kind: 'time', text: time }));
}

function projectsLike(stores: Stores, typed: string): Suggestion[] {
  if (typed.length < SHORTEST_NAME) return [];
  return counted(stores, COUNTS.project, typed)
    .slice(0, 3)
    .map(({ value, count }) => ({ kind: 'value', text: `project:${quotedWhereNeeded(value)}`, count }));
}

/** Words of the index that begin like the one being typed; what stands before its last joiner stays. */
function wordsLike({ lexical }: Stores, typed: string): Suggestion[] {
  const last = /[\p{L}\p{N}\p{M}_]+$/u.exec(typed)?.[0] ?? '';
  if (last.length < SHORTEST_WORD) return [];
  const before = typed.slice(0, typed.length - last.length);
  const beginning = fold(last);
  return lexical
    .terms(beginning, MOST)
    .filter((term) => term !== beginning)
    .map((term) => ({ kind: 'word', text: before + term, count: lexical.documentFrequency(term) }));
}

interface Counted {
  readonly value: string;
  readonly count: number;
}

/** Values with counts, most first; `?` is a pattern that the value has. */
const COUNTS = {
  project: `SELECT project AS value, count(*) AS count FROM sessions WHERE hidden = 0 AND project LIKE ? ESCAPE '\\'
    GROUP BY project ORDER BY count DESC, value LIMIT ?`,
  branch: `SELECT branch AS value, count(*) AS count FROM sessions WHERE hidden = 0 AND branch LIKE ? ESCAPE '\\'
    GROUP BY branch ORDER BY count DESC, value LIMIT ?`,
  model: `SELECT model.value AS value, count(*) AS count FROM sessions s, json_each(s.more, '$.models') model
    WHERE s.hidden = 0 AND model.value LIKE ? ESCAPE '\\' GROUP BY model.value ORDER BY count DESC, value LIMIT ?`,
  tool: `SELECT name AS value, count(*) AS count FROM tools WHERE name LIKE ? ESCAPE '\\'
    GROUP BY name ORDER BY count DESC, value LIMIT ?`,
  path: `SELECT path AS value, count(*) AS count FROM touches WHERE path LIKE ? ESCAPE '\\'
    GROUP BY path ORDER BY count DESC, value LIMIT ?`,
} as const;

/** Values that begin as typed. */
function counted(stores: Stores, sql: string, typed: string, before = ''): Counted[] {
  return stores.catalog.db.rows<Counted & Record<string, string | number>>(sql, `${before}${escaped(typed)}%`, MOST);
}

function valuesOf(stores: Stores, field: FieldName, typed: string): Suggestion[] {
  switch (field) {
    case 'source':
      // An agent without sessions is named where it is asked for.
      return SOURCES.filter(({ id, label }) => begins(id, typed) || begins(label, typed))
        .map(({ id, label }) => ({ kind: 'value' as const, text: id, label, count: sessionsOf(stores, id) }))
        .filter(({ count }) => typed !== '' || count > 0)
        .sort((a, b) => b.count - a.count);
    case 'role':
      return listed(ROLES, typed);
    case 'is':
      return listed(STATES, typed);
    case 'type':
      return listed(SESSION_TYPES, typed);
    case 'since':
    case 'until':
      return TIME_VALUES.filter((time) => begins(time, typed)).map((time) => ({
        kind: 'time',
        text: quotedWhereNeeded(time),
      }));
    case 'session':
      return sessionsLike(stores, typed);
    case 'intent':
    case 'machine':
      return [];
    case 'path':
      // A path is known by what stands in it.
      return typed.length < SHORTEST_NAME ? [] : values(counted(stores, COUNTS.path, typed, '%'));
    default:
      return values(counted(stores, COUNTS[field], typed));
  }
}

function values(found: readonly Counted[]): Suggestion[] {
  return found.map(({ value, count }) => ({ kind: 'value', text: quotedWhereNeeded(value), count }));
}

function listed(names: readonly string[], typed: string): Suggestion[] {
  return names.filter((name) => begins(name, typed)).map((text) => ({ kind: 'value', text }));
}

function sessionsOf(stores: Stores, source: string): number {
  return stores.catalog.sessionsOf(source);
}

/** The newest sessions whose id begins as typed, or whose title has it. */
function sessionsLike({ catalog }: Stores, typed: string): Suggestion[] {
  const [beginning, inside] = [`${escaped(typed)}%`, `%${escaped(typed)}%`];
  const where = `s.hidden = 0 AND coalesce(s.relation, '') <> 'subagent'
    AND (s.native_id LIKE ? ESCAPE '\\' OR s.key LIKE ? ESCAPE '\\' OR s.title LIKE ? ESCAPE '\\')`;
  return catalog
    .sessions(where, [beginning, beginning, inside], 's.active DESC, s.id DESC', MOST)
    .map(({ key, title }) => ({ kind: 'value', text: key, ...(title !== undefined && { label: title }) }));
}
