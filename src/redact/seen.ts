import { brokenLines } from './broken-lines.ts';
import { type Edit, edited, type Seen } from './edits.ts';

/** Characters that take no room: joiners, marks of direction and order, soft hyphens. */
const WIDTHLESS =
  '\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2066\u2067\u2068\u2069\ufeff';
const ESCAPE = '\u001b';
/** A text without any of these and an escape is seen as it is written, but for its line ends. */
export const UNSEEN_SIGNS: readonly string[] = [
  ...['[0m', '[39m', '[22m', '\\e[', '\\033[', '\\x1b[', '\\u00', '\\x2', '\\x3', '%3D', '%3d', '%3A', '%3a', '%22'],
  ...['&quot;', '&#3', '&#x', '&lt;', '&apos;', '&equals;', '&colon;', '\u009b', ...WIDTHLESS],
];

/** The colour and the movements of a terminal, also where a program wrote the escape out, or lost it. */
const COLOUR = [
  String.raw`(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,4}[@-~]`,
  String.raw`\u001b\][^\u0007\u001b\n]{0,2048}(?:\u0007|\u001b\\)`,
  String.raw`\u001b[()][0-9AB]|\u001b[=>78cDEHM]`,
  String.raw`\\(?:[eE]|033|x1[bB]|u001[bB])\[[0-9;]{0,32}[A-Za-z]`,
  String.raw`\[[0-9;]{0,16}m`,
].join('|');
/** Signs, but no letters and digits, in the writings of XML, of JSON and programs, of addresses. */
const ENTITY = '&(?:quot|apos|lt|gt|amp|colon|equals|#\\d{2,3}|#[xX][\\da-fA-F]{2});';
const SIGN = '(?:2[\\da-fA-F]|3[a-fA-F]|40|5[b-fB-F]|60|7[b-eB-E])';
const UNSEEN = new RegExp(
  `(?<nothing>${COLOUR}|[${WIDTHLESS}]{1,64})|(?<entity>${ENTITY})|(?:\\\\u00|\\\\x|%)(?<code>${SIGN})`,
  'g',
);
const NAMED: ReadonlyMap<string, string> = new Map([
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&colon;', ':'],
  ['&equals;', '='],
]);

/**
 * A text without colours and characters of no width, escaped signs as the signs that they stand for, words and tokens
 * that were broken to fit a width made whole again. Nothing where it is seen as it is written. `hasSigns` tells whether
 * one of `UNSEEN_SIGNS` stands in it.
 */
export function asSeen(text: string, hasSigns: boolean): Seen | undefined {
  const plain = hasSigns || text.includes(ESCAPE) ? edited(text, unseen(text)) : undefined;
  const whole = edited(plain?.text ?? text, brokenLines(plain?.text ?? text));
  if (plain === undefined || whole === undefined) return plain ?? whole;
  return { text: whole.text, place: (span) => plain.place(whole.place(span)) };
}

function unseen(text: string): Edit[] {
  const edits: Edit[] = [];
  for (const { 0: written, index, groups } of text.matchAll(UNSEEN)) {
    const seen =
      groups?.code !== undefined
        ? String.fromCharCode(Number.parseInt(groups.code, 16))
        : groups?.entity !== undefined
          ? signOf(groups.entity)
          : '';
    if (seen !== undefined) edits.push({ start: index, end: index + written.length, seen });
  }
  return edits;
}

function signOf(entity: string): string | undefined {
  const named = NAMED.get(entity);
  if (named !== undefined || !entity.startsWith('&#')) return named;
  const hexadecimal = /^&#x/i.test(entity);
  const code = Number.parseInt(entity.slice(hexadecimal ? 3 : 2, -1), hexadecimal ? 16 : 10);
  return code >= 32 && code < 127 ? String.fromCharCode(code) : undefined;
}
