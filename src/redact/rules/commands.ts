import { isLikelySecret, varied } from '../plausible.ts';
import type { Rule, Span } from '../rule.ts';
import { cookies } from './headers.ts';
import { isUrlPassword } from './urls.ts';
import { QUOTE, WORD } from './values.ts';

const REST = /[^\s"'`<>|\\]*/y;
const SECRET = '(?<secret>[^\\s"\'`<>|\\\\]{1,128})';
/** What a command line may hold before the flag that counts. */
const ARGUMENTS = '[^\\n|;&]{0,160}?';

const isPassword = (value: string): boolean => isLikelySecret(value, 'password');
const isToken = (value: string): boolean => value.length >= 16 && isLikelySecret(value, 'token');
const isUsers = (value: string): boolean => value.length >= 8 && isUrlPassword(value, '') && !/^\d+$/.test(value);

function command(literals: readonly string[], pattern: string, plausible = isPassword): Rule {
  return { label: 'SECRET', literals, pattern: new RegExp(pattern, 'y'), rest: REST, plausible };
}

/** Passwords given to commands without a name that says so, and the files that commands read them from. */
export const COMMANDS: readonly Rule[] = [
  // curl -u user:password
  command(
    [' -u', '\t-u', '"-u', "'-u"],
    `[\\s"']-u["']?,?[ =]?(?:${QUOTE})?[^\\s:"'\`@/]{0,128}:(?<secret>[^\\s"'\`<>|\\\\]{1,128})`,
    isUsers,
  ),
  command(
    ['--user', '--proxy-user'],
    `--(?:proxy-)?user["']?,?[ =](?:${QUOTE})?[^\\s:"'\`@/]{0,128}:(?<secret>[^\\s"'\`<>|\\\\]{1,128})`,
    isUsers,
  ),
  // curl -u token:
  command(
    [' -u', '\t-u', '"-u', "'-u", '--user'],
    `(?:[\\s"']-u|--user)["']?,?[ =]?(?:${QUOTE})?(?<secret>[^\\s:"'\`@/]{1,128})(?=:(?:[\\s"'\`]|$))`,
    isToken,
  ),
  {
    // curl -b name=value
    label: 'SECRET',
    literals: [' -b', '--cookie'],
    pattern: new RegExp(`(?: -b|--cookie)[ =]{0,2}(?:${QUOTE})?(?=[\\w.-]{1,64}=)`, 'y'),
    reach: cookies,
  },
  command(
    [
      'docker',
      'podman',
      'nerdctl',
      'buildah',
      'skopeo',
      'helm registry',
      'crane auth',
      'oras',
      'az login',
      'oc login',
      'mongosh',
      'mongodump',
      'mongo ',
      'cqlsh',
      'cypher-shell',
    ],
    `(?:docker|podman|nerdctl|buildah|skopeo|helm registry|crane auth|oras|az|oc|mongo\\w{0,8}|cqlsh|cypher-shell)\\b${ARGUMENTS} -p[ =]${WORD}`,
  ),
  command(['ldap'], `ldap(?:search|modify|add|delete|whoami|passwd|compare|modrdn)\\b${ARGUMENTS} -w[ =]?${WORD}`),
  command(['htpasswd'], `htpasswd -(?:[a-zA-Z]{0,4}b[a-zA-Z]{0,4})${ARGUMENTS} ${WORD}(?=[ \\t'"]{0,4}(?:$|[\\n;&|]))`),
  {
    // net use, net user: a password is a word like others.
    label: 'SECRET',
    literals: ['net use'],
    fold: true,
    pattern: /net user? /iy,
    reach: passwordsOfLine,
  },
  command(['vault login'], `vault login (?:-[\\w=-]{1,40} ){0,4}(?:token=)?${WORD}`, isToken),
  // A password on its way into a command: echo … | docker login --password-stdin
  command(
    ['echo ', 'printf '],
    `(?:echo(?: -[neE]{1,3})?|printf(?: (?:${QUOTE})?%s(?:\\\\n)?(?:${QUOTE})?)?) (?:${QUOTE})?(?:[\\w.@-]{1,64}:)?${SECRET}(?=(?:${QUOTE})?[ \\t]{0,4}\\|[^\\n|]{0,160}(?:--?(?:password|pass|token)-stdin|-stdin|sudo -S|chpasswd|passwd --stdin|--with-token|secret set|--passphrase-fd))`,
  ),
  command(['-stdin', '--with-token'], `(?:-stdin|--with-token)${ARGUMENTS}[ \\t]{0,4}<<<[ \\t]{0,4}${WORD}`),
  command(['SecureString'], `SecureString(?: -String)? ${WORD}`),
  command(['sqlplus'], `sqlplus\\b${ARGUMENTS}[ "'][\\w$#]{1,64}\\/${SECRET}(?=@)`),
  command(['jdbc:oracle'], `jdbc:oracle:(?:thin|oci):[\\w$#]{1,64}\\/${SECRET}(?=@)`),
  command(
    ['smbclient', 'rpcclient', 'smbget', 'smbmap'],
    `(?:smb|rpc)\\w{2,7}\\b${ARGUMENTS} -U[ =]?(?:${QUOTE})?[^\\s%"'\`]{1,64}%${SECRET}`,
  ),
  command(['unzip', 'zip -', '7z '], `(?:(?:un)?zip|7z)\\b${ARGUMENTS} -(?:P ?|h?p)${WORD}`),
  command(['rabbitmqctl'], `rabbitmqctl (?:add_user|change_password) [^\\s]{1,64} ${WORD}`),
  command(['mc alias', 'mc config'], `mc (?:alias set|config host add) \\S{1,64} \\S{1,200} \\S{1,128} ${WORD}`),
  // What WordPress makes its cookies with: 64 characters, blanks and signs among them.
  {
    label: 'SECRET',
    literals: ['AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', '_SALT'],
    pattern:
      /(?:AUTH_KEY|LOGGED_IN_KEY|NONCE_KEY|_SALT)["']\s{0,4},\s{0,16}(?<quote>["'])(?<secret>(?:(?!\k<quote>)[^\n\r]){40,128})(?=["']\s{0,4}\))/y,
    plausible: (value) => varied(value, 20),
  },
  command(['requirepass', 'masterauth'], `(?:requirepass|masterauth) ${WORD}`), // Redis
  command(['sshpass'], `sshpass -p ?${WORD}`),
  command(['mysql', 'mariadb'], `(?:mysql|mariadb)\\w{0,8}\\b${ARGUMENTS} -p${WORD}`),
  command(['redis-cli'], `redis-cli\\b${ARGUMENTS} -a ${WORD}`),
  command(['sqlcmd'], `sqlcmd\\b${ARGUMENTS} -P ?${WORD}`),
  command(['pass:'], `pass:${WORD}`), // openssl -passin
  command(['from-literal'], `from-literal[= ](?:${QUOTE})?[\\w.-]{1,128}=${WORD}`), // kubectl create secret
  // .netrc, on a line or on several
  command(
    ['login'],
    `login(?:\\s|\\\\{1,8}n){1,8}[^\\s\\\\]{1,128}(?:\\s|\\\\{1,8}n){1,8}password\\s{1,8}${WORD}`,
    (value) => isUrlPassword(value, ''),
  ),
  // A name and a value behind a blank: aws configure set, gh secret set
  command(
    ['aws_secret_access_key', 'aws_session_token'],
    `aws_(?:secret_access_key|session_token)[ \\t]{1,4}${WORD}`,
    (value) => isLikelySecret(value, 'token'),
  ),
];

/** The words behind a command that can be passwords, and no options or names of shares. */
function passwordsOfLine(text: string, command: Span): readonly Span[] {
  const line = /[^\n|;&]{0,160}/y;
  line.lastIndex = command.end;
  const spans: Span[] = [];
  for (const { 0: word, index } of (line.exec(text)?.[0] ?? '').matchAll(/[^\s"']{6,128}/g))
    if (!/^[/\\]/.test(word) && isPassword(word))
      spans.push({ start: command.end + index, end: command.end + index + word.length });
  return spans;
}
