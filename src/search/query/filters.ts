import type { SourceNames } from './names.ts';
import {
  type Clause,
  type FieldName,
  type Filter,
  type ListFilter,
  type Query,
  ROLES,
  type Role,
  SESSION_TYPES,
  type SessionType,
  STATES,
  type State,
  type Unreadable,
} from './query.ts';
import type { Calendar } from './times/calendar.ts';
import { spanOf, within } from './times.ts';

/** What a query is read with. */
export interface Reading {
  readonly calendar: Calendar;
  readonly names: SourceNames;
}

/**
 * What a field and its values make: a filter, and what of the values it cannot take. Nothing where there are no values.
 */
export function filtersFrom(
  field: FieldName,
  values: readonly string[],
  { calendar, names }: Reading,
): readonly (Filter | Unreadable)[] {
  if (values.length === 0) return [];
  switch (field) {
    case 'role':
      return listFilter(field, values, ROLES);
    case 'is':
      return listFilter(field, values, STATES);
    case 'type':
      return listFilter(field, values, SESSION_TYPES);
    case 'since':
    case 'until': {
      const span = values.length === 1 ? spanOf(values[0]!, calendar) : undefined;
      if (!span) return [{ type: 'unreadable', field, value: values.join(',') }];
      return [{ type: 'filter', field, at: within(field === 'since' ? span.from : (span.to ?? calendar.now)) }];
    }
    case 'source':
      return [{ type: 'filter', field, values: unique(values.map((value) => names.idOf(value) ?? value)) }];
    default:
      return [{ type: 'filter', field, values: unique(values) }];
  }
}

type Closed = { readonly role: Role; readonly is: State; readonly type: SessionType };

function listFilter<F extends keyof Closed>(
  field: F,
  values: readonly string[],
  known: readonly Closed[F][],
): (Filter | Unreadable)[] {
  const found = values.flatMap((value) => known.find((one) => one === value.toLowerCase()) ?? []);
  const unreadable = values.filter((value) => !known.some((one) => one === value.toLowerCase()));
  return [
    // Values of one field, all known to it.
    ...(found.length > 0 ? [{ type: 'filter', field, values: unique(found) } as Filter] : []),
    ...unreadable.map((value): Unreadable => ({ type: 'unreadable', field, value })),
  ];
}

function unique<T>(values: readonly T[]): readonly T[] {
  return values.length < 2 ? values : [...new Set(values)];
}

/** Clauses with the filters of one field together: several values of a field mean any of them. Times each hold, and so do states. */
export function merged(clauses: readonly Clause[], isAny = false): Clause[] {
  const isList = (clause: Clause): clause is ListFilter =>
    clause.type === 'filter' && !('at' in clause) && (clause.field !== 'is' || isAny);
  const values = new Map<string, string[]>();
  for (const clause of clauses) {
    if (!isList(clause)) continue;
    const known = values.get(clause.field);
    if (known) for (const value of clause.values) known.push(value);
    else values.set(clause.field, [...clause.values]);
  }
  if (values.size === 0) return [...clauses];
  return clauses.flatMap((clause): Clause[] => {
    if (!isList(clause)) return [clause];
    const all = values.get(clause.field);
    if (!all) return [];
    values.delete(clause.field);
    // Values of one field, all known to it.
    return [{ ...clause, values: unique(all) } as ListFilter];
  });
}

/** Both queries at once: what a door adds to what was typed. */
export function combined(query: Query, other: Query): Query {
  return {
    text: [query.text, other.text].filter((text) => text.trim() !== '').join(' '),
    clauses: merged([...query.clauses, ...other.clauses]),
  };
}
