import type { LexicalHit } from '../lexical-index.ts';

/** The best `k` so far, as a heap with the worst of them on top. Of equal ones the earlier passage is better. */
export class Top {
  private readonly k: number;
  private readonly scores: Float64Array;
  private readonly passages: Float64Array;
  private size = 0;

  constructor(k: number) {
    this.k = k;
    this.scores = new Float64Array(k);
    this.passages = new Float64Array(k);
  }

  /** What a passage has to score more than, to be among the best. */
  get threshold(): number {
    return this.size < this.k ? 0 : this.k === 0 ? Number.POSITIVE_INFINITY : this.scores[0]!;
  }

  add(passage: number, score: number): void {
    if (this.size < this.k) {
      this.rise(this.size++, passage, score);
    } else if (this.k > 0 && this.isWorse(this.scores[0]!, this.passages[0]!, score, passage)) {
      this.sink(passage, score);
    }
  }

  /** The best first. */
  hits(): LexicalHit[] {
    const hits: LexicalHit[] = [];
    for (let i = 0; i < this.size; i++) hits.push({ passage: this.passages[i]!, score: this.scores[i]! });
    return hits.sort((a, b) => b.score - a.score || a.passage - b.passage);
  }

  private isWorse(score: number, passage: number, than: number, thanPassage: number): boolean {
    return score < than || (score === than && passage > thanPassage);
  }

  private rise(from: number, passage: number, score: number): void {
    const { scores, passages } = this;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.isWorse(score, passage, scores[above]!, passages[above]!)) break;
      scores[at] = scores[above]!;
      passages[at] = passages[above]!;
      at = above;
    }
    scores[at] = score;
    passages[at] = passage;
  }

  private sink(passage: number, score: number): void {
    const { scores, passages, size } = this;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      if (below + 1 < size && this.isWorse(scores[below + 1]!, passages[below + 1]!, scores[below]!, passages[below]!))
        below++;
      if (!this.isWorse(scores[below]!, passages[below]!, score, passage)) break;
      scores[at] = scores[below]!;
      passages[at] = passages[below]!;
      at = below;
    }
    scores[at] = score;
    passages[at] = passage;
  }
}
