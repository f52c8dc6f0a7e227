import { hostname } from 'node:os';
import { PassageFlag } from '../../holdings/passages.ts';
import { FIELDS, type Field } from '../../lexical/fields.ts';
import { projectNames } from '../../projects/families.ts';
import type { Marked } from '../../recall/notes.ts';
import { TOOL_KINDS } from '../../transcript/index.ts';
import type { Clause, Filter, ListFilter, Role, SessionType, State } from '../query/query.ts';
import { allOf, anyOf, escaped, FALSE, isPattern, likePattern, noneOf, type Sql, sql, TRUE } from './sql.ts';

/** What filters mean here, beyond the index. */
export interface FilterContext {
  /** Families of projects by name: `project:` takes either. */
  readonly families?: Readonly<Record<string, readonly string[]>>;
  /** What a person starred: `is:starred`. */
  readonly stars?: readonly Marked[];
  /** The machine whose history the index holds; this one where none is told. */
  readonly machine?: string;
}

/**
 * What a condition is asked of: passages (`p`, of sessions `s`), or sessions (`s`), which pass where something in them
 * does.
 */
export type Target = 'passage' | 'session';

/** What each role says. */
const FIELDS_OF_ROLE: Readonly<Record<Role, readonly Field[]>> = {
  user: ['prompt'],
  assistant: ['answer', 'thinking', 'tools'],
  tool: ['output'],
};

export function fieldsOf(roles: readonly Role[]): readonly Field[] {
  return FIELDS.filter((field) => roles.some((role) => FIELDS_OF_ROLE[role].includes(field)));
}

/** Whether a clause is made of filters that ask of the session itself. */
export function isOfSession(clause: Clause): boolean {
  switch (clause.type) {
    case 'filter':
      return (
        OF_SESSION.has(clause.field) || (clause.field === 'is' && clause.values.every((state) => state === 'subagent'))
      );
    case 'unreadable':
      return true;
    case 'not':
      return isOfSession(clause.of);
    case 'and':
    case 'or':
      return clause.of.every(isOfSession);
    default:
      return false;
  }
}

const OF_SESSION: ReadonlySet<Filter['field']> = new Set([
  'source',
  'project',
  'session',
  'branch',
  'model',
  'type',
  'machine',
]);

/** A clause as SQL. `text` says what a word or a phrase asks; without it those are no conditions. */
export function conditionOf(clause: Clause, target: Target, context: FilterContext, text?: (text: string) => Sql): Sql {
  const of = (one: Clause) => conditionOf(one, target, context, text);
  switch (clause.type) {
    case 'word':
    case 'phrase':
      return text?.(clause.text) ?? TRUE;
    case 'not':
      return noneOf(of(clause.of));
    case 'and':
      return allOf(clause.of.map(of));
    case 'or':
      return anyOf(clause.of.map(of));
    case 'filter':
      return filterCondition(clause, target, context);
    case 'unreadable':
      return FALSE;
  }
}

function filterCondition(filter: Filter, target: Target, context: FilterContext): Sql {
  if ('at' in filter) return timeCondition(filter.field, filter.at, target);
  switch (filter.field) {
    case 'role':
      return roleCondition(filter.values, target);
    case 'is':
      return anyOf(filter.values.map((state) => stateCondition(state, target, context)));
    case 'type':
      return anyOf(filter.values.map(typeCondition));
    default:
      return nameCondition(filter, target, context);
  }
}

function stateCondition(state: State, target: Target, { stars = [] }: FilterContext): Sql {
  switch (state) {
    case 'subagent':
      return typeCondition('subagent');
    case 'error':
      return target === 'session' ? sql('s.errors > 0') : sql(FAILED);
    case 'starred':
      return starredCondition(stars, target);
  }
}

/** What is starred, and all of a session that is starred as a whole. */
function starredCondition(stars: readonly Marked[], target: Target): Sql {
  const keys = (of: readonly Marked[]) => JSON.stringify(of.map(({ session }) => session));
  if (target === 'session') return sql('s.key IN (SELECT value FROM json_each(?))', keys(stars));
  return anyOf([
    sql('s.key IN (SELECT value FROM json_each(?))', keys(stars.filter(({ anchor }) => anchor === undefined))),
    sql(
      `EXISTS (SELECT 1 FROM turns t, json_each(?) star WHERE t.session = p.session AND t.turn = p.turn
        AND star.value ->> 'session' = s.key AND star.value ->> 'anchor' = t.anchor)`,
      JSON.stringify(stars.filter(({ anchor }) => anchor !== undefined)),
    ),
  ]);
}

/** As the index of these passages has it: with the number in it. */
const FAILED = `p.flags & ${PassageFlag.error}`;

function timeCondition(field: 'since' | 'until', at: number, target: Target): Sql {
  if (target === 'passage') return sql(`coalesce(p.at, s.active) ${field === 'since' ? '>=' : '<'} ?`, at);
  // A session that was at work at some time in between. The plus: by the index of times each would be looked up alone.
  return field === 'since' ? sql('+s.active >= ?', at) : sql('coalesce(s.started, s.active) < ?', at);
}

function roleCondition(roles: readonly Role[], target: Target): Sql {
  const bits = bitsOf(fieldsOf(roles));
  return target === 'passage'
    ? sql('p.flags & ?', bits)
    : sql('EXISTS (SELECT 1 FROM passages WHERE session = s.id AND flags & ?)', bits);
}

/** The passage has something in one of the fields. */
export function fieldsCondition(fields: readonly Field[]): Sql {
  const bits = sql('p.flags & ?', bitsOf(fields));
  // A title's passage has no flags.
  return fields.includes('title') ? anyOf([bits, sql('p.chunk < 0')]) : bits;
}

function bitsOf(fields: readonly Field[]): number {
  return fields.reduce((bits, field) => bits | PassageFlag.field(field), 0);
}

function typeCondition(type: SessionType): Sql {
  switch (type) {
    case 'subagent':
      return sql("coalesce(s.relation, '') = 'subagent'");
    case 'prompt':
      return sql("s.kind = 'prompts'");
    case 'session':
      return sql("(s.kind = 'transcript' AND coalesce(s.relation, '') <> 'subagent')");
  }
}

type NameFilter = Exclude<ListFilter, { readonly field: 'role' | 'is' | 'type' }>;

function nameCondition({ field, values }: NameFilter, target: Target, context: FilterContext): Sql {
  // A turn's few rows are looked up; sessions are all asked at once.
  const isIn = (table: string, asked: Sql): Sql =>
    target === 'passage'
      ? sql(
          `EXISTS (SELECT 1 FROM ${table} WHERE session = p.session AND turn = p.turn AND ${asked.sql})`,
          ...asked.values,
        )
      : sql(`s.id IN (SELECT session FROM ${table} WHERE ${asked.sql})`, ...asked.values);
  const of = (value: string): Sql => {
    switch (field) {
      case 'source':
        return named('s.source', value);
      case 'project':
        return anyOf(projectNames(value, context.families ?? {}).map(projectCondition));
      case 'session':
        return anyOf(['s.key', 's.native_id'].map((column) => sql(`${column} ${LIKE}`, `${escaped(value)}%`)));
      case 'branch':
        return named('s.branch', value);
      case 'model':
        return sql(
          `s.id IN (SELECT one.id FROM sessions one, json_each(one.more, '$.models') model WHERE model.value ${LIKE})`,
          `%${likePattern(value)}%`,
        );
      case 'tool': {
        const kind = value.toLowerCase();
        // By its name a tool is found in an index: a kind is asked for only where it is one.
        return isIn(
          'tools',
          TOOL_KINDS.some((one) => one === kind)
            ? anyOf([named('name', value), sql('kind = ?', kind)])
            : named('name', value),
        );
      }
      case 'path':
        return isIn('touches', sql(`path ${LIKE}`, pathPattern(value)));
      case 'machine':
        return isMachine(value, context) ? TRUE : FALSE;
      case 'intent':
        // Nothing is classified, so nothing can be told apart; the answer says so.
        return TRUE;
    }
  };
  return anyOf(values.map(of));
}

const LIKE = "LIKE ? ESCAPE '\\'";

/** A name in any case, or a pattern of names. */
function named(column: string, value: string): Sql {
  return isPattern(value) ? sql(`${column} ${LIKE}`, likePattern(value)) : sql(`${column} = ? COLLATE NOCASE`, value);
}

/** By name, by folder, or by a folder above. */
function projectCondition(value: string): Sql {
  // Projects of one name are told apart by what stands before it.
  const conditions = [named('s.project', value), sql(`s.project ${LIKE}`, `%/${likePattern(value)}`)];
  const folder = value.replace(/(?<=.)[\\/]$/, '');
  if (/[\\/]/.test(folder)) {
    conditions.push(named('s.cwd', folder));
    for (const separator of ['/', '\\'])
      conditions.push(sql(`s.cwd ${LIKE}`, `${likePattern(folder)}${escaped(separator)}%`));
  }
  return anyOf(conditions);
}

/** A part of a path, or a pattern that its end has. */
function pathPattern(value: string): string {
  return isPattern(value) ? `%${likePattern(value)}` : `%${escaped(value)}%`;
}

/** Whether a name is this machine's, with or without its domain. */
export function isMachine(value: string, { machine = hostname() }: FilterContext): boolean {
  const [name, whole] = [value.toLowerCase(), machine.toLowerCase()];
  return name === whole || name === whole.split('.')[0];
}
