import { meet } from './combine.ts';
import { type Cursor, collectEach, END, type Scorer, type Window } from './cursor.ts';
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
  /** For each term the place that was looked at last: they rise together. */
  private readonly here: Int32Array;

  constructor(terms: readonly PlacesCursor[], weights: readonly number[], scorer: Scorer, idf: number) {
    this.terms = terms;
    this.byCost = [...terms].sort((a, b) => a.cost - b.cost);
    this.cost = this.byCost[0]!.cost;
    this.weights = weights;
    this.scorer = scorer;
    this.idf = idf;
    this.places = terms.map(() => NOWHERE);
    this.here = new Int32Array(terms.length);
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

  collect(from: number, to: number, window: Window): void {
    collectEach(this, from, to, window);
  }

  /** How often the phrase stands in the passage that all terms stand on, weighed. */
  private count(): number {
    const { terms, places, weights, here } = this;
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
      for (let at = 1; at < places.length; at++) here[at] = places[at]!.starts[field]!;
      const end = first.starts[field + 1]!;
      for (let i = first.starts[field]!; i < end; i++) if (this.follow(field, first.positions[i]!)) sum += weight;
    }
    return sum;
  }

  /** Whether the other terms follow the first one, which stands at a position of a field. */
  private follow(field: number, position: number): boolean {
    const { places, here } = this;
    for (let term = 1; term < places.length; term++) {
      const { positions, starts } = places[term]!;
      const end = starts[field + 1]!;
      let at = here[term]!;
      while (at < end && positions[at]! < position + term) at++;
      here[term] = at;
      if (at === end || positions[at] !== position + term) return false;
    }
    return true;
  }
}

/**
 * Any of several terms as one, at the end of a phrase that ends with a beginning. The terms stand in a heap by the passage
 * they are on: there may be thousands, of which only those that are behind are moved.
 */
export class PlacesOfAny implements PlacesCursor {
  doc = -1;
  readonly cost: number;
  private readonly heap: PlacesCursor[];
  private readonly held = new Places();

  constructor(terms: readonly PlacesCursor[]) {
    this.heap = [...terms];
    this.cost = terms.reduce((sum, term) => sum + term.cost, 0);
  }

  next(target: number): number {
    if (target <= this.doc) return this.doc;
    const { heap } = this;
    while (heap[0]!.doc < target) {
      heap[0]!.next(target);
      this.sink(0);
    }
    this.doc = heap[0]!.doc;
    return this.doc;
  }

  mask(): number {
    return this.here().reduce((mask, term) => mask | term.mask(), 0);
  }

  places(): Places {
    this.held.join(this.here().map((term) => term.places()));
    return this.held;
  }

  /** The terms that stand on the passage: a heap has them at its top. */
  private here(at = 0, found: PlacesCursor[] = []): PlacesCursor[] {
    const term = this.heap[at];
    if (term?.doc !== this.doc) return found;
    found.push(term);
    this.here(2 * at + 1, found);
    return this.here(2 * at + 2, found);
  }

  private sink(from: number): void {
    const { heap } = this;
    const term = heap[from]!;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.doc < heap[child]!.doc) child++;
      if (heap[child]!.doc >= term.doc) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = term;
  }
}
