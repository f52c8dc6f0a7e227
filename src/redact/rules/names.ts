import { isLikelySecret, type Sort } from '../plausible.ts';

/** Whose key it is, where a key is a secret: an API's, an account's. A cache's, a table's and a keyboard's are none. */
const OWNER =
  '(?:api|access|secret|private|encr(?:yption)?|sign(?:ing)?|account|auth|master|storage|shared?|sas|service|admin|licen[cs]e|' +
  'deploy|app(?:lication)?|webhook|jwt|session|cipher|crypto|aes|hmac|rsa|root|write|ingest|client|developer|subscription|' +
  'consumer|ssh|vapid|token|project|server|host|functions?|maps)';
/** Whose key is none, or no secret. */
export const NO_OWNER =
  '(?:PUBLI(?:C|SHABLE|C_API)|CACHE|ROUTING|SORT|PARTITION|PRIMARY|FOREIGN|UNIQUE|RANGE|GROUP|KMS|HOT|SHORTCUT|OBJECT|IDEMPOTENCY)';
/** What stands before a token that only marks a place in a list. */
const PLACE =
  '(?:next|prev|previous|page|paging|continuation|start|sync|resume|cursor|design|syntax|delta|cancel|cancellation|' +
  'idempotency|client_?request|expected )';
/** A name that goes on so is that of something about a secret, not of the secret. */
export const ABOUT =
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

/** A word that names of secrets hold. */
export interface SecretsName {
  /** Found in any case; a pattern is tried where one of them begins. */
  readonly literals: readonly string[];
  readonly pattern: string;
  readonly sort: Sort;
}

function word(sort: Sort, literals: string, pattern: string): SecretsName {
  return { literals: literals.split(' '), pattern, sort };
}

/** Words for a password in other languages, in scripts that have no upper case, and as they begin in those that have. */
const FOREIGN =
  'пароль Пароль ПАРОЛЬ κωδικός Κωδικός 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호 كلمة\u00a0المرور كلمة\u00a0السر पासवर्ड পাসওয়ার্ড پاس\u00a0ورڈ ' +
  'رمز\u00a0عبور סיסמה סיסמא รหัสผ่าน';
const foreign = FOREIGN.split(' ').map((name) => name.replace('\u00a0', ' '));

/** The words that names of secrets hold. */
export const NAMES: readonly SecretsName[] = [
  word(
    'password',
    'pass',
    '(?:pass(?:w(?:or)?d|wd|phrase|code|wort)|(?<=[_.-])pass|(?<!by|com|sur|tres|over|under)pass(?=\\W?=))',
  ),
  word('password', 'pwd', 'pwd'),
  // The key that two sides of a network share.
  word('password', 'psk', '(?<![a-z])psk(?=\\W?=)'),
  // An address of AWS holds the word, and no secret: `arn:aws:secretsmanager:eu-west-1:123456789012:secret:name`.
  word('token', 'secret', '(?<!:secretsmanager:[\\w-]{0,30}:\\d{0,12}:)secrets?(?!ar)'),
  word('token', 'token', `(?<!${PLACE}[_-]?)token(?!i[sz])`),
  // Git calls so which key signs, not the key: `user.signingkey`.
  word('token', 'key', `(?<=${OWNER}[_. -]?)(?<!user\\.signing)keys?`),
  word('token', 'auth', 'auth(?!or(?!i[sz]ation))(?:orization)?'),
  word('token', 'credential', 'credentials?'),
  word('token', 'cred', '(?<!sa)cred(?!it|[iu]b|ul|o)s?'),
  word(
    'password',
    'ña senha passe motdepasse wachtwoord kennwort ło şifre Şifre ösenord jelsz adgangskode',
    '(?:(?<=contrase)ña|(?<![a-z])senha|(?<=mot[ _]?de[ _]?)passe|motdepasse|wachtwoord|kennwort|(?<=has)ło|şifre|' +
      '(?<=l)ösenord|jelsz[oó]|adgangskode)(?![a-z])',
  ),
  {
    literals: [...foreign, 'ật khẩu', 'kata sandi'],
    pattern: `(?:${foreign.join('|')}|(?<=m)ật khẩu|kata sandi)`,
    sort: 'password',
  },
];

/** Whether the name that was matched is that of a secret, and not of something about it. */
export function isItsOwn(match: RegExpExecArray): boolean {
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

const named = (names: readonly SecretsName[]) =>
  new RegExp(`(?:${names.map(({ pattern }) => pattern).join('|')})${ABOUT}[\\w-]{0,40}$`, 'i');
const NAMED = named(NAMES);
const A_PASSWORDS = named(NAMES.filter(({ sort }) => sort === 'password'));
/** A key of the environment, whoever owns it: `STRIPE_KEY`. */
const ENVIRONMENTS_KEY = new RegExp(`(?<!${NO_OWNER})_(?:KEY|PAT)S?$`);

/** What the name of a value makes of it; nothing where it is no secret's. */
export function sortOfName(name: string, value: string): Sort | undefined {
  if (name.length > 200 || OF_ANOTHER.test(name) || isFolder(name, value)) return undefined;
  if (NAMED.test(name)) return A_PASSWORDS.test(name) ? 'password' : 'token';
  return ENVIRONMENTS_KEY.test(name) ? 'token' : undefined;
}

/** Whether a value is a secret by the name that stands somewhere beside it. */
export function isSecretOf(name: string | undefined, value: string): boolean {
  const sort = name === undefined ? undefined : sortOfName(name, value);
  return sort !== undefined && isLikelySecret(value, sort);
}
