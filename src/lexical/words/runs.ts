/**
 * What a character is to a word: bits, so that those of a run can be put together. What is `unseen` stands in a word
 * and is no part of it, as a soft hyphen; a `picture` is a word of its own, as an emoji.
 */
export const KIND = { lower: 1, upper: 2, digit: 4, joiner: 8, wide: 16, unseen: 128, picture: 256 } as const;
const BEGINS = KIND.lower | KIND.upper | KIND.digit | KIND.wide;
const WORDLY = BEGINS | KIND.unseen;
/** Beside another kind: the character takes two units. */
const ASTRAL = 32;
/** Not looked up yet, or half a character. */
const UNKNOWN = 64;

/** The kind of each UTF-16 unit: 0 for what ends a word. */
export const KINDS = new Uint16Array(0x10000).fill(UNKNOWN, 128);
for (let c = 97; c <= 122; c++) KINDS[c] = KIND.lower;
for (let c = 65; c <= 90; c++) KINDS[c] = KIND.upper;
for (let c = 48; c <= 57; c++) KINDS[c] = KIND.digit;
for (const c of '_-.') KINDS[c.charCodeAt(0)] = KIND.joiner;

/** Letters, digits and marks. */
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
/** Soft hyphens, spaces of no width, marks of direction, what chooses between shapes of a character. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;
/** Emoji, the letters that flags are made of, and the ticks and crosses of those who list things. */
const PICTURE = /[\p{Extended_Pictographic}\p{Regional_Indicator}✓✕✗✘]/u;

/** The UTF-16 units of a text, and a 0: in an array they are read faster than in a string, which may be a part of another. */
export class Units {
  /** Those of the text that was set last, and more. */
  all: Uint16Array<ArrayBuffer>;
  private bytes: Buffer;

  constructor(room: number) {
    this.all = new Uint16Array(room + 1);
    this.bytes = Buffer.from(this.all.buffer);
  }

  set(text: string): void {
    const { length } = text;
    if (length >= this.all.length) {
      this.all = new Uint16Array(length * 2);
      this.bytes = Buffer.from(this.all.buffer);
    }
    // A call costs more than a few characters one by one.
    if (length > SHORT) this.bytes.write(text, 'utf16le');
    else for (let i = 0; i < length; i++) this.all[i] = text.charCodeAt(i);
    this.all[length] = 0;
  }
}

const SHORT = 32;

/** The units of a text, in an array of their own. */
export function unitsOf(text: string): Uint16Array {
  const units = new Units(text.length);
  units.set(text);
  return units.all;
}

/** What a run is made of: lower-case letters alone, ASCII, or more; or it is a picture. */
export type RunKind = 'plain' | 'ascii' | 'wide' | 'picture';

/** Calls `found` for each run of word characters, with single joiners inside it, and for each picture, in the units of a text. */
export function eachRunOf(
  units: Uint16Array,
  length: number,
  found: (start: number, end: number, kind: RunKind) => void,
): void {
  let i = 0;
  while (i < length) {
    let kind = KINDS[units[i]!]!;
    if (kind === UNKNOWN) kind = kindAt(units, i);
    if ((kind & BEGINS) === 0) {
      const from = i;
      i += (kind & ASTRAL) === 0 ? 1 : 2;
      if ((kind & KIND.picture) !== 0) found(from, i, 'picture');
      continue;
    }
    const start = i;
    let end = i;
    let kinds = 0;
    while ((kind & WORDLY) !== 0) {
      while ((kind & WORDLY) !== 0) {
        kinds |= kind;
        i += (kind & ASTRAL) === 0 ? 1 : 2;
        kind = KINDS[units[i]!]!;
        if (kind === UNKNOWN) kind = kindAt(units, i);
      }
      end = i;
      // One joiner between word characters holds an identifier together; two or more part it.
      if (kind !== KIND.joiner) break;
      kind = KINDS[units[++i]!]!;
      if (kind === UNKNOWN) kind = kindAt(units, i);
      if ((kind & WORDLY) !== 0) kinds |= KIND.joiner;
    }
    found(start, end, kinds === KIND.lower ? 'plain' : (kinds & (KIND.wide | KIND.unseen)) === 0 ? 'ascii' : 'wide');
    i = end;
  }
}

/** Looks a character beyond ASCII up. Half a character alone is none. */
function kindAt(units: Uint16Array, i: number): number {
  const unit = units[i]!;
  if (unit < 0xd800 || unit > 0xdfff) {
    const kind = kindOf(String.fromCharCode(unit));
    KINDS[unit] = kind;
    return kind;
  }
  const low = units[i + 1]!;
  if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff) return 0;
  const pair = (unit << 16) | low;
  let kind = PAIRS.get(pair);
  if (kind === undefined) {
    kind = kindOf(String.fromCharCode(unit, low));
    if (kind !== 0) kind |= ASTRAL;
    PAIRS.set(pair, kind);
  }
  return kind;
}

/** The kinds of characters that take two units, by these: as many as were ever met. */
const PAIRS = new Map<number, number>();

function kindOf(character: string): number {
  if (UNSEEN.test(character)) return KIND.unseen;
  if (WORD_CHARACTER.test(character)) return KIND.wide;
  // What folding makes letters of (™) is none.
  return PICTURE.test(character) && character.normalize('NFKD') === character ? KIND.picture : 0;
}

/** A run without what is unseen in it. */
export function seen(run: string): string {
  return run.replace(ALL_UNSEEN, '');
}

const ALL_UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
