import { readFileSync } from 'node:fs';
import { fields, list } from '../fields.ts';
import type { Unit } from '../source.ts';

/** More than this is no chat. */
const LARGEST = 512 << 20;

/** The content of a chat's file. @throws where there is too much of it */
export function contentOf(unit: Unit): string {
  if (unit.size > LARGEST) throw new Error(`a chat over ${LARGEST >> 20} MB was not read`);
  return readFileSync(unit.path, 'utf8');
}

/** The records of a chat as they stand: the lines of a log, or the messages of a document. */
export function recordsOf(unit: Unit): string[] {
  const content = contentOf(unit);
  if (unit.layout === 'jsonl') return content.split('\n');
  const document: unknown = JSON.parse(content);
  return (Array.isArray(document) ? document : list(fields(document).messages)).map((one) => JSON.stringify(one));
}
