import { isLikelySecret } from '../plausible.ts';
import type { Rule, Span } from '../rule.ts';
import { cookies } from './headers.ts';
import { isSecretOf, sortOfName } from './names.ts';
import { BARE, QUOTE, QUOTED, REST, WORD } from './values.ts';

/** How far the name of a value stands from it, in one object. */
const FARTHEST = 400;
const VALUE = /\\{0,6}["']\s{0,8}:\s{0,8}\\{0,6}["'](?<value>[^"'\\\n]{6,4096})/y;
const NAME = /["'](?:name|label|key|id)\\{0,6}["']\s{0,8}:\s{0,8}\\{0,6}["'](?<name>[^"'\\\n]{1,120})/gi;
/** What an object has that is a cookie. */
const IS_COOKIE = /["'](?:httpOnly|sameSite|hostOnly)\\{0,6}["']\s{0,8}:/i;

/** Names and values that stand apart, told by the form that they stand in. */
export const PAIRS: readonly Rule[] = [
  {
    // {"label": "password", …, "value": "…"}, in any order; a cookie of a browser.
    label: 'SECRET',
    literals: ['"value', "'value"],
    fold: true,
    pattern: /["']value(?=\\{0,6}["']\s{0,8}:)/iy,
    reach: valueOfObject,
  },
  pair(
    ['value:'],
    `value:[ \\t]{1,8}(?<=(?:name|key):[ \\t]{1,8}(?:${QUOTE})?(?<name>[\\w./-]{1,100})(?:${QUOTE})?\\s{1,40}value:[ \\t]{1,8})(?:${QUOTED}|${BARE})`,
  ),
  pair(['setx ', 'setenv '], `set(?:x|env)[ \\t]{1,8}(?<name>\\w{1,100})[ \\t]{1,8}${WORD}`),
  pair(
    ['set -'],
    `set -(?:[gUxe]{1,3}|-(?:global|universal|export))(?: -[a-z])?[ \\t]{1,8}(?<name>\\w{1,100})[ \\t]{1,8}${WORD}`,
  ),
  pair(['ENV '], `ENV[ \\t]{1,8}(?<name>\\w{1,100})[ \\t]{1,8}${WORD}`),
  pair(['secret set'], `secret set (?<name>\\w{1,100})[^\\n|;&]{0,160}? (?:--body|-b)[ =]${WORD}`),
  pair(
    ['config set', 'configure set', 'conf set'],
    `conf(?:ig(?:ure)?)? set[ \\t]{1,4}(?<name>[\\w./:@-]{1,160})[ \\t=]{1,4}${WORD}`,
  ),
  {
    // aws iam create-access-key --output text
    label: 'SECRET',
    literals: ['ACCESSKEY'],
    pattern: /ACCESSKEY\s{1,8}A[KS]IA\w{12,20}\s{1,8}\S{1,40}\s{1,8}(?<secret>[A-Za-z0-9/+]{40})/y,
  },
  {
    // A line of a cookie jar.
    label: 'SECRET',
    literals: ['TRUE', 'FALSE'],
    pattern:
      /(?:TRUE|FALSE)[\t ]{1,8}\/\S{0,200}[\t ]{1,8}(?:TRUE|FALSE)[\t ]{1,8}\d{1,20}[\t ]{1,8}[^\s=]{1,100}[\t ]{1,8}(?<secret>\S{1,128})/y,
    rest: REST,
    plausible: (value) => value.length >= 12 && isLikelySecret(value, 'token'),
  },
  {
    // The column of a table, by its head.
    label: 'SECRET',
    literals: ['|--', '| -', '|:-', '-+-', '-|-', '─┼─'],
    pattern: /(?<=[\n\r][ \t|:+─┼-]{0,80})[-+|:─┼ ]{2,800}(?=\r?\n)/y,
    reach: columns,
  },
];

function pair(literals: readonly string[], pattern: string): Rule {
  return {
    label: 'SECRET',
    literals,
    pattern: new RegExp(pattern, 'y'),
    rest: REST,
    plausible: (value, match) => isSecretOf(match.groups?.name, value),
  };
}

function valueOfObject(text: string, key: Span): readonly Span[] {
  VALUE.lastIndex = key.end;
  const value = VALUE.exec(text)?.groups?.value;
  if (value === undefined) return [];
  const end = VALUE.lastIndex;
  const before = text.slice(Math.max(0, key.start - FARTHEST), key.start);
  const behind = text.slice(end, end + FARTHEST);
  const close = behind.search(/[{}]/);
  const open = Math.max(before.lastIndexOf('{'), before.lastIndexOf('}')) + 1;
  const object = before.slice(open) + (close < 0 ? behind : behind.slice(0, close));
  const names = [...object.matchAll(NAME)].map(({ groups }) => groups?.name ?? '');
  // A header of cookies, as browsers record requests.
  if (names.some((name) => /^(?:set-)?cookie$/i.test(name)))
    return cookies(text, { start: key.start, end: end - value.length });
  const isSecret =
    names.some((name) => isSecretOf(name, value)) ||
    (IS_COOKIE.test(object) && value.length >= 12 && isLikelySecret(value, 'token'));
  return isSecret ? [{ start: end - value.length, end }] : [];
}

/** A table is not longer, in characters. */
const LONGEST_TABLE = 32 * 1024;
/** How a cell is set off from its column: code, bold. */
const MARKED = /^[\s`*"']+|[\s`*"']+$/g;
const BAR = /[|│┃║]/;

/** The cells below the heads that are names of secrets: the rows behind a rule, up to a line that is no row. */
function columns(text: string, rule: Span): readonly Span[] {
  const before = text.lastIndexOf('\n', rule.start - 1);
  const head = text.slice(text.lastIndexOf('\n', before - 1) + 1, before);
  if (!BAR.test(head) || head.length > 2000) return [];
  const heads = head.split(BAR).map((cell) => cell.replace(MARKED, ''));
  if (!heads.some((name) => sortOfName(name, '') !== undefined)) return [];
  const spans: Span[] = [];
  for (let at = text.indexOf('\n', rule.end) + 1; at > 0 && at - rule.end < LONGEST_TABLE; ) {
    const newline = text.indexOf('\n', at);
    const row = text.slice(at, newline < 0 ? Math.min(text.length, at + 4000) : Math.min(newline, at + 4000));
    if (!BAR.test(row) || /^[-+|:─┼\s]*$/.test(row)) break;
    let start = at;
    row.split(BAR).forEach((cell, column) => {
      const value = cell.replace(MARKED, '');
      const from = start + cell.indexOf(value);
      if (isSecretOf(heads[column], value)) spans.push({ start: from, end: from + value.length });
      start += cell.length + 1;
    });
    at = newline + 1;
  }
  return spans;
}
