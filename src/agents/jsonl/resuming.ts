import { type Fields, isFields } from '../fields.ts';

/** Whether an object is a record. `isValue`: it stands where the value of a field or an item of a list may stand. */
export type IsRecord = (object: Fields, isValue: boolean) => boolean;

/** How often each character of a line may be looked at, and at least so many in all: a line made to be slow is given up. */
const LOOKS = 8;
const FEWEST_LOOKS = 10_000;
/** What an object costs that is no JSON, in looks: telling that it is none takes much longer than reading one. */
const FAILED = 1000;

/**
 * The whole records behind a torn one that begins at a place of a line. From an end backwards, strings and brackets tell
 * where an object begins, whatever stands before it: so the last record is found, and each that another one follows.
 */
export function recordsBehind(line: string, torn: number, isRecord: IsRecord): Fields[] {
  const records: Fields[] = [];
  let left = Math.max((line.length - torn) * LOOKS, FEWEST_LOOKS);
  let end = line.lastIndexOf('}');
  while (end > torn && left > 0) {
    const start = beginningOf(line, end, torn);
    const object = start > torn ? objectAt(line, start, end) : undefined;
    left -= end - Math.max(start, torn) + (object ? 1 : FAILED);
    const isFound = object !== undefined && isRecord(object, isBehindValueSign(line, start));
    if (isFound) records.push(object);
    end = line.lastIndexOf('}{', (isFound ? start : end) - 1);
  }
  return records.reverse();
}

/** Where the object begins that ends with the bracket at `end`, or -1 where that would be before `floor`. */
function beginningOf(line: string, end: number, floor: number): number {
  let depth = 0;
  let inString = false;
  for (let i = end; i >= floor; i--) {
    const c = line.charCodeAt(i);
    if (c === 34) inString = inString ? isEscaped(line, i) : true;
    else if (inString) continue;
    else if (c === 125 || c === 93) depth++;
    else if ((c === 123 || c === 91) && --depth === 0) return i;
  }
  return -1;
}

function isEscaped(line: string, quote: number): boolean {
  let before = quote;
  while (line.charCodeAt(before - 1) === 92) before--;
  return (quote - before) % 2 === 1;
}

function objectAt(line: string, start: number, end: number): Fields | undefined {
  if (line.charCodeAt(start) !== 123) return undefined;
  try {
    const value: unknown = JSON.parse(line.slice(start, end + 1));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isBehindValueSign(line: string, start: number): boolean {
  return /[:,[]\s?$/.test(line.slice(Math.max(0, start - 2), start));
}
