import type { Field } from '../lexical/fields.ts';
import type { LexicalQuery, PassageFilter, Term } from '../lexical/lexical-index.ts';
import { eachRun, wordTokens } from '../lexical/tokens.ts';
import type { Filters, Query, Role, Word } from './query.ts';

const FIELDS_OF_ROLE: Readonly<Record<Role, readonly Field[]>> = {
  user: ['prompt'],
  assistant: ['answer', 'thinking', 'tools'],
  tool: ['output'],
};

/** A word as the index has it; undefined where it holds nothing that is indexed. */
export function termOf(word: Word): Term | undefined {
  const runs: string[][] = [];
  eachRun(word.text, (start, end) => runs.push(wordTokens(word.text.slice(start, end))));
  if (runs.length === 0) return undefined;
  const [only, ...others] = runs;
  if (others.length > 0 || !only || only.length === 1) return { alternatives: [runs.flat()], prefix: word.prefix };
  const [whole, ...parts] = only;
  // An identifier is found whole, and where it stands in another spelling: `getUser` finds `get_user`. CJK text has no whole.
  return isWhole(whole!, parts)
    ? { alternatives: [[whole!], parts], prefix: word.prefix }
    : { alternatives: [only], prefix: word.prefix };
}

function isWhole(whole: string, parts: readonly string[]): boolean {
  return whole.replaceAll('_', '') === parts.join('');
}

/** What the index is asked: for passages with all words, and for those with any. Undefined where the query has no words. */
export function lexicalQueries(query: Query): { readonly all: LexicalQuery; readonly any: LexicalQuery } | undefined {
  const fields = query.filters.role?.flatMap((role) => FIELDS_OF_ROLE[role]);
  const term = (word: Word): LexicalQuery[] => {
    const known = termOf(word);
    return known ? [{ type: 'term', term: known, ...(fields && { fields }) }] : [];
  };
  const words = query.words.flatMap(term);
  const phrases = query.phrases.flatMap((text) => {
    const tokens: string[] = [];
    eachRun(text, (start, end) => tokens.push(...wordTokens(text.slice(start, end))));
    return tokens.length === 0
      ? []
      : [{ type: 'term' as const, term: { alternatives: [tokens], prefix: false }, ...(fields && { fields }) }];
  });
  if (words.length + phrases.length === 0) return undefined;
  const excluded = query.excluded.flatMap(term);
  const but = (of: LexicalQuery): LexicalQuery =>
    excluded.length === 0 ? of : { type: 'but', of, not: { type: 'any', of: excluded } };
  const all: LexicalQuery = { type: 'all', of: [...phrases, ...words] };
  const any: LexicalQuery = words.length === 0 ? all : { type: 'all', of: [...phrases, { type: 'any', of: words }] };
  return { all: but(all), any: but(any) };
}

/** The filters as SQL over `p` (passages) and `s` (sessions); undefined where there is none. */
export function passageFilter(filters: Filters, excludedSession?: string): PassageFilter | undefined {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, ...given: (string | number)[]) => {
    parts.push(sql);
    values.push(...given);
  };
  const anyOf = (list: readonly string[] | undefined, sql: string, spell: (value: string) => string[]) => {
    if (!list) return;
    add(`(${list.map(() => sql).join(' OR ')})`, ...list.flatMap(spell));
  };
  anyOf(filters.source, 's.source = ? COLLATE NOCASE', (value) => [value]);
  anyOf(filters.project, '(s.project = ? COLLATE NOCASE OR s.cwd = ?)', (value) => [value, value]);
  anyOf(filters.session, "(s.key = ? OR s.native_id LIKE ? ESCAPE '\\')", (value) => [value, `${escaped(value)}%`]);
  const turn = 'session = p.session AND turn = p.turn';
  anyOf(filters.tool, `EXISTS (SELECT 1 FROM tools WHERE ${turn} AND name = ? COLLATE NOCASE)`, (value) => [value]);
  anyOf(filters.path, `EXISTS (SELECT 1 FROM touches WHERE ${turn} AND path LIKE ? ESCAPE '\\')`, (value) => [
    `%${escaped(value)}%`,
  ]);
  if (filters.is?.includes('error')) add('p.flags & 1');
  if (filters.since !== undefined) add('coalesce(p.at, s.active) >= ?', filters.since);
  if (filters.until !== undefined) add('coalesce(p.at, s.active) < ?', filters.until);
  if (excludedSession !== undefined) add('s.key <> ?', excludedSession);
  return parts.length === 0 ? undefined : { sql: parts.join(' AND '), values };
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
