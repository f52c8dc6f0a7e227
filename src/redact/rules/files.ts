import { isLikelySecret, looksRandom } from '../plausible.ts';
import type { Rule, Span } from '../rule.ts';
import { QUOTE } from './values.ts';

/** A key for signing, as JSON: its members are not further apart than this. */
const FARTHEST = 4096;
/** The members of a JSON web key that are private. */
const PRIVATE_MEMBER = /["'](?:d|p|q|dp|dq|qi|k)\\{0,6}["']\s{0,8}:\s{0,8}\\{0,6}["'](?<value>[\w-]{16,2048})/g;
const BASE64_LINES = /(?:[A-Za-z0-9+/]{4,76}={0,2}\r?\n){1,200}/y;

/** What programs keep in files of their own forms. */
export const FILES: readonly Rule[] = [
  {
    // .pgpass: host:port:database:user:password
    label: 'SECRET',
    literals: [':5432:', ':5433:', ':6432:', ':*:'],
    pattern:
      /(?<=(?:^|[\n\r"'\s])[\w.*-]{1,128}):(?:\d{4,5}|\*):(?:[\w*-]{1,64}):[\w.@-]{1,64}:(?<secret>[^\s"':]{6,128})/y,
    plausible: (value) => isLikelySecret(value, 'password'),
  },
  {
    // Composer's auth.json: a domain and its token.
    label: 'SECRET',
    literals: ['-oauth', '-token'],
    pattern: new RegExp(
      `-(?:oauth|token)${QUOTE}\\s{0,8}:\\s{0,8}\\{\\s{0,40}${QUOTE}[\\w.-]{1,128}${QUOTE}\\s{0,8}:\\s{0,8}${QUOTE}(?<secret>[\\w.-]{16,256})`,
      'y',
    ),
    plausible: (value) => isLikelySecret(value, 'token'),
  },
  {
    // PuTTY's private keys.
    label: 'PEM_BLOCK',
    literals: ['Private-Lines'],
    pattern: /Private-Lines: \d{1,4}\r?\n/y,
    reach: (text, { end }) => {
      BASE64_LINES.lastIndex = end;
      return BASE64_LINES.test(text) ? { start: end, end: BASE64_LINES.lastIndex - 1 } : undefined;
    },
  },
  {
    // JSON web keys: their private members, before or behind their kind.
    label: 'SECRET',
    literals: ['"kty', "'kty"],
    pattern: /["']kty\\{0,6}["']\s{0,8}:/y,
    reach: privateMembers,
  },
];

/** The private members of the object around a key's kind. It holds no other objects, so each stretch is read once. */
function privateMembers(text: string, kind: Span): readonly Span[] {
  const from = Math.max(0, kind.start - FARTHEST);
  const opened = text.slice(from, kind.start).lastIndexOf('{');
  if (opened < 0 && from > 0) return [];
  const closed = text.slice(kind.end, kind.end + FARTHEST).search(/[{}]/);
  const start = from + Math.max(opened, 0);
  const key = text.slice(start, kind.end + (closed < 0 ? FARTHEST : closed));
  const spans: Span[] = [];
  for (const { 0: member, index, groups } of key.matchAll(PRIVATE_MEMBER)) {
    const value = groups?.value ?? '';
    const end = start + index + member.length;
    if (looksRandom(value)) spans.push({ start: end - value.length, end });
  }
  return spans;
}
