import type { PassageFilter, Sql } from '../../lexical/lexical-index.ts';
import type { Clause, Filter } from '../query/query.ts';
import { conditionOf, type FilterContext } from './conditions.ts';
import { allOf, sql, TRUE } from './sql.ts';

/**
 * What the conditions on passages say of their sessions: a session must hold for `need`, or no passage of it passes. Where
 * only its time is asked for, a session that lies in it whole is `enough`.
 *
 * @param ofSession the conditions that are of sessions anyway
 */
export function ofSessions(
  ofSession: readonly Sql[],
  ofPassage: readonly Clause[],
  context: FilterContext,
): NonNullable<PassageFilter['ofSessions']> {
  const filters = ofPassage.filter((clause): clause is Filter => clause.type === 'filter');
  const rest = allOf(ofPassage.map((clause) => conditionOf(clause, 'passage', context)));
  const areFew = filters.some((filter) => filter.field === 'is' && filter.values.every((state) => state === 'error'));
  const need = allOf([...ofSession, ...filters.map((filter) => conditionOf(filter, 'session', context))]);
  const times = filters.flatMap((filter) => ('at' in filter ? [wholly(filter.field, filter.at)] : []));
  if (times.length < ofPassage.length) return { need, rest, areFew };
  return { need, rest, enough: times.length === 0 ? TRUE : allOf(times) };
}

/** All of a session lies after a time, or before it: from its beginning to its last activity. */
function wholly(field: 'since' | 'until', at: number): Sql {
  return field === 'since' ? sql('coalesce(s.started, s.active) >= ?', at) : sql('s.active < ?', at);
}
