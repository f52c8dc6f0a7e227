import { piecesOf } from '../../src/holdings/passages.ts';
import type { Stores } from '../../src/holdings/stores.ts';
import { wordTokens } from '../../src/lexical/words/identifiers.ts';
import { Chance } from '../../test/support/chance.ts';

export interface Question {
  readonly kind: string;
  readonly text: string;
}

/** In how many passages a word of a class stands: at least and at most; below one, shares of all. */
const CLASSES: Readonly<Record<string, readonly [number, number]>> = {
  rare: [2, 20],
  ordinary: [0.0002, 0.005],
  common: [0.01, 0.1],
  everywhere: [0.2, 1],
};
const SLOT = /\{([a-z]+)(\d*)\}/g;
const WORD = /[A-Za-z][A-Za-z_]{2,19}/g;
const TRIES = 2000;

/**
 * Questions from templates: `{rare}`, `{ordinary}`, `{common}` and `{everywhere}` are words of that class, `{phrase3}`
 * is three words as they follow each other, `{prefix4}` the first four letters of an ordinary word, `{project}` where
 * it is. All of a question's slots are filled from one passage, so that something holds all of it. A seed says which.
 */
export function questionsFrom(
  templates: Readonly<Record<string, readonly string[]>>,
  draws: number,
  stores: Stores,
  seed: number,
): Question[] {
  const drawer = new Drawer(stores, seed);
  return Object.entries(templates).flatMap(([kind, texts]) =>
    texts.flatMap((template) => Array.from({ length: draws }, () => ({ kind, text: drawer.fill(template) }))),
  );
}

class Drawer {
  private readonly stores: Stores;
  private readonly chance: Chance;
  private readonly passages: number;
  private readonly frequencies = new Map<string, number>();

  constructor(stores: Stores, seed: number) {
    this.stores = stores;
    this.chance = new Chance(seed);
    this.passages = stores.catalog.totals().passages;
  }

  /** @throws where no passage has words for the template */
  fill(template: string): string {
    for (let tries = 0; tries < TRIES; tries++) {
      const filled = this.filledFrom(template, 1 + this.chance.below(this.passages));
      if (filled !== undefined) return filled;
    }
    throw new Error(`no passage has words for “${template}”`);
  }

  private filledFrom(template: string, passage: number): string | undefined {
    const found = this.textOf(passage);
    if (!found) return undefined;
    const words = found.text.match(WORD) ?? [];
    const distinct = this.chance.shuffled([...new Set(words.map((word) => word.toLowerCase()))]);
    let isFilled = true;
    const text = template.replace(SLOT, (_, name: string, size: string) => {
      const value =
        name === 'project'
          ? found.project
          : name === 'phrase'
            ? phraseIn(found.text, Number(size), this.chance)
            : this.takeWord(distinct, name === 'prefix' ? 'ordinary' : name);
      if (value === undefined) isFilled = false;
      return name === 'prefix' ? `${value?.slice(0, Number(size))}*` : (value ?? '');
    });
    return isFilled ? text : undefined;
  }

  /** Takes a word of a class out of a list. */
  private takeWord(words: string[], name: string): string | undefined {
    const [least, most] = CLASSES[name]!;
    const bound = (one: number) => (one <= 1 ? one * this.passages : one);
    const at = words.findIndex((word) => {
      const frequency = this.frequencyOf(word);
      return frequency >= bound(least) && frequency <= bound(most);
    });
    return at < 0 ? undefined : words.splice(at, 1)[0];
  }

  private frequencyOf(word: string): number {
    const known = this.frequencies.get(word);
    if (known !== undefined) return known;
    const [token] = wordTokens(word);
    const frequency = token === undefined ? 0 : this.stores.lexical.documentFrequency(token);
    this.frequencies.set(word, frequency);
    return frequency;
  }

  private textOf(id: number): { readonly text: string; readonly project: string | undefined } | undefined {
    const [passage] = this.stores.catalog.passages([id]);
    if (!passage || passage.chunk < 0) return undefined;
    const chunk = this.stores.archive.chunk(passage.session, passage.turn, passage.chunk);
    const parts = chunk?.body.parts.slice(passage.firstPart, passage.firstPart + 1) ?? [];
    const text = parts.flatMap((part) => piecesOf(part).map((piece) => piece.text)).join('\n');
    const project = this.stores.catalog.session(passage.session)?.project;
    // A name with a space would need quotes.
    return { text, project: project !== undefined && /^\S+$/.test(project) ? project : undefined };
  }
}

/** So many words that stand beside each other in a line. */
function phraseIn(text: string, words: number, chance: Chance): string | undefined {
  const found = [...text.matchAll(new RegExp(`\\b[A-Za-z]{2,20}(?: [A-Za-z]{2,20}){${words - 1}}\\b`, 'g'))];
  return found.length === 0 ? undefined : `"${chance.of(found)[0]}"`;
}
