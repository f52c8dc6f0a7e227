import { isCode, isNoise } from './chance.ts';
import { fold, UNWORDLY } from './folding.ts';
import { KIND, KINDS, seen, Units } from './runs.ts';
import { isUnspaced, stretchesOf } from './unspaced.ts';

/** Longer words are cut: nobody types them. */
export const LONGEST_WORD = 64;
export const KEPT_OF_A_CODE = 12;
/** Shorter runs may well be names. */
export const SHORTEST_NOISE = 16;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UUID_LENGTH = 36;
const FIRST_GROUP = 8;

/** A part of a run, and the number that it is where the letters before it are left away: of `v2.14` the `v2`, and `2`. */
export interface Part {
  readonly token: string;
  readonly number?: string;
}

/** What a run is looked for by: each part behind the other, what is written otherwise beside the first. */
export interface RunTokens {
  /** With the sign that belongs to it: `c#`. */
  readonly signed?: string;
  /** Absent where the run has one part, or none: a text without spaces. */
  readonly whole?: string;
  readonly parts: readonly Part[];
}

/** The run that is being looked at. */
const RUN = new Units(512);

/** The tokens of one run. */
export function tokensOfRun(typed: string): RunTokens {
  const run = seen(typed);
  RUN.set(run);
  if (isCode(RUN.all, 0, run.length)) return { parts: [{ token: fold(run.slice(0, KEPT_OF_A_CODE)) }] };
  const names = partsOf(run, isNoise(RUN.all, 0, run.length, SHORTEST_NOISE));
  const parts = names.flatMap(tokensOfPart).filter(({ token }) => token !== '');
  if (names.length < 2 || isUnspaced(run)) return { parts };
  // Parts of a camelCase word are parted by nothing, so its whole is the plain word; joiners are all one.
  const whole = fold(run.slice(0, LONGEST_WORD)).replace(/[-.]/g, '_').replace(UNWORDLY, '').slice(0, LONGEST_WORD);
  if (isUuid(run)) return { whole, parts: [{ token: whole.slice(0, FIRST_GROUP) }] };
  return whole === '' ? { parts } : { whole, parts };
}

/** The tokens of one run: its whole first, then its parts where it has several. */
export function wordTokens(run: string): string[] {
  const { whole, parts } = tokensOfRun(run);
  const tokens = parts.map(({ token }) => token);
  return whole === undefined ? tokens : [whole, ...tokens];
}

/** The tokens of one run that follow each other: its parts, or the whole where there are none. */
export function sequenceTokens(run: string): string[] {
  return tokensOfRun(run).parts.map(({ token }) => token);
}

/** The tokens at each position of a run, as the index has them: any of them finds what stands there. */
export function positionsOf({ signed, whole, parts }: RunTokens): string[][] {
  return parts.map(({ token, number }, i) => {
    const all = i === 0 ? [signed, whole, number, token] : [number, token];
    return all.filter((one) => one !== undefined);
  });
}

export function isUuid(run: string): boolean {
  return run.length === UUID_LENGTH && UUID.test(run);
}

function tokensOfPart({ text, isBeforeNumber }: RawPart): Part[] {
  const folded = fold(text).replace(UNWORDLY, '');
  if (!isUnspaced(folded)) {
    const number = isBeforeNumber ? /^[a-z]+([0-9]+)$/.exec(folded)?.[1] : undefined;
    return [
      { token: folded.slice(0, LONGEST_WORD), ...(number !== undefined && { number: number.slice(0, LONGEST_WORD) }) },
    ];
  }
  return stretchesOf(folded).map((token) => ({ token: token.slice(0, LONGEST_WORD) }));
}

interface RawPart {
  readonly text: string;
  /** A dot and a number follow: it may be a version's beginning. */
  readonly isBeforeNumber: boolean;
}

/** Splits at joiners, and where the case says that a word begins. */
function partsOf(run: string, isOneCase: boolean): RawPart[] {
  const parts: RawPart[] = [];
  for (const { 0: name, index } of run.matchAll(/[^_.-]+/g)) {
    let start = 0;
    for (let i = 1; i < name.length; i++) {
      if (isOneCase || caseOf(name.charCodeAt(i)) !== KIND.upper) continue;
      const after = i + 1 < name.length ? caseOf(name.charCodeAt(i + 1)) : 0;
      if (!isBoundary(caseOf(name.charCodeAt(i - 1)), after)) continue;
      parts.push({ text: name.slice(start, i), isBeforeNumber: false });
      start = i;
    }
    const end = index + name.length;
    const isBeforeNumber = run[end] === '.' && /[0-9]/.test(run[end + 1] ?? '');
    parts.push({ text: name.slice(start), isBeforeNumber });
  }
  return parts;
}

/** Whether a capital begins a word: after a small letter or a digit, or as the last of several (`HTTPServer`). */
export function isBoundary(before: number, after: number): boolean {
  return before === KIND.lower || before === KIND.digit || (before === KIND.upper && after === KIND.lower);
}

function caseOf(code: number): number {
  if (code < 128) return KINDS[code]!;
  const character = String.fromCharCode(code);
  if (character.toLowerCase() !== character) return KIND.upper;
  return KIND.lower;
}
