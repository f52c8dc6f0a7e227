import { isLikelySecret } from './plausible.ts';
import type { RedactedText } from './redactor.ts';
import { sortOfName } from './rules/names.ts';

/** What a command's output is: secrets and nothing else, or secrets among other things. */
export type Told = 'all' | 'some';

/** Commands that print a secret, as they begin. */
const TELLING = new RegExp(
  `^(?:${[
    // Vaults and the keyrings of systems
    'op (?:read|item get|document get)\\b',
    '(?:vault|bao) (?:kv get|read)\\b.*\\s-field',
    '(?:vault|bao) print token',
    '(?:go)?pass (?:show|otp)\\b',
    'bw get (?:password|totp|item)',
    'lpass show\\b.*\\s(?:-p|--password)',
    'keepassxc-cli show\\b.*\\s(?:-s|--show-protected|-a)',
    'security find-(?:generic|internet)-password\\b.*\\s-[wg]',
    'secret-tool (?:lookup|search)',
    'keyring get',
    'doppler secrets (?:get|download)\\b',
    'infisical secrets get\\b',
    'chamber (?:read|export)\\b',
    'git credential fill',
    'docker-credential-[\\w-]+ get',
    // Files that are encrypted
    'sops\\b.*\\s(?:-d|--decrypt|decrypt)\\b',
    'ansible-vault (?:view|decrypt)\\b',
    '(?:gpg2?|age|rage)\\b.*\\s(?:-d|--decrypt)\\b',
    // Clouds
    '(?:kubectl|oc|k) (?:\\S+ ){0,4}get secrets?\\b.*(?:jsonpath|go-template|custom-columns)',
    '(?:kubectl|oc|k) create token\\b',
    'aws (?:\\S+ ){0,4}secretsmanager get-secret-value',
    'aws (?:\\S+ ){0,4}ssm get-parameters?\\b.*--with-decryption',
    'aws (?:\\S+ ){0,4}ecr get-login-password',
    'aws configure (?:get \\S*(?:secret|token)|export-credentials)',
    'gcloud (?:\\S+ ){0,4}secrets versions access',
    'gcloud auth (?:application-default )?print-(?:access|identity)-token',
    'az keyvault secret show\\b.*(?:--query|-o tsv)',
    'az account get-access-token',
    '(?:gh|fly|flyctl|heroku|glab) auth[: ]token',
    'heroku config:get\\b',
    'gh auth status\\b.*(?:-t\\b|--show-token)',
    '(?:terraform|tofu) output -raw \\S*(?:pass|secret|token|key)',
    'pulumi (?:config get\\b|stack output\\b.*--show-secrets)',
    '(?:git|npm|yarn|pnpm) config (?:--?\\S+ ){0,3}(?:get )?\\S*(?:token|password|_auth)\\S*$',
    // What makes one
    'openssl rand\\b.*-(?:hex|base64)',
    'wg genkey',
    'pwgen\\b',
    '(?:head|tr|dd|cat)\\b.*/dev/u?random',
    '\\S+ -(?:c|e|p|pe) .*(?:secrets\\.token_(?:hex|urlsafe)|randomBytes\\()',
    // Files that hold a secret and nothing else
    '(?:cat|type|less|Get-Content) \\S*(?:/run/secrets/\\S+|\\.vault-token|serviceaccount/token|\\.pgpass|\\.git-credentials)',
  ].join('|')})`,
);
const VARIABLE = /^(?:echo|printenv|printf \S+)\s+["']?\$?\{?(?<name>\w+)\}?["']?\s*$/;
/** Stages of a pipeline that hand on what they are given; others count it, keep it or send it. */
const HANDS_ON =
  /^(?:base64|openssl|jq|yq|head|tail|cat|tr|cut|sed|awk|grep|python3?|node|perl|ruby|xxd|od|tee|sort|uniq|fold|less|more|column|gunzip|zcat|rev)\b/;
/** Commands that print nothing. */
const SILENT = /^(?:cd|pushd|popd|export|set|unset|source|\.|mkdir|sleep|true|:|#|echo$|\w+=\S*$|$)(?:\s|$)/;
const REDIRECTED = /(?<![&\d])>{1,2}\s*[^&\s]|1>\s*\S/;
const PREFIX = /^(?:sudo\s+|time\s+|command\s+|exec\s+|\w+=\S*\s+)*/;
/** Longer ones are scripts: they are read up to here. */
const LONGEST = 20_000;

/** Whether a command of a shell prints secrets: what it captures, counts or writes to a file is not printed. */
export function tellsSecrets(command: string): Told | undefined {
  let told = 0;
  let others = 0;
  for (const pipeline of asOneLine(withoutCaptured(command.slice(0, LONGEST))).split(/\n|;|&&|\|\|/)) {
    const [first = '', ...stages] = pipeline.split('|').map((stage) => stage.trim().replace(PREFIX, ''));
    const isPrinted = !REDIRECTED.test(pipeline) && stages.every((stage) => HANDS_ON.test(stage));
    if (isPrinted && tells(first, stages)) told++;
    else if (!SILENT.test(first)) others++;
  }
  return told === 0 ? undefined : others === 0 ? 'all' : 'some';
}

function tells(command: string, stages: readonly string[]): boolean {
  if (TELLING.test(command.replace(/[ \t]+/g, ' '))) return true;
  if (/^(?:kubectl|oc|k)\b.*\bget secrets?\b/.test(command)) return stages.some((stage) => /^base64\b/.test(stage));
  const variable = VARIABLE.exec(command)?.groups?.name;
  return variable !== undefined && sortOfName(variable, '') !== undefined;
}

/** A command without what `$(…)` and backticks capture. */
function withoutCaptured(command: string): string {
  let text = command;
  for (let depth = 0; depth < 4; depth++) {
    const next = text.replace(/\$\([^()]{0,4000}\)|`[^`]{0,4000}`/g, 'X');
    if (next === text) break;
    text = next;
  }
  return text;
}

/** A command whose quotes hold nothing that ends a command or a stage of a pipeline. */
function asOneLine(command: string): string {
  return command.replace(/"[^"]{0,2000}"|'[^']{0,2000}'/g, (quoted) => quoted.replace(/[;|&\n]/g, ' '));
}

/** What a command like that printed, without the secrets: all of it, or the words that may be some, where it failed too. */
export function withoutTold(output: string, told: Told, isError: boolean): RedactedText {
  if (output.trim() === '' || output === HIDDEN) return { text: output, count: 0 };
  if (isWhole(output, told, isError)) return { text: HIDDEN, count: 1 };
  let count = 0;
  const text = output.replace(LINE, (line) => {
    const suspect = suspectsOf(line);
    return line.replace(WORD, (word) => {
      if (!suspect(word)) return word;
      count++;
      return HIDDEN;
    });
  });
  return { text, count };
}

/** The stretches of such an output that are secrets, the longest first: to be hidden wherever else they stand. */
export function toldTexts(output: string, told: Told, isError: boolean): string[] {
  const lines = output.match(LINE) ?? [];
  const texts = isWhole(output, told, isError)
    ? [output, ...lines].map((text) => text.trim())
    : lines.flatMap((line) => (line.match(WORD) ?? []).filter(suspectsOf(line)));
  return [...new Set(texts)].filter((text) => text.length >= SHORTEST).sort((a, b) => b.length - a.length);
}

const HIDDEN = '[SECRET]';
/** A shorter word is hidden with the whole output alone. */
const SHORTEST = 6;
const LINE = /[^\n]+/g;
const WORD = /[^\s"',;=]{6,}/g;

function isWhole(output: string, told: Told, isError: boolean): boolean {
  return told === 'all' && !isError && !/^\s*(?:error|fatal|usage|warning)\b/i.test(output);
}

/** Whether a word of a line may be a secret: it looks like one, or is all that the line holds, and no word of a language. */
function suspectsOf(line: string): (word: string) => boolean {
  const isAlone = /^\s*[^\s[\]]{6,}\s*$/.test(line) && !/^\s*[a-z]+\s*$/.test(line);
  return (word) => isAlone || isLikelySecret(word, 'password');
}
