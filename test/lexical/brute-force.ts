import { idfOf, LENGTHS, lengthCode, normsOf } from '../../src/lexical/bm25f.ts';
import { FIELD_WEIGHTS, FIELDS, type Field } from '../../src/lexical/fields.ts';
import type { LexicalQuery, Term } from '../../src/lexical/lexical-index.ts';
import type { Words } from '../support/lexical-batches.ts';

/** Scores every passage for every query by walking all words: slow, and too simple to be wrong. */
export class BruteForce {
  readonly passages = new Map<number, Words>();
  private readonly documentFrequency: (term: string) => number;
  private readonly vocabulary: () => Iterable<string>;
  private readonly idfs = new Map<string, number>();

  /** How many passages hold a term is told: the index counts those that were removed until a merge drops them. */
  constructor(documentFrequency: (term: string) => number, vocabulary: () => Iterable<string>) {
    this.documentFrequency = documentFrequency;
    this.vocabulary = vocabulary;
  }

  /** The score of each passage that matches. */
  search(query: LexicalQuery): Map<number, number> {
    this.idfs.clear();
    const lengths = new Map([...this.passages].map(([id, words]) => [id, lengthCode(lengthOf(words))]));
    const sum = [...lengths.values()].reduce((total, code) => total + LENGTHS[code]!, 0);
    const norms = normsOf(sum / this.passages.size);
    const scores = new Map<number, number>();
    for (const [id, words] of this.passages) {
      const score = this.score(query, words, norms[lengths.get(id)!]!);
      if (score !== undefined) scores.set(id, score);
    }
    return scores;
  }

  private score(query: LexicalQuery, words: Words, norm: number): number | undefined {
    switch (query.type) {
      case 'term': {
        const ways = query.term.alternatives.flatMap((tokens) => {
          const f = this.frequency(tokens, query.term, words, query.fields ?? FIELDS);
          return f > 0 ? [(this.idf(tokens, query.term) * f) / (f + norm)] : [];
        });
        return ways.length > 0 ? ways.reduce((total, way) => total + way, 0) : undefined;
      }
      case 'all':
      case 'any': {
        const parts = query.of.map((of) => this.score(of, words, norm));
        const known = parts.filter((part) => part !== undefined);
        if (known.length === 0 || (query.type === 'all' && known.length < parts.length)) return undefined;
        return known.reduce((total, part) => total + part, 0);
      }
      case 'but':
        return this.score(query.not, words, norm) === undefined ? this.score(query.of, words, norm) : undefined;
    }
  }

  private frequency(tokens: readonly string[], { prefix }: Term, words: Words, fields: readonly Field[]): number {
    let frequency = 0;
    if (tokens.length === 0) return 0;
    for (const field of fields) {
      const list = words[field] ?? [];
      for (let at = 0; at + tokens.length <= list.length; at++) {
        const isHere = tokens.every((token, i) => isMatch(list[at + i]!, token, prefix && i === tokens.length - 1));
        if (isHere) frequency += Math.round(FIELD_WEIGHTS[field] * 10);
      }
    }
    return frequency;
  }

  private idf(tokens: readonly string[], term: Term): number {
    const key = `${tokens.join(' ')} ${term.prefix}`;
    const idf = this.idfs.get(key) ?? this.newIdf(tokens, term);
    this.idfs.set(key, idf);
    return idf;
  }

  private newIdf(tokens: readonly string[], { prefix }: Term): number {
    const sum = tokens.reduce((all, token, i) => {
      const isLast = i === tokens.length - 1;
      const terms = [...this.vocabulary()].filter((term) => isMatch(term, token, prefix && isLast));
      const documents = terms.reduce((total, term) => total + this.documentFrequency(term), 0);
      return all + idfOf(this.passages.size, documents);
    }, 0);
    return Math.min(sum, idfOf(this.passages.size, 1));
  }
}

const patterns = new Map<string, RegExp>();

function isMatch(word: string, token: string, isBeginning: boolean): boolean {
  const key = `${token}${isBeginning ? '' : '$'}`;
  let pattern = patterns.get(key);
  if (!pattern) {
    pattern = new RegExp(`^${key.replaceAll('*', '.*').replaceAll('?', '.')}`, 'su');
    patterns.set(key, pattern);
  }
  return pattern.test(word);
}

function lengthOf(words: Words): number {
  return FIELDS.reduce((sum, field) => sum + (words[field]?.length ?? 0), 0);
}
