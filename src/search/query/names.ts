import { SOURCES } from '../../agents/registry.ts';

/** A kind of history, as far as a query speaks of it. */
export interface NamedSource {
  readonly id: string;
  readonly label: string;
}

/** The names of the sources: ids, labels, and the first word of a label where one source alone has it. */
export class SourceNames {
  /** Words in lower case to an id. */
  private readonly ids = new Map<string, string>();
  private readonly beginnings = new Set<string>();
  private readonly longest: number;

  constructor(sources: readonly NamedSource[]) {
    const firsts = sources.map(({ label }) => label.toLowerCase().split(/\s+/)[0]!);
    for (const [index, { id, label }] of sources.entries()) {
      const first = firsts[index]!;
      if (firsts.filter((other) => other === first).length === 1) this.learn(first, id);
      this.learn(label.replace(/\s+/g, ''), id);
      this.learn(label, id);
      this.learn(id, id);
    }
    this.longest = Math.max(0, ...[...this.ids.keys()].map((name) => name.split(' ').length));
  }

  private learn(name: string, id: string): void {
    const words = name.toLowerCase().trim().split(/\s+/);
    this.ids.set(words.join(' '), id);
    this.beginnings.add(words[0]!);
  }

  /** The id of the source that is called so, in whatever spelling. */
  idOf(name: string): string | undefined {
    return this.ids.get(name.toLowerCase().trim().split(/\s+/).join(' '));
  }

  /** Whether a word, in lower case, may begin a name. */
  begins(word: string): boolean {
    return this.beginnings.has(word);
  }

  /** The longest name that the words from `i` on are. */
  at(words: readonly string[], i: number): { readonly id: string; readonly length: number } | undefined {
    if (!this.begins(words[i] ?? '')) return undefined;
    for (let length = Math.min(this.longest, words.length - i); length > 0; length--) {
      const id = this.ids.get(words.slice(i, i + length).join(' '));
      if (id !== undefined) return { id, length };
    }
    return undefined;
  }
}

export const SOURCE_NAMES = new SourceNames(SOURCES);
