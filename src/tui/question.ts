import { Matcher } from '../search/matching/matcher.ts';
import { mayBecome } from '../search/query/closed-fields.ts';
import { parseQuery } from '../search/query/parse.ts';
import { wordOf } from '../search/query/pieces.ts';
import { type Clause, FIELD_NAMES, type FieldName, type Query } from '../search/query/query.ts';
import { isTooShort } from './query-text.ts';

/** Filters of a session itself: with nothing else a query lists sessions. */
const OF_SESSION: ReadonlySet<FieldName> = new Set<FieldName>([
  'source',
  'project',
  'session',
  'branch',
  'model',
  'machine',
  'since',
  'until',
]);
/** A shorter word is no beginning: it would be that of too many. */
const BEGINNING = /[\p{L}\p{N}_]{3,}$/u;

/** The query that a text asks for while it is typed: its last word may only be begun. */
export function queryOf(text: string, now: number): Query {
  const query = parseQuery(text, now);
  const last = query.clauses.at(-1);
  if (last && isBegunField(last, text)) return { ...query, clauses: query.clauses.slice(0, -1) };
  if (last?.type !== 'word' || !BEGINNING.test(last.text) || !text.endsWith(last.text)) return query;
  return { ...query, clauses: [...query.clauses.slice(0, -1), { ...last, prefix: true }] };
}

/** Whether a field stands at the end whose value is still to be typed, or may become one. */
function isBegunField(last: Clause, text: string): boolean {
  if (last.type === 'unreadable') return text.endsWith(last.value) && mayBecome(last.field, last.value);
  return last.type === 'word' && text.endsWith(last.text) && FIELD_NAMES.some((name) => last.text === `${name}:`);
}

/** Whether a query looks for nothing, and so lists sessions. */
export const isListing = ({ clauses }: Query): boolean => clauses.every(isOfSession);

function isOfSession(clause: Clause): boolean {
  return clause.type === 'not' ? isOfSession(clause.of) : clause.type === 'filter' && OF_SESSION.has(clause.field);
}

/** Finds the words that a text looks for, and others that were looked for too; undefined where there are none. */
export function matcherOf(text: string, now: number, also: readonly string[] = []): Matcher | undefined {
  const query = queryOf(text, now);
  if (isListing(query) || isTooShort(text)) return undefined;
  const matcher = new Matcher({ clauses: [...query.clauses, ...also.map(wordOf)] });
  return matcher.isEmpty ? undefined : matcher;
}
