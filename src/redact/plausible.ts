/** How many different characters make a placeholder of repeated ones (`xxxx`, `AAAA`, `abcabc`) unlikely. */
const VARIETY = 8;

/**
 * Whether a token's body can be random rather than a placeholder or plain words: enough different characters, and a
 * digit or both cases among them. Adding characters never turns a yes into a no.
 */
export function looksRandom(body: string): boolean {
  const bare = body.replace(ORDERED, '');
  return varied(bare, VARIETY) && (/\d/.test(bare) || (/[a-z]/.test(bare) && /[A-Z]/.test(bare)));
}

/** Digits and letters in their order, as in examples: `1234567890abcdef`. */
const ORDERED = /0?1234567?8?9?0?|9876543?2?1?0?|abcdef(?:g(?:h(?:ij?)?)?)?/gi;

/** Whether a text has at least `variety` different characters. */
export function varied(body: string, variety: number): boolean {
  let seen = 0;
  for (let at = 0; at < body.length; at++) if (body.indexOf(body[at]!) === at && ++seen >= variety) return true;
  return false;
}

/**
 * Whether a run of letters and digits of at least 16 stands in a slug, as in a key of no known kind. Class names and
 * UUIDs (`sk-loading-2`, `sk-550e8400-…`) have none.
 */
export function hasRandomRun(body: string): boolean {
  return body.split(/[_-]/).some((run) => run.length >= 16 && looksRandom(run));
}

/** The access key ids in AWS's own documentation end in this; their length is fixed, so it can shield no other. */
const DOCUMENTED = /^.{13}EXAMPLE$/;

/** Whether an access key id is neither a documented example nor one repeated letter. */
export function isAwsKey(id: string): boolean {
  return !DOCUMENTED.test(id) && varied(id.slice(4), 4);
}

/** What people write where a secret is to be put, and runs that nobody's generator gives. */
const FILLER =
  /x{3,}|\*{3,}|\.{3,}|_{3,}|-{3,}|0{6,}|1234567890?|0123456789?|123456|abcdefg?h?i?j?|(?:change|replace)[-_]?(?:me|this|it)|your[-_]?|example|placeholder|dummy|fake|sample|redacted|insert[-_]?|todo|secret|passwo?rd|passwd|token|api[-_]?key/gi;
/** Labels of this redactor and of others: what they hide is hidden. A label shields nothing that stands beside it. */
const HIDDEN = /\[[A-Z][A-Z_ ]{2,30}\]|<[A-Za-z][A-Za-z _-]{2,40}>/g;

/**
 * The mean length of the words in a text, as in an identifier (`camelCase`, `ENV_NAME`, `v2`), numbers among them: under 3
 * where characters are random, over 3.5 in names and prose.
 */
export function meanWord(text: string): number {
  let words = 0;
  let length = 0;
  let before = 0;
  let wordLength = 0;
  for (let i = 0; i < text.length; i++) {
    const kind = kindOf(text.charCodeAt(i));
    if (kind !== 0) {
      length++;
      const goesOn = kind === before || (kind === LOWER && before === UPPER && wordLength === 1);
      // In `HTTPServer` the S begins the second word, not the e.
      if (kind === LOWER && before === UPPER && wordLength > 1) words++;
      if (!goesOn && !(kind === LOWER && before === UPPER)) words++;
      wordLength = goesOn ? wordLength + 1 : 1;
    }
    before = kind;
  }
  return words === 0 ? 0 : length / words;
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : 0;
}

/** How sure the name of a value makes that it is a secret: a password may be a short one. */
export type Sort = 'password' | 'token';

/** A reference to a value that stands elsewhere (`${NAME}`, `%NAME%`, `{{ name }}`, `@name`, `vault:path`), an expression, an entity. */
const REFERENCE =
  /^(?:(?:vault|ssm|keychain|bao):[\w./-]|\(+[A-Za-z_]|!\d|&#?\w+;|\$[A-Z_a-z]\w*$|\$[{(]|\{\{|\{%|%\w+%$|@\w+$|#\{|<%)/;
/** Code that computes a value: a word, then a call, an index or a member. */
const CODE = /^\(*(?:new |await |!|&|\*)?(?:(?:this|self)\b|(?<word>[A-Za-z_$][\w$]*)(?:\??\.|\(|\[|::|->|!\.|<))/;
const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** A date, numbers, a version, a digest, a list of words, bytes that are written out. */
const ORDINARY =
  /^(?:(?:\\x[0-9a-f]{2})+$|\d{4}-\d{2}-\d{2}(?:T|$)|(?:[a-z]\w{0,7}:)?SHA(?:1|256|384|512)[:-][A-Za-z0-9+/]{27,128}={0,2}$|[\d.,]+[kmg]?(?:\/[\d.,]+[kmg]?)?%?$|[\^~>=v]{0,2}\d+\.\d+\.\d+(?:[-+.][\w.-]*)?$|(?:[a-z]+\d{0,2},)+[a-z]+\d{0,2}$)/i;
/** What belongs to a pattern or a format and to no secret. */
const PATTERN = /\[[^\]]{0,20}[a-z0-9]-[a-z0-9]|\\[wdsWDSb](?![a-z]{3})|\(\?|\{\d+,?\d*\}/i;

/**
 * Whether the value of something named like a secret can be one, and is no reference to one, no code, no path and no
 * name. What placeholders and labels leave of it is judged, so that they shield nothing.
 */
export function isLikelySecret(value: string, sort: Sort): boolean {
  if (sort === 'token' && CUT_SHORT.test(value)) return false;
  if (value.length < 8 || !/[A-Z0-9]/.test(value) || !varied(value, 5)) return false;
  const bare = withoutFiller(value);
  if (bare.length < (sort === 'password' ? 6 : 8) || /\s/.test(bare)) return false;
  if (REFERENCE.test(value) || ADDRESS.test(value) || ORDINARY.test(value) || PATTERN.test(value)) return false;
  const code = CODE.exec(value.replace(HIDDEN, ''));
  if (code && isName(code.groups?.word ?? '')) return false;
  if (isPath(value)) return false;
  return sort === 'password' ? isPassword(bare) : isToken(bare);
}

/** The beginning of a token that a text does not tell to its end: a few characters and dots, or a JWT's header alone. */
const CUT_SHORT = /^(?:[\w+/=-]{1,23}|eyJ[\w-]*)(?:\.{3}|…)["'`)\]]?$/;

/** What labels and placeholders leave of a value. */
export function withoutFiller(value: string): string {
  return value.replace(HIDDEN, '').replace(FILLER, '');
}

/**
 * Whether the value of a secret's name, in the environment or a file of credentials, is one: no path, address, date or
 * words. It is hidden wherever it stands, so that a mistake here would hide what is harmless.
 */
export function isKnownSecret(value: string, sort: Sort): boolean {
  if (!/[A-Za-z]/.test(value) || !varied(value, VARIETY) || isPath(value) || (sort === 'token' && isSlug(value)))
    return false;
  if (ADDRESS.test(value) || REFERENCE.test(value) || ORDINARY.test(value)) return false;
  return isLikelySecret(value, 'password') || (/\d/.test(value) && meanWord(value) < 4);
}

/** A key in hexadecimal, long enough not to be a word with a number. */
const HEX = /^(?:0x)?[0-9a-f]{32,}$/i;

/** A path from where paths begin, whatever the names in it: no random characters begin so. */
const ROOTED =
  /^(?:(?:~|\.{1,2})[\\/]|[A-Za-z]:[\\/]|\\\\\w|file:|\/(?:home|root|Users|tmp|var|private|opt|usr|etc|srv|mnt|media|run|dev|proc|Volumes|Library|workspaces?|app|data|nix|snap)(?:\/|$))/;

/** A file in a folder, by what it is called: `keys/acme-9f8e7d6c.json`. */
const IN_FOLDER =
  /^[\w.@+-]+(?:[\\/][\w.@+-]+)*[\\/][\w.@+-]+\.(?:json|ya?ml|toml|ini|conf|env|txt|pem|key|crt|cer|p12|pfx|jks|sock)$/i;

function isPath(value: string): boolean {
  if (ROOTED.test(value) || IN_FOLDER.test(value)) return true;
  return /^[\\/]|\/.*\//.test(value) && meanWord(value) >= 3;
}

/** Words with short numbers behind them, as in names of accounts, hosts, projects: `acme-eu1-prod`, `orders.v2`. */
const SLUG = /^(?:[A-Z]?[a-z]+|[A-Z]+)\d{0,4}(?:[-_.:/](?:(?:[A-Z]?[a-z]+|[A-Z]+)\d{0,4}|\d{1,5}))+$/;

function isSlug(value: string): boolean {
  return SLUG.test(value);
}

/** Whether a text is a word or several, as in an identifier, and not random characters. */
function isName(text: string): boolean {
  return meanWord(text) >= 2.6 || text.length < 8;
}

/** Letters and digits, in an order that no word has; or a long run of both cases. */
function isToken(text: string): boolean {
  if (!varied(text, 7) || isSlug(text)) return false;
  const hasDigit = /\d/.test(text);
  const hasLetter = /[A-Za-z]/.test(text);
  if (!hasLetter) return false;
  const mean = meanWord(text);
  if (hasDigit && HEX.test(text)) return true;
  const hasBothCases = /[a-z]/.test(text) && /[A-Z]/.test(text);
  if (hasDigit) return mean < (text.length >= 20 && hasBothCases ? 3.4 : text.length >= 16 ? 3 : 2.5);
  return text.length >= 16 && mean < 3 && hasBothCases;
}

/** Letters with digits or signs among them, and no name with a number at its end. */
function isPassword(text: string): boolean {
  if (!varied(text, 5) || !/[A-Za-z]/.test(text)) return false;
  const signs = text.match(/[^A-Za-z0-9._\-/:]/g)?.length ?? 0;
  const mean = meanWord(text);
  if (/\d/.test(text)) return mean < 3 || (signs > 0 && mean < 7);
  return mean < 2.6 && text.length >= 10;
}
