/**
 * A literal that is looked for; `fold` finds its ASCII letters in upper and lower case. It has three ASCII characters in a
 * row, or begins with one that is none.
 */
export interface Literal {
  readonly text: string;
  readonly fold: boolean;
}

/** Characters from the commonest in English and code to the rarer ones; what is not among them is rarest. */
const BY_FREQUENCY = ' etaoinsrlcdupm-hg.f/b"_yv=:wk,|xqjz';
/** One pair of ASCII characters: an index into the table of pairs. */
const PAIRS = 1 << 14;

interface Candidate {
  readonly literal: number;
  /** Where in the literal the pair stands. */
  readonly offset: number;
}

/**
 * Finds many literals in one walk over a text (after Wu and Manber, 1994, with pairs of characters). It looks at every
 * second pair only: each literal is known by two neighbouring pairs, of which a text has one at an even place. The work
 * is one look into a table for two characters, whatever the number of literals.
 */
export class LiteralScanner {
  private readonly literals: readonly Literal[];
  /** For a pair the index of its candidates, 0 for none. */
  private readonly table = new Uint16Array(PAIRS);
  private readonly candidates: Candidate[][] = [[]];
  /** For an index of candidates the characters that one of them has before the pair, and after it: a bit for each by its low five bits. */
  private readonly before: number[] = [0];
  private readonly after: number[] = [0];
  /** For a character that is not ASCII the literals that begin with it. */
  private readonly foreign = new Map<number, number[]>();
  /** Whether any literal begins with a character. */
  private readonly begins = new Uint8Array(1 << 16);

  /** @throws where a literal is too short, or not ASCII where it has to be */
  constructor(literals: readonly Literal[]) {
    this.literals = literals;
    literals.forEach(({ text, fold }, literal) => {
      if (text.charCodeAt(0) > 127) {
        this.addForeign(text.charCodeAt(0), literal);
        return;
      }
      const offset = rarestPairs(fold ? text.toLowerCase() : text);
      if (offset === undefined) throw new Error('a literal needs three ASCII characters in a row');
      for (const at of [offset, offset + 1])
        for (const first of spellings(text.charCodeAt(at), fold))
          for (const second of spellings(text.charCodeAt(at + 1), fold))
            this.add((first << 7) | second, { literal, offset: at });
    });
  }

  private addForeign(code: number, literal: number): void {
    this.begins[code] = 1;
    const known = this.foreign.get(code);
    if (known) known.push(literal);
    else this.foreign.set(code, [literal]);
  }

  private add(pair: number, candidate: Candidate): void {
    if (this.table[pair] === 0) {
      this.table[pair] = this.candidates.length;
      this.candidates.push([]);
      this.before.push(0);
      this.after.push(0);
    }
    const entry = this.table[pair]!;
    const { text } = this.literals[candidate.literal]!;
    this.candidates[entry]!.push(candidate);
    this.before[entry]! |= bitAt(text, candidate.offset - 1);
    this.after[entry]! |= bitAt(text, candidate.offset + 2);
  }

  /** Tells of every place where a literal stands, in about the order of the text. */
  scan(text: string, found: (literal: number, at: number) => void): void {
    const { table, before, after, begins } = this;
    const end = text.length - 1;
    for (let at = 0; at < end; at += 2) {
      const first = text.charCodeAt(at);
      const second = text.charCodeAt(at + 1);
      if ((first | second) > 127) {
        if ((begins[first]! | begins[second]!) !== 0) this.tellForeign(text, at, found);
        continue;
      }
      const entry = table[(first << 7) | second]!;
      if (entry === 0) continue;
      // Where a candidate goes beyond the text, any bit will do: it does not stand there.
      if (((before[entry]! >>> (at > 0 ? text.charCodeAt(at - 1) & 31 : 0)) & 1) === 0) continue;
      if (((after[entry]! >>> (at + 2 < text.length ? text.charCodeAt(at + 2) & 31 : 0)) & 1) === 0) continue;
      this.tell(entry, text, at, found);
    }
    if (text.length % 2 === 1) this.tellForeign(text, end, found);
  }

  /** Looks for literals that begin at a place or the next. */
  private tellForeign(text: string, at: number, found: (literal: number, at: number) => void): void {
    for (const start of [at, at + 1])
      for (const literal of this.foreign.get(text.charCodeAt(start)) ?? [])
        if (stands(this.literals[literal]!, text, start)) found(literal, start);
  }

  private tell(entry: number, text: string, at: number, found: (literal: number, at: number) => void): void {
    for (const { literal, offset } of this.candidates[entry]!) {
      const start = at - offset;
      if (start >= 0 && stands(this.literals[literal]!, text, start)) found(literal, start);
    }
  }
}

/** The bit of a literal's character, the same in both cases; all of them where the literal does not reach. */
function bitAt(literal: string, at: number): number {
  return at < 0 || at >= literal.length ? -1 : 1 << (literal.charCodeAt(at) & 31);
}

function stands({ text: literal, fold }: Literal, text: string, at: number): boolean {
  if (at + literal.length > text.length) return false;
  for (let i = 0; i < literal.length; i++) {
    const code = text.charCodeAt(at + i);
    const wanted = literal.charCodeAt(i);
    if (code !== wanted && !(fold && isLetter(wanted) && (code | 32) === (wanted | 32))) return false;
  }
  return true;
}

/** How common each ASCII character is. */
const COMMONNESS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  const rank = BY_FREQUENCY.indexOf(character.toLowerCase());
  const commonness = rank < 0 ? 1 : BY_FREQUENCY.length - rank + 1;
  return character >= 'A' && character <= 'Z' ? Math.ceil(commonness / 3) : commonness;
});

/** Where the two neighbouring pairs begin that a text is least likely to hold; undefined where there are none. */
function rarestPairs(literal: string): number | undefined {
  // Not a number, and so never the least, for what is not ASCII.
  const commonness = (at: number) => COMMONNESS[literal.charCodeAt(at)] ?? Number.NaN;
  let best: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at + 3 <= literal.length; at++) {
    const sum = (commonness(at) + commonness(at + 2)) * commonness(at + 1);
    if (sum < least) {
      least = sum;
      best = at;
    }
  }
  return best;
}

function spellings(code: number, fold: boolean): readonly number[] {
  return fold && isLetter(code) ? [code | 32, code & ~32] : [code];
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}
