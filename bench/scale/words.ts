import { wordTokens } from '../../src/lexical/words/identifiers.ts';
import { eachRun } from '../../src/lexical/words/tokens.ts';
import { Chance } from '../../test/support/chance.ts';

/** The share of the words of a text that are others in a variation of it. */
const REPLACED = 0.2;
/** Of the words that are new, this share stands once, as two fifths of all terms of the corpus do. */
const ONCE = 0.5;
/** New words of this share are identifiers: a known word with a new one behind it. */
const JOINED = 0.3;
/** Words that replacements are drawn from, each as often as it stands in the texts. */
const POOL = 1 << 20;

const SYLLABLES =
  'ba be bi bo bu da de di do du fa fe fi fo ga ge gi go ka ke ki ko la le li lo ma me mi mo na ne ni no'
    .concat(' pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi vo wa we wi wo za ze zi zo')
    .split(' ');

/**
 * Varies texts: one word in five is another, drawn as often as it stands in the corpus, or new. So many are new that
 * the dictionary goes on growing as that of the corpus does by Heaps' law, V(n) = K n^b (Heaps 1978): a word is new
 * with the probability b V(n) / n. A new word comes into the pool and is drawn again, or stands once (Simon 1955).
 */
export class Variation {
  private readonly chance: Chance;
  private readonly pool: string[] = [];
  private readonly k: number;
  private readonly b: number;
  private tokens: number;
  private made = 0;

  /** Learns how often words stand, and how their number grows, from the texts of a corpus in their order. */
  constructor(texts: Iterable<string>, seed: number) {
    this.chance = new Chance(seed);
    const { tokens, terms, growth } = this.learn(texts);
    this.tokens = tokens;
    this.b = growth;
    this.k = terms / tokens ** growth;
  }

  private learn(texts: Iterable<string>) {
    const seen = new Set<string>();
    const growth: { readonly tokens: number; readonly terms: number }[] = [];
    let tokens = 0;
    let runs = 0;
    for (const text of texts) {
      eachRun(text, (start, end) => {
        const run = text.slice(start, end);
        for (const token of wordTokens(run)) {
          seen.add(token);
          tokens++;
        }
        // A fair sample of so many (Vitter 1985, algorithm R).
        const place = runs < POOL ? runs : this.chance.below(runs + 1);
        if (place < POOL) this.pool[place] = run;
        runs++;
      });
      growth.push({ tokens, terms: seen.size });
    }
    // The exponent of the last nine tenths: the first texts are few and much alike.
    const tenth = growth.find((mark) => mark.tokens >= tokens / 10)!;
    const exponent = Math.log(seen.size / tenth.terms) / Math.log(tokens / tenth.tokens);
    return { tokens, terms: seen.size, growth: exponent };
  }

  /** The exponent of Heaps' law in the corpus. */
  get exponent(): number {
    return this.b;
  }

  vary(text: string): string {
    let out = '';
    let done = 0;
    eachRun(text, (start, end) => {
      this.tokens++;
      if (this.chance.next() >= REPLACED) return;
      out += text.slice(done, start) + this.word();
      done = end;
    });
    return done === 0 ? text : out + text.slice(done);
  }

  private word(): string {
    const newShare = this.b * this.k * this.tokens ** (this.b - 1);
    if (this.chance.next() * REPLACED >= newShare) return this.chance.of(this.pool);
    const fresh = syllables(this.made++);
    const word =
      this.chance.next() < JOINED ? this.chance.of(this.pool) + fresh[0]!.toUpperCase() + fresh.slice(1) : fresh;
    if (this.chance.next() >= ONCE) this.pool[this.chance.below(this.pool.length)] = word;
    return word;
  }
}

/** A number as a word that can be spoken, of at least three syllables. */
function syllables(number: number): string {
  let word = '';
  for (let left = number, i = 0; left > 0 || i < 3; left = Math.floor(left / SYLLABLES.length), i++)
    word += SYLLABLES[left % SYLLABLES.length];
  return word;
}
