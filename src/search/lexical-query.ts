import { PassageFlag } from '../ingest/passages.ts';
import type { Field } from '../lexical/fields.ts';
import type { LexicalQuery, PassageFilter, Term } from '../lexical/lexical-index.ts';
import { eachRun, isCjk, sequenceTokens, wordTokens } from '../lexical/tokens.ts';
import type { Filters, Query, Role, Word } from './query.ts';

const FIELDS_OF_ROLE: Readonly<Record<Role, readonly Field[]>> = {
  user: ['prompt'],
  assistant: ['answer', 'thinking', 'tools'],
  tool: ['output'],
};

/** The fields that a query's roles speak in; undefined where it names none. */
export function fieldsOf(filters: Filters): readonly Field[] | undefined {
  return filters.role?.flatMap((role) => FIELDS_OF_ROLE[role]);
}

/** A word as the index has it; undefined where it holds nothing that is indexed. */
export function termOf(word: Word): Term | undefined {
  const runs: string[][] = [];
  const sequence: string[] = [];
  let last = '';
  eachRun(word.text, (start, end) => {
    last = word.text.slice(start, end);
    const tokens = wordTokens(last);
    if (tokens.length > 0) runs.push(tokens);
    sequence.push(...sequenceTokens(last));
  });
  const [only, ...others] = runs;
  if (!only) return undefined;
  if (isCjk(last)) return cjkTerm(runs);
  if (others.length > 0 || only.length === 1)
    return { alternatives: [sequence], prefix: word.prefix || isShortCommit(sequence) };
  // An identifier is found whole, and where it stands in another spelling: `getUser` finds `get_user`.
  const [whole, ...parts] = only;
  return { alternatives: [[whole!], parts], prefix: word.prefix };
}

/** Whether a word is the beginning of a commit's name as people write it: the index has more of it where all was said. */
function isShortCommit(tokens: readonly string[]): boolean {
  const [only, ...others] = tokens;
  return others.length === 0 && /^(?=.*[0-9])(?=.*[a-f])[0-9a-f]{7,12}$/.test(only ?? '');
}

/**
 * A text without spaces may stand in the middle of another: the index has its last character alone only where it ends
 * there, so a longer text is its pairs, and one character is the beginning of a pair.
 */
function cjkTerm(runs: readonly (readonly string[])[]): Term {
  const tokens = runs.flat();
  return tokens.length === 1
    ? { alternatives: [tokens], prefix: true }
    : { alternatives: [tokens.slice(0, -1)], prefix: false };
}

/** What the index is asked: for passages with all words, and for those with any. Undefined where the query has no words. */
export function lexicalQueries(query: Query): { readonly all: LexicalQuery; readonly any: LexicalQuery } | undefined {
  const fields = fieldsOf(query.filters);
  const term = (word: Word): LexicalQuery[] => {
    const known = termOf(word);
    return known ? [{ type: 'term', term: known, ...(fields && { fields }) }] : [];
  };
  const words = query.words.flatMap(term);
  const phrases = query.phrases.flatMap((text) => phrase(text, fields));
  if (words.length + phrases.length === 0) return undefined;
  const excluded = query.excluded.flatMap(term);
  const but = (of: LexicalQuery): LexicalQuery =>
    excluded.length === 0 ? of : { type: 'but', of, not: { type: 'any', of: excluded } };
  const all: LexicalQuery = { type: 'all', of: [...phrases, ...words] };
  const any: LexicalQuery = words.length === 0 ? all : { type: 'all', of: [...phrases, { type: 'any', of: words }] };
  return { all: but(all), any: but(any) };
}

function phrase(text: string, fields: readonly Field[] | undefined): LexicalQuery[] {
  const tokens: string[] = [];
  let last = '';
  eachRun(text, (start, end) => {
    last = text.slice(start, end);
    tokens.push(...sequenceTokens(last));
  });
  if (tokens.length === 0) return [];
  const isOpenEnded = isCjk(last) && tokens.length > 1;
  const term = {
    alternatives: [isOpenEnded ? tokens.slice(0, -1) : tokens],
    prefix: isCjk(last) && tokens.length === 1,
  };
  return [{ type: 'term', term, ...(fields && { fields }) }];
}

/** Conditions in SQL with their values. */
class Conditions {
  readonly parts: string[] = [];
  readonly values: (string | number)[] = [];

  add(sql: string, ...values: (string | number)[]): void {
    this.parts.push(sql);
    this.values.push(...values);
  }

  anyOf(list: readonly string[] | undefined, sql: string, spell: (value: string) => string[]): void {
    if (list) this.add(`(${list.map(() => sql).join(' OR ')})`, ...list.flatMap(spell));
  }

  /** Nothing that another set of conditions holds for. */
  not(other: Conditions): void {
    for (const part of other.parts) this.parts.push(`NOT ${part}`);
    this.values.push(...other.values);
  }
}

/** What a query asks of the session itself, over `s`. */
export function sessionConditions(query: Query, excludedSession?: string): Conditions {
  const conditions = ofSession(query.filters);
  conditions.not(ofSession(query.without));
  if (excludedSession !== undefined) conditions.not(ofSession({ session: [excludedSession] }));
  return conditions;
}

function ofSession(filters: Filters): Conditions {
  const conditions = new Conditions();
  conditions.anyOf(filters.source, 's.source = ? COLLATE NOCASE', (value) => [value]);
  conditions.anyOf(
    filters.project,
    "(coalesce(s.project, '') = ? COLLATE NOCASE OR coalesce(s.cwd, '') = ?)",
    (value) => [value, value],
  );
  conditions.anyOf(filters.session, "(s.key LIKE ? ESCAPE '\\' OR s.native_id LIKE ? ESCAPE '\\')", (value) => {
    const beginning = `${escaped(value)}%`;
    return [beginning, beginning];
  });
  return conditions;
}

/** The filters as SQL over `p` (passages) and `s` (sessions); undefined where there is none. */
export function passageFilter(query: Query, excludedSession?: string): PassageFilter | undefined {
  const { filters, without } = query;
  const conditions = sessionConditions(query, excludedSession);
  const ofTurn = 'session = p.session AND turn = p.turn';
  const turn = ({ tool, path }: Filters) => {
    const asked = new Conditions();
    asked.anyOf(tool, `EXISTS (SELECT 1 FROM tools WHERE ${ofTurn} AND name = ? COLLATE NOCASE)`, (value) => [value]);
    asked.anyOf(path, `EXISTS (SELECT 1 FROM touches WHERE ${ofTurn} AND path LIKE ? ESCAPE '\\')`, (value) => [
      `%${escaped(value)}%`,
    ]);
    return asked;
  };
  const ofSession = conditions.parts.length;
  const ofSessionValues = conditions.values.length;
  const wanted = turn(filters);
  conditions.parts.push(...wanted.parts);
  conditions.values.push(...wanted.values);
  conditions.not(turn(without));
  const fields = fieldsOf(filters);
  if (fields)
    conditions.add(
      'p.flags & ?',
      fields.reduce((bits, field) => bits | PassageFlag.field(field), 0),
    );
  if (filters.is?.includes('error')) conditions.add('p.flags & ?', PassageFlag.error);
  const timeless = conditions.parts.length;
  const need = new Conditions();
  need.parts.push(...conditions.parts.slice(0, ofSession));
  need.values.push(...conditions.values.slice(0, ofSessionValues));
  const enough = new Conditions();
  // All passages of a session are of its time: from its beginning to its last activity.
  if (filters.since !== undefined) {
    conditions.add('coalesce(p.at, s.active) >= ?', filters.since);
    need.add('coalesce(s.active, 9e15) >= ?', filters.since);
    enough.add('coalesce(s.started, s.active) >= ?', filters.since);
  }
  if (filters.until !== undefined) {
    conditions.add('coalesce(p.at, s.active) < ?', filters.until);
    need.add('coalesce(s.started, s.active, 0) < ?', filters.until);
    enough.add('s.active < ?', filters.until);
  }
  const { parts, values } = conditions;
  if (parts.length === 0) return undefined;
  const sql = (of: Conditions) => ({ sql: of.parts.join(' AND ') || '1', values: of.values });
  const isOfSessions = timeless === ofSession;
  return {
    sql: parts.join(' AND '),
    values,
    ofSessions: { need: sql(need), ...(isOfSessions && { enough: sql(enough) }) },
  };
}

/** A text in which LIKE finds nothing special. */
export function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
