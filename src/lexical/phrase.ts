import { meet } from './combine.ts';
import { type Cursor, collectEach, END, type Scorer } from './cursor.ts';
import { Places, type PlacesCursor } from './places.ts';

const NOWHERE = new Places();

/**
 * Passages in which some terms stand one after the other in one field. A phrase scores as a word does, by how often it
 * stands there; its idf is the sum of those of its terms, at most that of a term in one passage.
 */
export class PhraseCursor implements Cursor {
  doc = -1;
  readonly cost: number;
  private readonly terms: readonly PlacesCursor[];
  private readonly byCost: readonly PlacesCursor[];
  private readonly weights: readonly number[];
  private readonly scorer: Scorer;
  private readonly idf: number;
  private frequency = 0;
  private readonly places: Places[];

  constructor(terms: readonly PlacesCursor[], weights: readonly number[], scorer: Scorer, idf: number) {
    this.terms = terms;
    this.byCost = [...terms].sort((a, b) => a.cost - b.cost);
    this.cost = this.byCost[0]!.cost;
    this.weights = weights;
    this.scorer = scorer;
    this.idf = idf;
    this.places = terms.map(() => NOWHERE);
  }

  next(target: number): number {
    if (target <= this.doc) return this.doc;
    let doc = meet(this.byCost, target);
    while (doc !== END) {
      this.frequency = this.count();
      if (this.frequency > 0) break;
      doc = meet(this.byCost, doc + 1);
    }
    this.doc = doc;
    return doc;
  }

  score(): number {
    return (this.idf * this.frequency) / (this.frequency + this.scorer.norms[this.scorer.lengths.code(this.doc)]!);
  }

  bound(_from: number, to: number): number {
    return this.doc >= to ? 0 : this.idf;
  }

  collect(from: number, to: number, scores: Float64Array): void {
    collectEach(this, from, to, scores);
  }

  /** How often the phrase stands in the passage that all terms stand on, weighed. */
  private count(): number {
    const { terms, places, weights } = this;
    let fields = 0xff;
    for (let i = 0; i < terms.length && fields !== 0; i++) fields &= terms[i]!.mask();
    if (fields === 0) return 0;
    for (let i = 0; i < terms.length; i++) places[i] = terms[i]!.places();
    const first = places[0]!;
    let sum = 0;
    for (; fields !== 0; fields &= fields - 1) {
      const field = 31 - Math.clz32(fields & -fields);
      const weight = weights[field]!;
      if (weight === 0) continue;
      const end = first.starts[field + 1]!;
      for (let i = first.starts[field]!; i < end; i++) {
        const position = first.positions[i]!;
        let at = 1;
        while (at < places.length && places[at]!.has(field, position + at)) at++;
        if (at === places.length) sum += weight;
      }
    }
    return sum;
  }
}

/** Any of several terms as one, at the end of a phrase that ends with a beginning. */
export class PlacesOfAny implements PlacesCursor {
  doc = -1;
  readonly cost: number;
  private readonly terms: readonly PlacesCursor[];
  private readonly held = new Places();

  constructor(terms: readonly PlacesCursor[]) {
    this.terms = terms;
    this.cost = terms.reduce((sum, term) => sum + term.cost, 0);
  }

  next(target: number): number {
    if (target <= this.doc) return this.doc;
    let doc = END;
    for (const term of this.terms) doc = Math.min(doc, term.next(target));
    this.doc = doc;
    return doc;
  }

  mask(): number {
    return this.terms.reduce((mask, term) => (term.doc === this.doc ? mask | term.mask() : mask), 0);
  }

  places(): Places {
    this.held.join(this.terms.filter((term) => term.doc === this.doc).map((term) => term.places()));
    return this.held;
  }
}
