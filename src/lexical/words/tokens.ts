import { isCode, isNoise } from './chance.ts';
import {
  isBoundary,
  isUuid,
  KEPT_OF_A_CODE,
  LONGEST_WORD,
  positionsOf,
  type RunTokens,
  SHORTEST_NOISE,
  tokensOfRun,
} from './identifiers.ts';
import { eachRunOf, KIND, KINDS, type RunKind, Units, unitsOf } from './runs.ts';
import { signedAt } from './signs.ts';

/**
 * The tokeniser. It gives Unicode words, folded (NFKC, case, accents), identifiers both whole and in parts, text
 * without spaces as overlapping pairs of characters, and emoji.
 *
 *   getUserName     getusername get user name
 *   max_page-size   max_page_size max page size
 *   src/auth/a.ts   src auth a_ts a ts             (each name of a path whole, and in parts)
 *   v2.14.3         v2_14_3 2 v2 14 3              (a version with its letter and without)
 *   C# .NET #123    c# c .net net #123 123         (a sign that belongs to a name, with and without)
 *   数据库            数据 据库 库
 *
 * What stands for the same place has the same position: the whole of an identifier that of its first part, so that a
 * phrase finds either spelling.
 *
 * Kept out are words that nobody types: of a long run of hexadecimal or base64 only the beginning is kept, which is
 * enough to find a commit by its whole name or by the beginning of it, and an image once. Of a UUID the whole is kept,
 * and its first group. A run that changes between capitals, small letters and digits like chance is not parted.
 */

/** Behind the base64 that a `/` or `+` parts from it. */
const SHORTEST_MORE_NOISE = 6;
const BOTH_CASES = /[a-z].*[A-Z]|[A-Z].*[a-z]/;

/** Stands behind a token in place of the space where the next one has the same position. */
export const SAME_POSITION = 31;

/** Calls `found` for each run of word characters, with single joiners inside it, and for each picture, in a text. */
export function eachRun(text: string, found: (start: number, end: number, kind: RunKind) => void): void {
  eachRunOf(unitsOf(text), text.length, found);
}

/** Calls `found` with the tokens of each run of a text, and where it stands. */
export function eachWord(text: string, found: (tokens: RunTokens, start: number, end: number) => void): void {
  const units = unitsOf(text);
  eachRunOf(units, text.length, (start, end, kind) => {
    const tokens = tokensOfRun(text.slice(start, end));
    const signed = isAscii(kind) ? signedAt(units, start, end) : undefined;
    if (!signed) return found(tokens, start, end);
    const word = text.slice(start, end).replace(/[-.]/g, '_');
    const token = `${text.slice(signed.from, start)}${word}${text.slice(end, signed.to)}`.toLowerCase();
    found({ ...tokens, signed: token }, start, end);
  });
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
    // The most: every character a part, its number and in its run's whole, and a space each; a sign with it all again.
    this.reserve((end - start) * 6 + 16);
    if (isAscii(kind)) {
      const signed = signedAt(units, start, end);
      if (signed) this.signed(start, end, signed.from, signed.to);
    }
    if (kind === 'plain') {
      this.copy(units, start, Math.min(end, start + LONGEST_WORD));
      return;
    }
    if (kind === 'picture') {
      this.append(text.slice(start, end), 32);
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

  /** An ASCII run, as `tokensOfRun` has it, without a string a token. */
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
    if (end - start === UUID_LENGTH && isUuid(this.text.slice(start, end))) parts = 2;
    for (let p = 0; p < parts; p += 2) this.part(cuts[p]!, cuts[p + 1]!, end);
  }

  /** A part of an identifier, and where it begins a version the number that it ends with before it. */
  private part(start: number, end: number, endOfRun: number): void {
    const units = this.units.all;
    if (units[end] === DOT && end + 1 < endOfRun && KINDS[units[end + 1]!] === KIND.digit) this.number(start, end);
    this.copy(units, start, Math.min(end, start + LONGEST_WORD));
  }

  /** Of letters and digits behind them the number that these are. */
  private number(start: number, end: number): void {
    const units = this.units.all;
    let number = end;
    while (number > start && KINDS[units[number - 1]!] === KIND.digit) number--;
    if (number === end || number === start) return;
    for (let i = start; i < number; i++) if (KINDS[units[i]!] === KIND.digit) return;
    this.copy(units, number, Math.min(end, number + LONGEST_WORD));
    this.bytes[this.length - 1] = SAME_POSITION;
  }

  /** A word with its sign, at the position of the word. */
  private signed(start: number, end: number, from: number, to: number): void {
    const units = this.units.all;
    for (let i = from; i < start; i++) this.bytes[this.length++] = units[i]!;
    this.copy(units, start, end);
    this.length--;
    for (let i = end; i < to; i++) this.bytes[this.length++] = units[i]!;
    this.bytes[this.length++] = SAME_POSITION;
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
    for (const position of positionsOf(tokensOfRun(run)))
      for (const [i, token] of position.entries()) this.append(token, i < position.length - 1 ? SAME_POSITION : 32);
  }

  private append(token: string, end: number): void {
    this.reserve(token.length * 3 + 1);
    const { written } = ENCODER.encodeInto(token, this.bytes.subarray(this.length));
    this.length += written;
    this.bytes[this.length++] = end;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

function isAscii(kind: RunKind): boolean {
  return kind === 'plain' || kind === 'ascii';
}

/** Longer runs go the slow way. */
const LONGEST_RUN = 512;
const UUID_LENGTH = 36;
const DOT = 46;
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
