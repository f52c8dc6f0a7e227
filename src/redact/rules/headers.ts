import { isLikelySecret } from '../plausible.ts';
import type { Rule, Span } from '../rule.ts';

/** Between a header's name and its value, as a header, in JSON, in a call: `: `, `": "`, `', '`, `=`. */
const BETWEEN = '(?:\\\\{0,16}["\'`])?\\]?[ \\t]{0,4}[:=,][ \\t]{0,4}(?:\\\\{0,16}["\'`])?';
const VALUE = '(?<secret>[\\w.~+/=:%!#$*-]{8,128})';
const REST = /[\w.~+/=:%!#$*-]*/y;

const COOKIE = /(?<name>[\w.-]{1,64})=(?<value>[^\s;,"'\\]{12,4096})/g;
/** A header of cookies is not longer. */
const LONGEST_HEADER = 4096;

/** Headers of HTTP that authorise: wherever they are written, in a request, a program or a configuration. */
export const HEADERS: readonly Rule[] = [
  {
    label: 'SECRET',
    literals: ['authorization'],
    fold: true,
    pattern: new RegExp(`authorization${BETWEEN}(?:[A-Za-z][\\w-]{1,24}[ \\t]{1,4})?${VALUE}`, 'iy'),
    rest: REST,
    plausible: (value) => isLikelySecret(value, 'token'),
  },
  {
    label: 'SECRET',
    literals: ['bearer'],
    fold: true,
    pattern: new RegExp(`bearer(?:[ \\t]{1,4}|%20|\\+)${VALUE}`, 'iy'),
    rest: REST,
    plausible: (value) => value.length >= 16 && isLikelySecret(value, 'token'),
  },
  {
    // Name and password in base64.
    label: 'SECRET',
    literals: ['basic'],
    fold: true,
    pattern: /basic[ \t]{1,4}(?<secret>[A-Za-z0-9+/]{8,512}={0,2})/iy,
    rest: /[A-Za-z0-9+/]*={0,2}/y,
    plausible: isBasic,
  },
  {
    // Headers with names of their own (`X-Api-Key`, `Private-Token`) are assignments.
    label: 'SECRET',
    literals: ['cookie'],
    fold: true,
    pattern: new RegExp(`cookies?${BETWEEN}(?=[\\w.-]{1,64}=)`, 'iy'),
    reach: cookies,
  },
];

function isBasic(value: string): boolean {
  const told = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e]{1,255}:[\x20-\x7e]{0,255}$/.test(told) && !/^(?:user(?:name)?|admin):pass(?:word)?$/.test(told);
}

/** The values of the cookies behind a header's name that are no words. */
export function cookies(text: string, header: Span): readonly Span[] {
  const line = text.slice(header.end, header.end + LONGEST_HEADER);
  // Another header's name is looked at on its own.
  const end = line.search(/["'\n\r]|\\[nr]|cookies?[:=]/i);
  const spans: Span[] = [];
  for (const found of (end < 0 ? line : line.slice(0, end)).matchAll(COOKIE)) {
    const value = found.groups?.value ?? '';
    if (!isLikelySecret(value, 'token')) continue;
    const start = header.end + found.index + found[0].length - value.length;
    spans.push({ start, end: start + value.length });
  }
  return spans;
}
