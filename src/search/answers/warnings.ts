import { hostname } from 'node:os';
import { type FilterContext, isMachine } from '../matching/conditions.ts';
import { phraseTerm, termOf } from '../matching/lexical-query.ts';
import { TAKES } from '../query/closed-fields.ts';
import { kindOf } from '../query/pasted.ts';
import { printClause } from '../query/print.ts';
import {
  type Clause,
  FIELD_NAMES,
  type FieldName,
  type ListFilter,
  type Phrase,
  type Query,
  type Unreadable,
  type Word,
  wanted,
} from '../query/query.ts';
import { nearestName } from './did-you-mean.ts';

/** What a person should know of how a query was read and answered, a line each. */
export function warningsOf(
  query: Query,
  plan: { readonly isCut: boolean; readonly wordsLeftOut: number },
  context: FilterContext,
): string[] {
  const clauses = query.clauses.flatMap(leavesOf);
  const lists = clauses.filter((clause): clause is ListFilter => clause.type === 'filter' && !('at' in clause));
  const of = (field: ListFilter['field']) => lists.flatMap((list) => (list.field === field ? list.values : []));
  const elsewhere = of('machine').filter((name) => !isMachine(name, context));
  return [
    ...clauses.flatMap((clause) => (clause.type === 'unreadable' ? [unreadableLine(clause)] : [])),
    ...clauses.flatMap((clause) => (clause.type === 'word' ? fieldLines(clause, query) : [])),
    ...(of('intent').length > 0 ? ['nothing is classified by intent yet: intent: was not applied'] : []),
    ...elsewhere.map(
      (name) => `the index holds this machine alone, ${context.machine ?? hostname()}: nothing from “${name}” is here`,
    ),
    ...(plan.wordsLeftOut > 0
      ? [`${plan.wordsLeftOut} more words were left out: only the rarest were searched for`]
      : []),
    ...(plan.isCut ? ['the query has too many alternatives: some were left out'] : []),
  ];
}

/** Words, phrases and filters, wherever they stand in a clause. */
function leavesOf(clause: Clause): Clause[] {
  switch (clause.type) {
    case 'not':
      return leavesOf(clause.of);
    case 'and':
    case 'or':
      return clause.of.flatMap(leavesOf);
    default:
      return [clause];
  }
}

function unreadableLine({ field, value }: Unreadable): string {
  const { told, names } = TAKES[field];
  const near = nearestName(value, names);
  const hint = near === undefined ? '' : `; did you mean ${field}:${/\s/.test(near) ? `"${near}"` : near}?`;
  return `${field}: takes ${told}, not “${value}”, so it matches nothing${hint}`;
}

/** Names that people give to fields. */
const ALSO: ReadonlyMap<string, FieldName> = new Map([
  ['agent', 'source'],
  ['provider', 'source'],
  ['repo', 'project'],
  ['repository', 'project'],
  ['file', 'path'],
  ['folder', 'path'],
  ['cwd', 'project'],
  ['after', 'since'],
  ['from', 'since'],
  ['before', 'until'],
  ['to', 'until'],
]);

/** What looks like a field and was looked for as a word. What was pasted is text. */
function fieldLines({ text }: Word, query: Query): string[] {
  const [, name = '', value = ''] = /^([a-z]{2,10}):(?!\/)(.*)$/i.exec(text) ?? [];
  if (name === '' || kindOf(query.text) !== 'query') return [];
  const field = name.toLowerCase();
  if (FIELD_NAMES.some((one) => one === field))
    return value === '' ? [`${field}: has no value, so it was searched for as a word: write ${field}:VALUE`] : [];
  const meant = ALSO.get(field) ?? nearestName(field, FIELD_NAMES);
  if (meant === undefined || value === '') return [];
  return [`there is no field ${field}:, so “${text}” was searched for as a word; did you mean ${meant}:${value}?`];
}

/** What holds nothing that is indexed, where it was meant, or where nothing else was asked for. */
export function signLines(query: Query): string[] {
  const isSigns = (one: Word | Phrase) => (one.type === 'word' ? termOf(one) : phraseTerm(one.text)) === undefined;
  const leaves = query.clauses.flatMap(leavesOf);
  const signs = leaves.filter((one) => one.type === 'word' || one.type === 'phrase').filter(isSigns);
  const told = isOfSigns(query) ? signs : signs.filter((one) => one.type === 'phrase');
  if (told.length === 0) return [];
  const list = told.map((one) => (one.type === 'word' ? `“${one.text}”` : printClause(one))).join(', ');
  return [`${list} cannot be searched for: only words, numbers and emoji are indexed`];
}

/** Whether all that a query looks for are signs, of which the index has nothing. */
export function isOfSigns(query: Query): boolean {
  const words = wanted(query.clauses);
  return (
    words.length > 0 && words.every((one) => (one.type === 'word' ? termOf(one) : phraseTerm(one.text)) === undefined)
  );
}
