import { type ParseOptions, readQuery } from './parse.ts';
import type { Clause, Filter, Query } from './query.ts';
import { isOfTime } from './times/names.ts';
import { timeWords } from './times/range.ts';

/**
 * A query as text that reads as the same query at any time: times are absolute, and a word that could be taken for
 * something else is written `word:"…"`.
 */
export function printQuery(query: Query, options: ParseOptions = {}): string {
  const plain = printed(query.clauses, plainWord);
  const read = readQuery(plain, 0, options);
  const isSame = JSON.stringify(read.clauses) === JSON.stringify(query.clauses);
  return isSame ? plain : printed(query.clauses, literalWord);
}

/** A word with its star. */
type Spelling = (text: string) => string;

function printed(clauses: readonly Clause[], word: Spelling): string {
  return clauses.map((clause) => printedClause(clause, word)).join(' ');
}

/** One clause, alone. */
export function printClause(clause: Clause): string {
  return printedClause(clause, plainWord);
}

function printedClause(clause: Clause, word: Spelling): string {
  switch (clause.type) {
    case 'word':
      return word(clause.prefix ? `${clause.text}*` : clause.text);
    case 'phrase':
      return quoted(clause.text);
    case 'filter':
      return printedFilter(clause);
    case 'unreadable':
      return `${clause.field}:${quoted(clause.value)}`;
    case 'not':
      return clause.of.type === 'or' ? `-(${printedClause(clause.of, word)})` : `-${printedClause(clause.of, word)}`;
    case 'or':
      return clause.of.map((one) => printedClause(one, word)).join(' OR ');
    case 'and':
      return `(${printed(clause.of, word)})`;
  }
}

function printedFilter(filter: Filter): string {
  if ('at' in filter) return `${filter.field}:${new Date(filter.at).toISOString()}`;
  return `${filter.field}:${filter.values.map((value) => (/^[\w.@~+/#*?-]+$/.test(value) ? value : quoted(value))).join(',')}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function literalWord(text: string): string {
  return `word:${quoted(text)}`;
}

/** Words of times are written out: whether they are read as times can depend on the day. */
function plainWord(text: string): string {
  const isPlain = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.:/@#+-]*\*?$/u.test(text) && !isOfTime(timeWords([text])[0]!);
  return isPlain ? text : literalWord(text);
}
