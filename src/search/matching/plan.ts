import { FIELDS, type Field } from '../../lexical/fields.ts';
import type { LexicalIndex, LexicalQuery, PassageFilter } from '../../lexical/lexical-index.ts';
import { type Clause, not, type Query, wanted } from '../query/query.ts';
import { conditionOf, type FilterContext, fieldsCondition, fieldsOf, isOfSession } from './conditions.ts';
import { isAskable, lexicalQuery, phraseTerm, termOf } from './lexical-query.ts';
import { ofSessions } from './of-sessions.ts';
import { allOf, noneOf, type Sql, sql } from './sql.ts';
import { telling } from './telling.ts';

/**
 * One way in which a passage may match: what the index is asked, and conditions. A query is one branch, unless words
 * and filters are alternatives of each other.
 */
export interface Branch {
  /** For passages with all that is wished for, and with any of it; absent where nothing is. */
  readonly asked?: { readonly all: LexicalQuery; readonly any: LexicalQuery };
  /** What must not match, where nothing is asked for. */
  readonly leftOut?: LexicalQuery;
  readonly filter?: PassageFilter;
  /** What of it is asked of the session. */
  readonly session?: Sql;
  /** The fields that words are looked for in; absent for all. */
  readonly fields?: readonly Field[];
}

export interface Plan {
  readonly branches: readonly Branch[];
  /** What of the query is looked for: without what the index has nothing of, and of very many words the rarest. */
  readonly clauses: readonly Clause[];
  /** How many words were left out, being more common than the others. */
  readonly wordsLeftOut: number;
  /** Whether the query has more alternatives than are looked at. */
  readonly isCut: boolean;
}

const MOST_BRANCHES = 24;

/** What a branch is made of. */
interface Draft {
  /** Words and phrases, and groups of them. */
  readonly text: readonly Clause[];
  readonly leftOut: readonly Clause[];
  readonly conditions: readonly Clause[];
  readonly fields?: readonly Field[];
}

/** How a query is answered. */
export function planOf(
  query: Query,
  lexical: LexicalIndex,
  context: FilterContext & { readonly excludeSession?: string },
): Plan {
  const { clauses, wordsLeftOut } = telling(
    query.clauses.flatMap((clause) => known(clause) ?? []),
    lexical,
  );
  const expander = new Expander();
  const drafts = isAnswerable(query, clauses)
    ? expander.product(clauses.map((clause) => expander.branches(clause, false)))
    : [];
  // Who says nothing said none of the words.
  const possible = drafts.filter(({ fields }) => fields?.length !== 0);
  return { branches: possible.map((draft) => branchOf(draft, context)), clauses, wordsLeftOut, isCut: expander.isCut };
}

/** Whether something is left to be asked: what looks for signs alone is not answered by everything. */
function isAnswerable(query: Query, left: readonly Clause[]): boolean {
  if (wanted(query.clauses).length > 0) return wanted(left).length > 0;
  return left.length > 0 || query.clauses.some((clause) => clause.type === 'filter');
}

function branchOf(
  { text, leftOut, conditions, fields }: Draft,
  context: FilterContext & { readonly excludeSession?: string },
): Branch {
  const { excludeSession } = context;
  const excluded = excludeSession === undefined ? [] : [noneOf(sessionNamed(excludeSession, context))];
  const ofSession = [
    ...conditions.filter(isOfSession).map((clause) => conditionOf(clause, 'passage', context)),
    ...excluded,
  ];
  const ofPassage = conditions.filter((clause) => !isOfSession(clause));
  const all = [
    ...ofSession,
    ...ofPassage.map((clause) => conditionOf(clause, 'passage', context)),
    // A passage that holds a word in one of the fields has something in them.
    ...(fields && text.length === 0 ? [fieldsCondition(fields)] : []),
  ];
  const unwanted = leftOut.map(not);
  return {
    ...(text.length > 0 && {
      asked: {
        all: lexicalQuery([...text, ...unwanted], 'all', fields),
        any: lexicalQuery([...text, ...unwanted], 'any', fields),
      },
    }),
    ...(text.length === 0 && leftOut.length > 0 && { leftOut: lexicalQuery([either(leftOut)], 'all', fields) }),
    ...(all.length > 0 && { filter: { ...allOf(all), ofSessions: ofSessions(ofSession, ofPassage, context) } }),
    ...(ofSession.length > 0 && { session: allOf(ofSession) }),
    ...(fields && { fields }),
  };
}

function either(of: readonly Clause[]): Clause {
  return of.length === 1 ? of[0]! : { type: 'or', of };
}

function sessionNamed(id: string, context: FilterContext): Sql {
  return conditionOf({ type: 'filter', field: 'session', values: [id] }, 'passage', context);
}

/** Works out the alternatives of clauses that hold words and filters. */
class Expander {
  isCut = false;

  branches(clause: Clause, negated: boolean): readonly Draft[] {
    if (clause.type === 'not') return this.branches(clause.of, !negated);
    if (clause.type === 'filter' && clause.field === 'role') {
      const said = fieldsOf(clause.values);
      return [{ ...NOTHING, fields: negated ? FIELDS.filter((field) => !said.includes(field)) : said }];
    }
    if (isMadeOf(clause, 'filter')) return [{ ...NOTHING, conditions: [negated ? not(clause) : clause] }];
    if (isMadeOf(clause, 'text') && isAskable(clause))
      return [negated ? { ...NOTHING, leftOut: [clause] } : { ...NOTHING, text: [clause] }];
    if (clause.type !== 'and' && clause.type !== 'or') return [];
    const of = clause.of.map((one) => this.branches(one, negated));
    return (clause.type === 'and') === negated ? this.cut(of.flat()) : this.product(of);
  }

  /** Every choice of one branch of each. */
  product(lists: readonly (readonly Draft[])[]): readonly Draft[] {
    let drafts: readonly Draft[] = [NOTHING];
    for (const list of lists) drafts = this.cut(drafts.flatMap((draft) => list.map((one) => together(draft, one))));
    return drafts;
  }

  private cut(drafts: readonly Draft[]): readonly Draft[] {
    if (drafts.length <= MOST_BRANCHES) return drafts;
    this.isCut = true;
    return drafts.slice(0, MOST_BRANCHES);
  }
}

const NOTHING: Draft = { text: [], leftOut: [], conditions: [] };

function together(first: Draft, second: Draft): Draft {
  const fields =
    first.fields && second.fields
      ? first.fields.filter((field) => second.fields!.includes(field))
      : (first.fields ?? second.fields);
  return {
    text: [...first.text, ...second.text],
    leftOut: [...first.leftOut, ...second.leftOut],
    conditions: [...first.conditions, ...second.conditions],
    ...(fields && { fields }),
  };
}

/** Whether a clause holds nothing but filters (roles apart, which are said of words), or nothing but text. */
function isMadeOf(clause: Clause, what: 'filter' | 'text'): boolean {
  switch (clause.type) {
    case 'filter':
      return what === 'filter' && clause.field !== 'role';
    case 'unreadable':
      return what === 'filter';
    case 'word':
    case 'phrase':
      return what === 'text';
    case 'not':
      return isMadeOf(clause.of, what);
    default:
      return clause.of.every((one) => isMadeOf(one, what));
  }
}

/** A clause without the words in which the index has nothing (`—`, `&&`) and without filters that it knows nothing of. */
function known(clause: Clause): Clause | undefined {
  switch (clause.type) {
    case 'word':
      return termOf(clause) && clause;
    case 'phrase':
      return phraseTerm(clause.text) && clause;
    case 'filter':
      return clause.field === 'intent' ? undefined : clause;
    case 'unreadable':
      return clause;
    case 'not': {
      const of = known(clause.of);
      return of && not(of);
    }
    default: {
      const of = clause.of.flatMap((one) => known(one) ?? []);
      return of.length > 1 ? { ...clause, of } : of[0];
    }
  }
}

/** The fields that words are looked for in, whichever branch finds them; undefined for all. */
export function fieldsIn({ branches }: Plan): readonly Field[] | undefined {
  const fields = branches.map((branch) => branch.fields ?? FIELDS);
  const found = FIELDS.filter((field) => fields.some((some) => some.includes(field)));
  return found.length === 0 || found.length === FIELDS.length ? undefined : found;
}

/** Whether any session passes: else their turns need not be looked through. */
export function sessionExists({ session }: Branch): Sql | undefined {
  return session && sql(`SELECT 1 FROM sessions s WHERE ${session.sql} LIMIT 1`, ...session.values);
}
