import type { Stores } from '../src/holdings/stores.ts';
import { questionsFor, tellingWords } from './ask.ts';
import { ageOf, drawTurns } from './draw.ts';
import { type Answer, type Asked, answerTo } from './score.ts';
import { Corpus } from './turns.ts';

export interface Draw {
  readonly turns: number;
  readonly seed: number;
  /** The clock that ages are counted from, and that search is given. Epoch milliseconds. */
  readonly now: number;
}

/** Turns of a corpus, and what each is asked for by. They hang on the corpus and the seed alone, on no index. */
export class KnownItems {
  readonly corpus: Corpus;
  readonly asked: readonly Asked[];
  /** How many turns are asked for. */
  readonly turns: number;
  private readonly now: number;

  constructor(stores: Stores, { turns, seed, now }: Draw) {
    const corpus = new Corpus(stores);
    // Turn 0 stands before the first prompt: nobody did anything there.
    const isFit = (known: Parameters<Corpus['read']>[0]) =>
      known.turn > 0 && tellingWords(corpus, corpus.read(known)) !== undefined;
    const drawn = drawTurns(corpus.turns, turns, seed, now, isFit);
    this.corpus = corpus;
    this.turns = drawn.length;
    this.now = now;
    this.asked = drawn.flatMap((known) =>
      questionsFor(corpus, known, seed).map((question) => ({ ...question, known, age: ageOf(known.at, now) })),
    );
  }

  /** Asks everything of some stores of the same corpus. */
  answers(stores: Stores): Answer[] {
    return this.asked.map((asked) => answerTo(stores, this.corpus, asked, this.now));
  }
}
