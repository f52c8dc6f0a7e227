import type { SourceNames } from './names.ts';
import {
  type Clause,
  type FieldName,
  type Filter,
  type ListFilter,
  type Query,
  ROLES,
  SESSION_TYPES,
  STATES,
} from './query.ts';
import type { Calendar } from './times/calendar.ts';
import { spanOf, within } from './times.ts';

/** What a query is read with. */
export interface Reading {
  readonly calendar: Calendar;
  readonly names: SourceNames;
}

/** The filter that a field and its values make; undefined where the field cannot take one of them. */
export function filterOf(
  field: FieldName,
  values: readonly string[],
  { calendar, names }: Reading,
): Filter | undefined {
  if (values.length === 0) return undefined;
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
      if (!span) return undefined;
      return { type: 'filter', field, at: within(field === 'since' ? span.from : (span.to ?? calendar.now)) };
    }
    case 'source':
      return { type: 'filter', field, values: unique(values.map((value) => names.idOf(value) ?? value)) };
    default:
      return { type: 'filter', field, values: unique(values) };
  }
}

function listFilter<F extends 'role' | 'is' | 'type', V extends string>(
  field: F,
  values: readonly string[],
  known: readonly V[],
): { readonly type: 'filter'; readonly field: F; readonly values: readonly V[] } | undefined {
  const found = values.map((value) => known.find((one) => one === value.toLowerCase()));
  return found.every((value) => value !== undefined) ? { type: 'filter', field, values: unique(found) } : undefined;
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
