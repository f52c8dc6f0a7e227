/** What a person looks for: clauses that stand beside each other. */
export interface Query {
  /** As it was typed. */
  readonly text: string;
  /**
   * Words are wished for: any of them may match, and passages with all come first. Phrases, filters and what is left
   * out are conditions.
   */
  readonly clauses: readonly Clause[];
}

export type Clause = Word | Phrase | Filter | Unreadable | Not | Or | And;

export interface Word {
  readonly type: 'word';
  readonly text: string;
  /** The word is a beginning: `migrat*`. */
  readonly prefix: boolean;
}

/** Words in this order, nothing between them. */
export interface Phrase {
  readonly type: 'phrase';
  readonly text: string;
}

export interface Not {
  readonly type: 'not';
  readonly of: Clause;
}

/** At least two. */
export interface Or {
  readonly type: 'or';
  readonly of: readonly Clause[];
}

/** A group: at least two, beside each other. Found only below `or` and `not`; elsewhere it needs no group. */
export interface And {
  readonly type: 'and';
  readonly of: readonly Clause[];
}

/** Fields that take any name. */
export const NAME_FIELDS = [
  'source',
  'project',
  'session',
  'branch',
  'model',
  'tool',
  'path',
  'intent',
  'machine',
] as const;
export type NameField = (typeof NAME_FIELDS)[number];

export const ROLES = ['user', 'assistant', 'tool'] as const;
export type Role = (typeof ROLES)[number];

export const STATES = ['error', 'subagent', 'starred'] as const;
export type State = (typeof STATES)[number];

export const SESSION_TYPES = ['session', 'subagent', 'prompt'] as const;
export type SessionType = (typeof SESSION_TYPES)[number];

export const TIME_FIELDS = ['since', 'until'] as const;
export type TimeField = (typeof TIME_FIELDS)[number];

/** Any of the values. */
export type ListFilter =
  | { readonly type: 'filter'; readonly field: NameField; readonly values: readonly string[] }
  | { readonly type: 'filter'; readonly field: 'role'; readonly values: readonly Role[] }
  | { readonly type: 'filter'; readonly field: 'is'; readonly values: readonly State[] }
  | { readonly type: 'filter'; readonly field: 'type'; readonly values: readonly SessionType[] };

/** Epoch milliseconds: `since` inclusive, `until` exclusive. */
export interface TimeFilter {
  readonly type: 'filter';
  readonly field: TimeField;
  readonly at: number;
}

/** A value that its field cannot take, as `since:blah`: a filter that nothing passes. */
export interface Unreadable {
  readonly type: 'unreadable';
  readonly field: ClosedField;
  readonly value: string;
}

/** Fields that take some values alone. */
export type ClosedField = Exclude<FieldName, NameField>;

export type Filter = ListFilter | TimeFilter;
export type FieldName = Filter['field'];

export const FIELD_NAMES: readonly FieldName[] = [...NAME_FIELDS, 'role', 'is', 'type', ...TIME_FIELDS];

/** Filters as the search document tells them: values by field, and those of what is left out. */
export interface Filters extends FilterValues {
  readonly without?: FilterValues;
}

export type FilterValues = { readonly [K in ListFilter['field']]?: readonly string[] } & {
  readonly [K in TimeField]?: number;
};

export function not(of: Clause): Clause {
  return of.type === 'not' ? of.of : { type: 'not', of };
}

/** The words and phrases that are looked for, not those that are left out. */
export function wanted(clauses: readonly Clause[]): (Word | Phrase)[] {
  return clauses.flatMap((clause) => {
    switch (clause.type) {
      case 'word':
      case 'phrase':
        return [clause];
      case 'and':
      case 'or':
        return wanted(clause.of);
      default:
        return [];
    }
  });
}

/** The filters that hold for the whole query. */
export function filtersOf(query: Query): Filters {
  const without = valuesOf(query.clauses.flatMap((clause) => (clause.type === 'not' ? [clause.of] : [])));
  return { ...valuesOf(query.clauses), ...(Object.keys(without).length > 0 && { without }) };
}

function valuesOf(clauses: readonly Clause[]): FilterValues {
  const lists: { [K in ListFilter['field']]?: readonly string[] } = {};
  const times: { [K in TimeField]?: number } = {};
  for (const clause of clauses) {
    if (clause.type !== 'filter') continue;
    if ('at' in clause) {
      const known = times[clause.field];
      const narrower = clause.field === 'since' ? Math.max : Math.min;
      times[clause.field] = known === undefined ? clause.at : narrower(known, clause.at);
    } else lists[clause.field] = [...(lists[clause.field] ?? []), ...clause.values];
  }
  return { ...lists, ...times };
}
