import { readFileSync } from 'node:fs';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Fields = { [key: string]: Json };

/** A JSON value in a file of lines. `nth` counts the values of one line, from 0: two records may be glued on it. */
export interface Value {
  readonly value: Json;
  readonly line: number;
  readonly nth: number;
}

/** A piece of a line that is no JSON: a torn end, a line of garbage. */
export interface Broken {
  readonly line: number;
  readonly text: string;
}

/** Every JSON value of a file, whatever separates them: newlines, `}{`, nothing at the end. */
export function readValues(path: string): { values: Value[]; broken: Broken[] } {
  const values: Value[] = [];
  const broken: Broken[] = [];
  let line = 0;
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    line += 1;
    if (text.trim() === '') continue;
    let rest = text;
    for (let nth = 0; rest.trim() !== ''; nth += 1) {
      const end = endOfValue(rest);
      const piece = end === undefined ? rest : rest.slice(0, end);
      try {
        values.push({ value: JSON.parse(piece) as Json, line, nth });
      } catch {
        broken.push({ line, text: rest });
        break;
      }
      rest = end === undefined ? '' : rest.slice(end);
    }
  }
  return { values, broken };
}

/** Where the first JSON object or list of a text ends; undefined if it does not, or if the text is another value. */
function endOfValue(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return undefined;
}

export const fields = (value: Json | undefined): Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
export const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
export const string = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
export const number = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
