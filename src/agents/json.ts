import { readFileSync } from 'node:fs';
import { type Fields, fields } from './fields.ts';
import { statOf } from './folders.ts';

/** A document that is longer is none that an agent wrote of one session. */
const LARGEST = 512 << 20;

/** The value of a text that is JSON; undefined where it is none. */
export function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The JSON document at a path; undefined where there is no file. @throws where it is too long, or no JSON */
export function documentAt(path: string): unknown {
  const stat = statOf(path);
  if (!stat?.isFile()) return undefined;
  if (stat.size > LARGEST) throw new Error(`a document over ${LARGEST >> 20} MB was not read`);
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The fields of a document that may as well be missing, or be none. */
export function fieldsAt(path: string): Fields {
  try {
    return fields(documentAt(path));
  } catch {
    return {};
  }
}
