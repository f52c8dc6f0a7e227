import type { SourceNames } from './names.ts';
import {
  type Clause,
  type FieldName,
  type Filter,
  type ListFilter,
  NAME_FIELDS,
  type NameField,
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
  const out: Clause[] = [];
  const places = new Map<string, number>();
  for (const clause of clauses) {
    if (clause.type !== 'filter' || 'at' in clause || (clause.field === 'is' && !isAny)) {
      out.push(clause);
      continue;
    }
    const place = places.get(clause.field);
    if (place === undefined) {
      places.set(clause.field, out.length);
      out.push(clause);
    } else out[place] = union(out[place] as ListFilter, clause);
  }
  return out;
}

/** Both queries at once: what a door adds to what was typed. */
export function combined(query: Query, other: Query): Query {
  return {
    text: [query.text, other.text].filter((text) => text.trim() !== '').join(' '),
    clauses: merged([...query.clauses, ...other.clauses]),
  };
}

/** Both are of one field. */
function union(first: ListFilter, second: ListFilter): ListFilter {
  const values = unique<string>([...first.values, ...second.values]);
  return isNameField(first.field)
    ? { type: 'filter', field: first.field, values }
    : // Values of one field, all known to it.
      ({ ...first, values } as ListFilter);
}

export function isNameField(field: string): field is NameField {
  return NAME_FIELDS.some((name) => name === field);
}
