import type { Stores } from '../../holdings/stores.ts';
import type { Config } from '../../home/config.ts';
import type { FilterContext } from '../matching/conditions.ts';
import { frequenciesOf } from '../matching/frequency.ts';
import { phraseTerm, termOf } from '../matching/lexical-query.ts';
import { printClause } from '../query/print.ts';
import { type Clause, type Query, wanted } from '../query/query.ts';
import { emptyFilters, emptyLine } from './filter-values.ts';
import { isOfSigns } from './warnings.ts';

/** Why an answer is empty. */
export interface Nothing {
  /** Words and phrases that occur nowhere in what is indexed. */
  readonly unknownWords: readonly string[];
  /** Filters that no session matches, each as it is written. */
  readonly emptyFilters: readonly { readonly filter: string; readonly didYouMean: string | null }[];
  /** What was not looked at: sources and folders that the configuration leaves out, the session that asks. */
  readonly leftOut: readonly string[];
}

/** More words are not told one by one. */
const MOST_TOLD = 24;

/** Which words of an unanswered query are known nowhere, which filters nothing passes, and what was left out; in lines too. */
export function whyNothing(
  stores: Stores,
  query: Query,
  context: FilterContext & { readonly excludeSession?: string },
  { exclude }: Config,
): { readonly nothing: Nothing; readonly lines: readonly string[] } {
  const words = unknownWords(stores, query);
  const filters = emptyFilters(stores, query, context, true);
  const leftOut = [
    ...Object.entries(exclude).flatMap(([what, names]) => names.map((name) => `exclude.${what}: ${name}`)),
    ...(context.excludeSession === undefined ? [] : [`session: ${context.excludeSession}`]),
  ];
  return {
    nothing: {
      unknownWords: words,
      emptyFilters: filters.map(({ clause, didYouMean }) => ({
        filter: printClause(clause),
        didYouMean: didYouMean ?? null,
      })),
      leftOut,
    },
    lines: [
      ...(query.clauses.length === 0 ? ['the query holds nothing to look for'] : []),
      ...(words.length > 0 ? [unknownLine(words, wanted(query.clauses).length)] : []),
      ...filters.map(emptyLine),
      ...(words.length === 0 && filters.length === 0 && isApart(query)
        ? ['each word and filter matches something, but no turn matches them all']
        : []),
      ...(leftOut.length > 0 ? [`not searched: ${leftOut.join(', ')}`] : []),
    ],
  };
}

/** Whether a query asks for several things, all of which can be looked for. */
function isApart(query: Query): boolean {
  return query.clauses.length > 1 && !isOfSigns(query) && !query.clauses.some((clause) => clause.type === 'unreadable');
}

function unknownWords({ lexical }: Stores, query: Query): string[] {
  const asked = wanted(query.clauses)
    .slice(0, MOST_TOLD)
    .flatMap((one) => {
      const term = one.type === 'word' ? termOf(one) : phraseTerm(one.text);
      return term ? [{ text: printed(one), term }] : [];
    });
  const frequencies = frequenciesOf(
    asked.map(({ term }) => term),
    lexical,
  );
  return [...new Set(asked.filter((_, i) => frequencies[i] === 0).map(({ text }) => text))];
}

/** As it was typed, quotes and star included. */
function printed(clause: Clause): string {
  return clause.type === 'word' ? `${clause.text}${clause.prefix ? '*' : ''}` : printClause(clause);
}

function unknownLine(words: readonly string[], asked: number): string {
  if (words.length > 1 && words.length === asked) return 'none of these words occurs anywhere in the index';
  const list = words.map((word) => (word.startsWith('"') ? word : `“${word}”`)).join(', ');
  return `${list} ${words.length === 1 ? 'occurs' : 'occur'} nowhere in what is indexed`;
}
