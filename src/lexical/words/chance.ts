import { KIND, KINDS } from './runs.ts';

/** Longer runs of hexadecimal or base64 text are no words: only their beginning is kept. */
const LONGEST_CODE = 40;

/** Long runs of letters and digits without a word in them: hashes, keys, base64. */
export function isCode(units: Uint16Array, start: number, end: number): boolean {
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
export function isNoise(units: Uint16Array, start: number, end: number, shortest: number): boolean {
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
