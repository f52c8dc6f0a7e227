import { readFileSync } from 'node:fs';
import { type Fields, isFields } from '../fields.ts';
import { statOf } from '../folders.ts';

/** A log that is longer is none of a conversation. */
const LARGEST = 512 << 20;

/** The records of a file with one a line; an error for a line that is none. The last line may still be written. */
export function recordsIn(path: string): (Fields | Error)[] {
  if ((statOf(path)?.size ?? 0) > LARGEST) return [new Error(`a log over ${LARGEST >> 20} MB was not read`)];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const record = recordIn(line);
    return record instanceof Error && index === lines.length - 1 ? [] : [record];
  });
}

function recordIn(line: string): Fields | Error {
  try {
    const record: unknown = JSON.parse(line);
    return isFields(record) ? record : new Error('a line that is no record');
  } catch {
    return new Error('a line that is not JSON');
  }
}
