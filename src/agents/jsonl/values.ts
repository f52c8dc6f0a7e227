import { isFields } from '../fields.ts';
import { type IsRecord, recordsBehind } from './resuming.ts';

/** The JSON values on one line. */
export interface Values {
  readonly values: readonly unknown[];
  /** Something on the line is no JSON: what of it is whole stands in `values` all the same. */
  readonly torn: boolean;
}

/**
 * The JSON values on one line. Writers that share a file leave several on a line (`}{`), and a crash leaves a torn one,
 * behind which the next may begin: what is whole is given. `isRecord` says what an object looks like that is a record and
 * no part of one.
 */
export function valuesOf(line: string, isRecord: IsRecord = isFields): Values {
  try {
    return { values: [JSON.parse(line)], torn: false };
  } catch {
    return valuesApart(line, isRecord);
  }
}

/** Splits at the end of each top-level object or array, strings respected, up to one that is not whole. */
function valuesApart(line: string, isRecord: IsRecord): Values {
  const values: unknown[] = [];
  let torn = false;
  let depth = 0;
  let start = -1;
  let inString = false;
  for (let i = 0; i < line.length; i++) {
    const c = line.charCodeAt(i);
    if (inString) {
      if (c === 92) i++;
      else if (c === 34) inString = false;
    } else if (c === 34) {
      inString = true;
      if (depth === 0) {
        torn = true;
        start = i;
        break;
      }
    } else if (c === 123 || c === 91) {
      if (depth++ === 0) start = i;
    } else if (c === 125 || c === 93) {
      if (depth === 0) torn = true;
      else if (--depth === 0) {
        try {
          values.push(JSON.parse(line.slice(start, i + 1)));
        } catch {
          torn = true;
          break;
        }
        start = -1;
      }
    } else if (depth === 0 && !isBlank(c)) torn = true;
  }
  if (start < 0) return { values, torn };
  return { values: [...values, ...recordsBehind(line, start, isRecord)], torn: true };
}

/** White space of JSON, and the mark that some editors put at the beginning of a file. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13 || code === 0xfeff;
}
