import { isLikelySecret } from '../plausible.ts';
import type { Rule } from '../rule.ts';
import { isUrlPassword } from './urls.ts';

const QUOTE = '\\\\{0,16}["\'`]';
const WORD = `(?:${QUOTE})?(?<secret>[^\\s"'\`<>|\\\\]{1,128})`;
const REST = /[^\s"'`<>|\\]*/y;
/** What a command line may hold before the flag that counts. */
const ARGUMENTS = '[^\\n|;&]{0,160}?';

const isPassword = (value: string): boolean => isLikelySecret(value, 'password');
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
    ],
    `(?:docker|podman|nerdctl|buildah|skopeo|helm registry|crane auth|oras|az|oc|mongo\\w{0,8})\\b${ARGUMENTS} -p[ =]${WORD}`,
  ),
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
