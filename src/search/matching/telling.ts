import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import type { Clause, Word } from '../query/query.ts';
import { frequenciesOf } from './frequency.ts';
import { termOf } from './lexical-query.ts';

/** Of a pasted text the most telling words are looked for. */
const MOST_WORDS = 24;
/** Of the words of a longer text those at its beginning and at its end are weighed. */
const MOST_WEIGHED = 5000;

/**
 * The clauses with the rarest of very many words alone, each once, and how many were left out: a pasted log would else
 * be looked for by every "the" in it. What occurs nowhere does not take the place of what does.
 */
export function telling(
  clauses: readonly Clause[],
  lexical: LexicalIndex,
): { readonly clauses: readonly Clause[]; readonly wordsLeftOut: number } {
  const words = clauses.filter((clause): clause is Word => clause.type === 'word');
  if (words.length <= MOST_WORDS) return { clauses, wordsLeftOut: 0 };
  const distinct = [...new Map(words.map((word) => [`${word.text}${word.prefix ? '*' : ''}`, word])).values()];
  const rarest = rarestOf(distinct, lexical);
  const kept = new Set<Clause>((rarest.length > 0 ? rarest : distinct).slice(0, MOST_WORDS));
  return {
    clauses: clauses.filter((clause) => clause.type !== 'word' || kept.has(clause)),
    wordsLeftOut: distinct.length - kept.size,
  };
}

/** The words that occur, the rarest first. */
function rarestOf(words: readonly Word[], lexical: LexicalIndex): Word[] {
  const half = MOST_WEIGHED / 2;
  const weighed = words.length <= MOST_WEIGHED ? words : [...words.slice(0, half), ...words.slice(-half)];
  const asked = weighed.flatMap((word) => {
    const term = termOf(word);
    return term ? [{ word, term }] : [];
  });
  const frequencies = frequenciesOf(
    asked.map(({ term }) => term),
    lexical,
  );
  const found = asked.map(({ word }, i) => ({ word, frequency: frequencies[i]! })).filter((one) => one.frequency > 0);
  return found.sort((a, b) => a.frequency - b.frequency).map(({ word }) => word);
}
