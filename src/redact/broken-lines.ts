import type { Edit } from './edits.ts';
import { meanWord } from './plausible.ts';

/** A piece of a token that is as long as this is one whatever stands before it. */
const LONG = 16;
/** No more of a line than this is looked at. */
const FARTHEST = 512;
const RETURN = 13;

/**
 * The line ends inside tokens, as a terminal or a box of a certain width makes them, with the blanks and the frame around
 * them. A line goes on with the one before where both pieces look random: a word, a name before a sign and a line's
 * number do not.
 */
export function brokenLines(text: string): Edit[] {
  const edits: Edit[] = [];
  for (let newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', newline + 1)) {
    const last = lastBefore(text, newline);
    const first = last < 0 ? -1 : firstAfter(text, newline);
    if (first < 0) continue;
    const stop = endOfRun(text, first);
    if (!mayBePiece(text, first, stop) || goesOnAsName(text, stop)) continue;
    const begin = stop - first < LONG ? startOfRun(text, last) : undefined;
    if (begin !== undefined && !mayBePiece(text, begin, last + 1)) continue;
    edits.push({ start: last + 1, end: first, seen: '' });
  }
  return edits;
}

/**
 * The last character of a token before a line end; -1 where another stands there. Blanks stand between only where a frame
 * follows.
 */
function lastBefore(text: string, newline: number): number {
  let at = newline - 1;
  if (text.charCodeAt(at) === RETURN) at--;
  while (isBlank(text.charCodeAt(at))) at--;
  if (isFrame(text.charCodeAt(at))) {
    at--;
    while (isBlank(text.charCodeAt(at))) at--;
  } else if (isBlank(text.charCodeAt(at + 1))) return -1;
  return isToken(text.charCodeAt(at)) ? at : -1;
}

/** The first character of a token behind a line end, its indentation and a frame. */
function firstAfter(text: string, newline: number): number {
  let at = newline + 1;
  const stop = at + FARTHEST;
  while (at < stop && (isBlank(text.charCodeAt(at)) || isFrame(text.charCodeAt(at)))) at++;
  return isToken(text.charCodeAt(at)) ? at : -1;
}

function startOfRun(text: string, last: number): number {
  let at = last;
  while (last - at < FARTHEST && isToken(text.charCodeAt(at - 1))) at--;
  return at;
}

function endOfRun(text: string, first: number): number {
  let at = first + 1;
  while (at - first < FARTHEST && isToken(text.charCodeAt(at))) at++;
  return at;
}

/** A name with its sign (`PORT2=`, `v2:`), a call, a line's number with its mark. */
function goesOnAsName(text: string, at: number): boolean {
  return /[=:(→\t]/.test(text.charAt(at)) && !/^={1,2}(?![\w"'])/.test(text.slice(at, at + 3));
}

/** Whether a run of a token's characters can be a piece of a random one. */
function mayBePiece(text: string, start: number, end: number): boolean {
  let digits = 0;
  let capitals = 0;
  let small = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 97) small++;
    else if (code >= 65 && code <= 90) capitals++;
    else if (code >= 48 && code <= 57) digits++;
  }
  if (capitals + small === 0 || (digits === 0 && (capitals === 0 || small === 0))) return false;
  const mean = meanWord(text.slice(start, end));
  return mean < (digits > 0 && end - start >= LONG ? 3.6 : digits > 0 ? 3 : 2.6);
}

/** Letters, digits and the signs of base64 and of tokens; a dot parts a JWT. */
function isToken(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 95 ||
    code === 43 ||
    code === 47 ||
    code === 46
  );
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** The side of a box. */
function isFrame(code: number): boolean {
  return code === 0x2502 || code === 0x2503 || code === 0x2551;
}
