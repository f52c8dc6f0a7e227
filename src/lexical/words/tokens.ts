import { eachRunOf, KIND, KINDS, type RunKind, Units, unitsOf } from './runs.ts';

/**
 * The tokeniser. It gives Unicode words, folded (NFKC, case, accents), identifiers both whole and in parts, and CJK
 * text as overlapping pairs of characters.
 *
 *   getUserName     getusername get user name
 *   max_page-size   max_page_size max page size
 *   src/auth/a.ts   src auth a_ts a ts             (each name of a path whole, and in parts)
 *   数据库            数据 据库 库
 *
 * The whole of an identifier stands at the position of its first part, so that a phrase finds either spelling.
 *
 * Kept out are words that nobody types: of a long run of hexadecimal or base64 only the beginning is kept, which is
 * enough to find a commit by its whole name or by the beginning of it, and an image once. Of a UUID the whole is kept,
 * and its first group. A run that changes between capitals, small letters and digits like chance is not parted.
 */

/** Longer words are cut: nobody types them. */
const LONGEST_WORD = 64;
/** Longer runs of hexadecimal or base64 text are no words: only their beginning is kept. */
const LONGEST_CODE = 40;
const KEPT_OF_A_CODE = 12;
/** Shorter runs may well be names. */
const SHORTEST_NOISE = 16;
/** Behind the base64 that a `/` or `+` parts from it. */
const SHORTEST_MORE_NOISE = 6;
const BOTH_CASES = /[a-z].*[A-Z]|[A-Z].*[a-z]/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UUID_LENGTH = 36;
const FIRST_GROUP = 8;

/** Stands behind a token in place of the space where the next one has the same position. */
export const SAME_POSITION = 31;

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;
/** Accents, and what chooses between shapes of a character. Marks of other scripts are letters of a kind: without them words would be other words. */
const ACCENTS = /[\u0300-\u036f\ufe00-\ufe0f]+/g;
/** Nobody writes so many marks on a letter; normalising long runs of them takes quadratic time. */
const MANY_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Calls `found` for each run of word characters, with single joiners inside it, in a text. */
export function eachRun(text: string, found: (start: number, end: number, kind: RunKind) => void): void {
  eachRunOf(unitsOf(text), text.length, found);
}

/** Collects tokens as bytes, each followed by a space, or by `SAME_POSITION`. */
export class TokenWriter {
  bytes = new Uint8Array(8192);
  length = 0;
  private readonly cuts = new Int32Array(2 * LONGEST_RUN);
  private readonly units = new Units(4096);
  private text = '';
  /** Where the run that was noise last ended. */
  private noiseEnd = -1;

  clear(): void {
    this.length = 0;
  }

  /** Writes the tokens of a text. */
  write(text: string): void {
    this.text = text;
    this.noiseEnd = -1;
    this.units.set(text);
    eachRunOf(this.units.all, text.length, this.writeRun);
  }

  private readonly writeRun = (start: number, end: number, kind: RunKind): void => {
    const { text, noiseEnd } = this;
    const units = this.units.all;
    // The most: every character a part and in its run's whole, three bytes a character, and a space each.
    this.reserve((end - start) * 4 + 8);
    if (kind === 'plain') {
      this.copy(units, start, Math.min(end, start + LONGEST_WORD));
      return;
    }
    let isChance = false;
    if (kind === 'ascii') {
      const isBehind = start === noiseEnd + 1 && (text[noiseEnd] === '/' || text[noiseEnd] === '+');
      isChance = isNoise(units, start, end, isBehind ? SHORTEST_MORE_NOISE : SHORTEST_NOISE);
      if (isChance) {
        this.noiseEnd = end;
        // Hexadecimal behind hexadecimal is another name, not more of the same.
        if (isBehind && BOTH_CASES.test(text.slice(start, end))) return;
      }
      if (end - start <= LONGEST_RUN) {
        this.identifier(start, end, isChance && end - start >= SHORTEST_NOISE);
        return;
      }
    }
    this.encode(text.slice(start, end));
  };

  /** An ASCII run, as `wordTokens` has it, without a string a token. */
  private identifier(start: number, end: number, isOneCase: boolean): void {
    const units = this.units.all;
    if (isCode(units, start, end)) {
      this.copy(units, start, start + KEPT_OF_A_CODE);
      return;
    }
    const { cuts } = this;
    let parts = 0;
    let begin = start;
    let before = KIND.joiner as number;
    for (let i = start; i <= end; i++) {
      const here = i < end ? KINDS[units[i]!]! : KIND.joiner;
      if (here === KIND.joiner) {
        if (i > begin) {
          cuts[parts++] = begin;
          cuts[parts++] = i;
        }
        begin = i + 1;
      } else if (
        i > begin &&
        here === KIND.upper &&
        !isOneCase &&
        isBoundary(before, i + 1 < end ? KINDS[units[i + 1]!]! : 0)
      ) {
        cuts[parts++] = begin;
        cuts[parts++] = i;
        begin = i;
      }
      before = here;
    }
    if (parts > 2) {
      this.copy(units, start, Math.min(end, start + LONGEST_WORD));
      this.bytes[this.length - 1] = SAME_POSITION;
    }
    if (end - start === UUID_LENGTH && UUID.test(this.text.slice(start, end))) parts = 2;
    for (let p = 0; p < parts; p += 2) this.copy(units, cuts[p]!, Math.min(cuts[p + 1]!, cuts[p]! + LONGEST_WORD));
  }

  /** Lower case, joiners as underscores, and a space. */
  private copy(units: Uint16Array, start: number, end: number): void {
    const { bytes } = this;
    let { length } = this;
    for (let i = start; i < end; i++) bytes[length++] = LOWER[units[i]!]!;
    bytes[length++] = 32;
    this.length = length;
  }

  private encode(run: string): void {
    const tokens = wordTokens(run);
    for (const [i, token] of tokens.entries()) {
      this.reserve(token.length * 3 + 1);
      const { written } = ENCODER.encodeInto(token, this.bytes.subarray(this.length));
      this.length += written;
      this.bytes[this.length++] = i === 0 && hasWhole(tokens, run) ? SAME_POSITION : 32;
    }
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

/** Longer runs go the slow way. */
const LONGEST_RUN = 512;
const ENCODER = new TextEncoder();

/** ASCII codes in lower case, joiners as underscores. */
const LOWER = new Uint8Array(128);
for (let c = 0; c < 128; c++) LOWER[c] = KINDS[c] === KIND.upper ? c + 32 : KINDS[c] === KIND.joiner ? 95 : c;

/** The tokens of a text, each followed by a space. */
export function tokensOf(text: string): string {
  const writer = new TokenWriter();
  writer.write(text);
  return Buffer.from(writer.bytes.buffer, 0, writer.length).toString('utf8').replaceAll('\x1f', ' ');
}

/** The run that is being looked at. */
const RUN = new Units(LONGEST_RUN);

/** The tokens of one run: its whole first, then its parts where it has several. */
export function wordTokens(run: string): string[] {
  RUN.set(run);
  if (isCode(RUN.all, 0, run.length)) return [fold(run.slice(0, KEPT_OF_A_CODE))];
  const parts = partsOf(run, isNoise(RUN.all, 0, run.length, SHORTEST_NOISE));
  const folded = parts.flatMap(tokensOfPart).filter((token) => token !== '');
  if (parts.length < 2 || CJK.test(run)) return folded;
  // Parts of a camelCase word are parted by nothing, so its whole is the plain word; joiners are all one.
  const whole = fold(run.slice(0, LONGEST_WORD)).replace(/[-.]/g, '_').replace(UNWORDLY, '').slice(0, LONGEST_WORD);
  if (UUID.test(run)) return [whole, whole.slice(0, FIRST_GROUP)];
  return whole === '' ? folded : [whole, ...folded];
}

/** The tokens of one run that follow each other: its parts, or the whole where there are none. */
export function sequenceTokens(run: string): string[] {
  const tokens = wordTokens(run);
  return hasWhole(tokens, run) ? tokens.slice(1) : tokens;
}

/** Whether the first of a run's tokens is its whole, and the others its parts. */
function hasWhole(tokens: readonly string[], run: string): boolean {
  return tokens.length > 1 && !CJK.test(run);
}

function tokensOfPart(part: string): string[] {
  const folded = fold(part).replace(UNWORDLY, '');
  if (!NON_ASCII.test(folded) || !CJK.test(folded)) return [folded.slice(0, LONGEST_WORD)];
  return segments(folded).flatMap((segment) => (CJK.test(segment) ? pairs(segment) : [segment.slice(0, LONGEST_WORD)]));
}

/** What may come of folding beside letters and digits: `⑴` gives `(1)`. */
const UNWORDLY = /[^\w\P{ASCII}]/gu;
const NON_ASCII = /\P{ASCII}/u;

/** NFKC, lower case, without accents: `Größe` gives `grosse`. */
export function fold(word: string): string {
  if (!NON_ASCII.test(word)) return word.toLowerCase();
  const spread = word.replace(MANY_MARKS, '$1').normalize('NFKD').toLowerCase();
  return spread.replace(ACCENTS, '').replaceAll('ß', 'ss').replaceAll('ı', 'i').normalize('NFC');
}

/** Splits at joiners, and where the case says that a word begins. */
function partsOf(run: string, isOneCase: boolean): string[] {
  const parts: string[] = [];
  for (const name of run.split(/[_.-]/)) {
    if (name === '') continue;
    let start = 0;
    for (let i = 1; i < name.length; i++) {
      if (isOneCase || caseOf(name.charCodeAt(i)) !== KIND.upper) continue;
      const after = i + 1 < name.length ? caseOf(name.charCodeAt(i + 1)) : 0;
      if (!isBoundary(caseOf(name.charCodeAt(i - 1)), after)) continue;
      parts.push(name.slice(start, i));
      start = i;
    }
    parts.push(name.slice(start));
  }
  return parts;
}

/** Whether a capital begins a word: after a small letter or a digit, or as the last of several (`HTTPServer`). */
function isBoundary(before: number, after: number): boolean {
  return before === KIND.lower || before === KIND.digit || (before === KIND.upper && after === KIND.lower);
}

function caseOf(code: number): number {
  if (code < 128) return KINDS[code]!;
  const character = String.fromCharCode(code);
  if (character.toLowerCase() !== character) return KIND.upper;
  return KIND.lower;
}

/** Long runs of letters and digits without a word in them: hashes, keys, base64. */
function isCode(units: Uint16Array, start: number, end: number): boolean {
  if (end - start < LONGEST_CODE) return false;
  let digits = 0;
  for (let i = start; i < end; i++) {
    const c = units[i]!;
    if (c >= 48 && c <= 57) digits++;
    else if (c === 95 || c === 45 || c === 46) return false;
  }
  return digits > (end - start) / 8;
}

/** Whether a run of ASCII changes between capitals, small letters and digits as chance has it: a key, base64. */
function isNoise(units: Uint16Array, start: number, end: number, shortest: number): boolean {
  if (end - start < shortest) return false;
  let changes = 0;
  let digits = 0;
  let before = KIND.joiner as number;
  for (let i = start; i < end; i++) {
    const code = units[i]!;
    if (code >= 128) return false;
    const here = KINDS[code]!;
    if (here === KIND.digit) digits++;
    if (here !== before && before !== KIND.joiner && here !== KIND.joiner) changes++;
    before = here;
  }
  return digits > 0 && changes * 3 > end - start;
}

/** A folded word in stretches of CJK and of other scripts. */
function segments(word: string): string[] {
  const out: string[] = [];
  let wide: boolean | undefined;
  for (const character of word) {
    const isCjk = CJK.test(character);
    if (isCjk === wide) out[out.length - 1] += character;
    else out.push(character);
    wide = isCjk;
  }
  return out;
}

/** Overlapping pairs, and the last character alone: so that a beginning finds every character. */
function pairs(segment: string): string[] {
  const characters = [...segment];
  return characters.map((character, i) => character + (characters[i + 1] ?? ''));
}

/** Whether a text is written without spaces between its words. */
export function isCjk(text: string): boolean {
  return CJK.test(text);
}
