import { isLikelySecret, type Sort } from '../plausible.ts';
import type { Rule } from '../rule.ts';

/** Whose key it is, where a key is a secret: an API's, an account's. A cache's, a table's and a keyboard's are none. */
const OWNER =
  '(?:api|access|secret|private|encr(?:yption)?|sign(?:ing)?|account|auth|master|storage|shared?|sas|service|admin|licen[cs]e|' +
  'deploy|app(?:lication)?|webhook|jwt|session|cipher|crypto|aes|hmac|rsa|root|write|ingest|client|developer|subscription|' +
  'consumer|ssh|vapid|token|project|server|host|functions?|maps)';
/** Whose key is none, or no secret. */
const NO_OWNER =
  '(?:PUBLI(?:C|SHABLE|C_API)|CACHE|ROUTING|SORT|PARTITION|PRIMARY|FOREIGN|UNIQUE|RANGE|GROUP|KMS|HOT|SHORTCUT|OBJECT|IDEMPOTENCY)';
/** What stands before a token that only marks a place in a list. */
const PLACE =
  '(?:next|prev|previous|page|paging|continuation|start|sync|resume|cursor|design|syntax|delta|cancel|cancellation|' +
  'idempotency|client_?request|expected )';
/** A name that goes on so is that of something about a secret, not of the secret. */
const ABOUT =
  '(?!s?[_-]?(?:id|name|file|path|dir|ur[il]|type|count|length|len|limit|usage|format|version|arn|expir\\w*|prefix|suffix|hint|' +
  'label|field|ref|provider|env|var|header|regex|pattern|policy|endpoint|budget|size|index|status|state|map|kind|scope|issuer|' +
  'audience|hash|algorithm|method|mode|manager|store|service|source|rotation|created|updated|at)s?(?![A-Za-z]))';

/** What a name ends in that names another thing: `AUTH_USER_ID`, `tokenOwnerId`, `SECRET_KEY_FILE`; not `TOKEN_FOR_USER`. */
const OTHERS =
  'id uuid guid arn name user username login email mail file path dir folder url uri host hostname domain realm port addr sock ' +
  'socket title comment date time timestamp at expiry expires expiration duration ttl count length limit size version ' +
  'fingerprint hash type format method mode status state scope issuer audience algorithm';
const others = OTHERS.split(' ');
const capitals = others.map((word) => word[0]!.toUpperCase() + word.slice(1));
const OF_ANOTHER = new RegExp(
  `(?<!(?:for|of|by)[_-]?)(?:[_-](?i:${others.join('|')})|(?<=[a-z\\d])(?:${capitals.join('|')}))s?$`,
);

/** Where a shell stands; a folder may have any name. */
const SHELLS_FOLDER = /^(?:OLD|INIT_|HOST_)?PWD$/i;
const FROM_ROOT = /^(?:~?[\\/]|[A-Za-z]:[\\/])/;

/** The words that names of secrets hold, as they are found in any case. */
const NAMES: Readonly<Record<string, string>> = {
  pass: '(?:pass(?:w(?:or)?d|wd|phrase|code|wort)|(?<=[_.-])pass|(?<!by|com|sur|tres|over|under)pass(?=\\W?=))',
  pwd: 'pwd',
  // An address of AWS holds the word, and no secret: `arn:aws:secretsmanager:eu-west-1:123456789012:secret:name`.
  secret: '(?<!:secretsmanager:[\\w-]{0,30}:\\d{0,12}:)secrets?(?!ar)',
  token: `(?<!${PLACE}[_-]?)token(?!i[sz])`,
  // Git calls so which key signs, not the key: `user.signingkey`.
  key: `(?<=${OWNER}[_. -]?)(?<!user\\.signing)keys?`,
  auth: 'auth(?!or(?!i[sz]ation))(?:orization)?',
  credential: 'credentials?',
  cred: '(?<!sa)cred(?!it|[iu]b|ul|o)s?',
};

const QUOTE = '\\\\{0,16}["\'`]';
/** Between a name and its value: `=`, `:`, `=>`, `:=`, `: string =`, `>` of an element; quotes and brackets of the name before. */
const BETWEEN = `(?:(?:${QUOTE}\\]?|(?<=\\[:[\\w-]{1,60})\\])?(?:[ \\t]{0,8}(?::[ \\t]{0,2}[\\w.<>|]{1,32}[ \\t]{0,4})?(?::=|=>|={1,2}|:(?!:)|\\?=|\\+=)[ \\t]{0,8}(?:\\\\n[ \\t]{0,8})?)|>)`;
/** A value in quotes, as far as they reach or the line does. */
const QUOTED = `(?<quote>${QUOTE})(?<secret>(?:(?!\\k<quote>)[^\\n\\r]){1,128})`;
/** One without: up to a blank, a quote, an escaped line's end, or what separates it from the next. */
const BARE =
  '(?<secret>(?:<[A-Za-z _-]{2,40}>|<)?(?:(?!\\\\{1,6}[nrt"\'u]|[,;.)}\\]]+(?:\\s|$|["\'`\\\\])|[;&,]\\s?[\\w.-]{1,64}=|%26)[^\\s"\'`<>|\\x00-\\x1f]){1,128})';

/** The rest of a long value. */
const REST = /[^\s"'`<>|;,\\)}\]]*/y;

function assignments(literal: string, name: string, sort: Sort): Rule[] {
  const begin = `(?<name>${name}${ABOUT}[\\w-]{0,40})${BETWEEN}`;
  return [QUOTED, BARE].map((value) => ({
    label: 'SECRET',
    literals: [literal],
    fold: true,
    pattern: new RegExp(begin + value, 'iy'),
    rest: REST,
    plausible: (secret, match) => isItsOwn(match) && isLikelySecret(secret, sort),
  }));
}

/** A flag of a command and its value behind a blank: `--password hunter…`. */
function flag(literal: string, name: string, sort: Sort): Rule {
  return {
    label: 'SECRET',
    literals: [literal],
    fold: true,
    pattern: new RegExp(
      `(?<=(?:^|[\\s"'\`])--?[\\w-]{0,40})(?<name>${name}${ABOUT}[\\w-]{0,24})[ \\t]{1,4}(?:${QUOTE})?${BARE}`,
      'iy',
    ),
    rest: REST,
    plausible: (secret, match) => isItsOwn(match) && isLikelySecret(secret, sort),
  };
}

/** Whether the name that was matched is that of a secret, and not of something about it. */
function isItsOwn(match: RegExpExecArray): boolean {
  const name = match.groups?.name ?? '';
  return !OF_ANOTHER.test(name) && !isFolder(wholeName(match, name), match.groups?.secret ?? '');
}

/** A name with what stands before the word that it was found by. */
function wholeName({ input, index }: RegExpExecArray, name: string): string {
  return `${/[\w-]*$/.exec(input.slice(Math.max(0, index - 8), index))![0]}${name}`;
}

function isFolder(name: string, value: string): boolean {
  return SHELLS_FOLDER.test(name) && FROM_ROOT.test(value);
}

const sortOf = (word: string): Sort => (word === 'pass' || word === 'pwd' ? 'password' : 'token');

/** Values given to names like a secret's, in the environment, JSON, YAML, INI, XML, code and flags. */
export const ASSIGNMENTS: readonly Rule[] = [
  ...Object.entries(NAMES).flatMap(([word, name]) => assignments(word, name, sortOf(word))),
  ...Object.entries(NAMES).map(([word, name]) => flag(word, name, sortOf(word))),
  {
    // A key of the environment, whoever owns it: `STRIPE_KEY=…`.
    label: 'SECRET',
    literals: ['_KEY', '_PAT'],
    pattern: new RegExp(
      `(?<!${NO_OWNER})(?<name>_(?:KEY|PAT)S?(?:_[A-Z0-9]{1,20})?)${BETWEEN}(?:${QUOTE})?${BARE}`,
      'y',
    ),
    rest: REST,
    plausible: (secret, match) => isItsOwn(match) && isLikelySecret(secret, 'token'),
  },
];

const NAMED = new RegExp(`(?:${Object.values(NAMES).join('|')})${ABOUT}[\\w-]{0,40}$`, 'i');

/** What the name of a value makes of it; nothing where it is no secret's. */
export function sortOfName(name: string, value: string): Sort | undefined {
  if (name.length > 200 || !NAMED.test(name) || OF_ANOTHER.test(name) || isFolder(name, value)) return undefined;
  return /pass|pwd/i.test(name) ? 'password' : 'token';
}
