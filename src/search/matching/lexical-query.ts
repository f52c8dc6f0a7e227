import type { Field } from '../../lexical/fields.ts';
import type { LexicalQuery, Term } from '../../lexical/lexical-index.ts';
import type { RunTokens } from '../../lexical/words/identifiers.ts';
import { eachWord } from '../../lexical/words/tokens.ts';
import { isUnspaced } from '../../lexical/words/unspaced.ts';
import type { Clause, Word } from '../query/query.ts';

/** A word as the index has it; undefined where it holds nothing that is indexed. */
export function termOf({ text, prefix }: Pick<Word, 'text' | 'prefix'>): Term | undefined {
  const runs = runsOf(text);
  const [only, ...others] = runs;
  if (!only) return undefined;
  const sequence = runs.flatMap(tokensOfParts);
  if (isUnspaced(sequence.at(-1)!)) return unspacedTerm(sequence);
  if (others.length > 0) return { alternatives: [sequence], prefix };
  return { alternatives: spellingsOf(only, prefix), prefix: prefix || isShortCommit(sequence) };
}

/**
 * The ways in which a run is found: as it is written, and where it stands in another spelling. `getUser` finds
 * `get_user`, `C#` finds C, and `v2.1` finds 2.1.
 */
export function spellingsOf(run: RunTokens, prefix: boolean): readonly (readonly string[])[] {
  const { signed, whole, parts } = run;
  const tokens = tokensOfParts(run);
  const [first, ...rest] = parts;
  const isVersion = first?.number !== undefined && first.token === `v${first.number}` && rest.length > 0;
  // With one letter of its last part typed (`getUserN`) half the words begin like that: it is only looked for whole.
  const isBegun = prefix && whole !== undefined && tokens.at(-1)?.length === 1;
  return [
    ...(signed === undefined ? [] : [[signed]]),
    ...(whole === undefined ? [] : [[whole]]),
    ...(isBegun ? [] : [tokens]),
    ...(isVersion && !isBegun ? [[first.number!, ...rest.map(({ token }) => token)]] : []),
  ];
}

function runsOf(text: string): RunTokens[] {
  const runs: RunTokens[] = [];
  eachWord(text, (tokens) => {
    if (tokens.parts.length > 0) runs.push(tokens);
  });
  return runs;
}

function tokensOfParts({ parts }: RunTokens): string[] {
  return parts.map(({ token }) => token);
}

/** Whether a word is the beginning of a commit's name as people write it: the index has more of it where all was said. */
function isShortCommit(tokens: readonly string[]): boolean {
  const [only, ...others] = tokens;
  return others.length === 0 && /^(?=.*[0-9])(?=.*[a-f])[0-9a-f]{7,12}$/.test(only ?? '');
}

/**
 * A text without spaces may stand in the middle of another: the index has its last character alone only where it ends
 * there, so a longer text is its pairs, and one character is the beginning of a pair.
 */
function unspacedTerm(tokens: readonly string[]): Term {
  return tokens.length === 1
    ? { alternatives: [tokens], prefix: true }
    : { alternatives: [tokens.slice(0, -1)], prefix: false };
}

/** The tokens of a phrase: the parts of all its words, one after the other, with the signs that belong to them. */
export function phraseTokens(text: string): string[] {
  return runsOf(text).flatMap((run) => {
    const [first, ...rest] = tokensOfParts(run);
    return [run.signed ?? first!, ...rest];
  });
}

/** A phrase as the index has it. */
export function phraseTerm(text: string): Term | undefined {
  const tokens = phraseTokens(text);
  const last = tokens.at(-1);
  if (last === undefined) return undefined;
  return isUnspaced(last) ? unspacedTerm(tokens) : { alternatives: [tokens], prefix: false };
}

/**
 * Whether the index can be asked for a clause of words and phrases: it must name something that is to be there, not
 * only what is not.
 */
export function isAskable(clause: Clause): boolean {
  switch (clause.type) {
    case 'word':
    case 'phrase':
      return true;
    case 'or':
      return clause.of.every(isAskable);
    case 'and': {
      const [positive, negative] = parted(clause.of);
      return positive.length > 0 && positive.every(isAskable) && negative.every(isAskable);
    }
    default:
      return false;
  }
}

/** What must be there, and what must not. */
function parted(clauses: readonly Clause[]): readonly [Clause[], Clause[]] {
  const positive: Clause[] = [];
  const negative: Clause[] = [];
  for (const clause of clauses) {
    if (clause.type === 'not') negative.push(clause.of);
    else positive.push(clause);
  }
  return [positive, negative];
}

/** How much of what is wished for must be there: all of it, or, beside what is required, any. */
export type Strictness = 'all' | 'any';

/** Askable clauses beside each other, in the words of the index. */
export function lexicalQuery(
  clauses: readonly Clause[],
  strictness: Strictness,
  fields: readonly Field[] | undefined,
): LexicalQuery {
  const [positive, negative] = parted(clauses);
  const of = (one: Clause) => oneOf(one, strictness, fields);
  const required = positive.filter((one) => strictness === 'all' || isRequired(one)).map(of);
  const wished = positive.filter((one) => strictness === 'any' && !isRequired(one)).map(of);
  const all = wished.length === 0 ? required : [...required, group('any', wished)];
  const found = group('all', all);
  if (negative.length === 0) return found;
  return {
    type: 'but',
    of: found,
    not: group(
      'any',
      negative.map((one) => oneOf(one, 'all', fields)),
    ),
  };
}

function oneOf(clause: Clause, strictness: Strictness, fields: readonly Field[] | undefined): LexicalQuery {
  switch (clause.type) {
    case 'or':
      return group(
        'any',
        clause.of.map((one) => oneOf(one, strictness, fields)),
      );
    case 'and':
      return lexicalQuery(clause.of, strictness, fields);
    case 'word':
    case 'phrase': {
      const term = clause.type === 'word' ? termOf(clause) : phraseTerm(clause.text);
      return { type: 'term', term: term ?? { alternatives: [], prefix: false }, ...(fields && { fields }) };
    }
    default:
      return { type: 'any', of: [] };
  }
}

function group(type: 'all' | 'any', of: readonly LexicalQuery[]): LexicalQuery {
  return of.length === 1 ? of[0]! : { type, of: of.flatMap((one) => (one.type === type ? one.of : [one])) };
}

/** A phrase must be there; of alternatives one must where each must; a group must hold the phrases in it. */
export function isRequired(clause: Clause): boolean {
  switch (clause.type) {
    case 'phrase':
      return true;
    case 'or':
      return clause.of.every(isRequired);
    case 'and':
      return clause.of.some(isRequired);
    default:
      return false;
  }
}
