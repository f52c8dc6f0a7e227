import type { LexicalIndex, Term } from '../../lexical/lexical-index.ts';

type Asked = Pick<LexicalIndex, 'documentFrequencies' | 'search'>;

/** Sequences that are followed through the index for the sake of how often they stand there. */
const MOST_FOLLOWED = 200;

/** In how many passages a word of a query stands, as it is looked for: whole. */
export function frequencyOf(term: Term, lexical: Asked): number {
  return lexical.search({ type: 'term', term }, undefined, 1).total;
}

/**
 * In how many passages each of many words stands. A compound (a path, a time stamp) stands where all of it does; of very
 * many compounds those that the rarest parts leave most common are told by these.
 */
export function frequenciesOf(terms: readonly Term[], lexical: Asked): number[] {
  const tokens = [...new Set(terms.flatMap(({ alternatives }) => alternatives.flat()))];
  const counted = lexical.documentFrequencies(tokens);
  const known = new Map(tokens.map((token, i) => [token, counted[i]!]));
  /** The most that a word may have: of a beginning the last token says nothing. */
  const bounds = terms.map(({ alternatives, prefix }) =>
    alternatives.reduce((sum, sequence) => {
      const whole = prefix ? sequence.slice(0, -1) : sequence;
      return sum + whole.reduce((least, token) => Math.min(least, known.get(token)!), MOST);
    }, 0),
  );
  const order = terms.map((_, i) => i).filter((i) => bounds[i]! > 0 && isCompound(terms[i]!));
  order.sort((a, b) => bounds[a]! - bounds[b]!);
  for (const i of order.slice(0, MOST_FOLLOWED)) bounds[i] = frequencyOf(terms[i]!, lexical);
  return bounds;
}

const MOST = Number.MAX_SAFE_INTEGER;

function isCompound({ alternatives, prefix }: Term): boolean {
  return prefix || alternatives.some((sequence) => sequence.length > 1);
}
