import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isKnownSecret } from './plausible.ts';
import { sortOfName } from './rules/names.ts';

/** Files below the user's folder in which programs keep what they sign in with. */
const CREDENTIAL_FILES = [
  '.netrc',
  '_netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.pgpass',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh/hosts.yml',
  '.config/glab-cli/config.yml',
  '.config/hub',
  '.docker/config.json',
  '.aws/credentials',
  '.config/gcloud/application_default_credentials.json',
  '.azure/msal_token_cache.json',
  '.kube/config',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
  '.config/huggingface/token',
  '.cache/huggingface/token',
  '.claude/.credentials.json',
  '.claude.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  '.config/github-copilot/apps.json',
  '.local/share/opencode/auth.json',
];
/** Larger ones hold more than credentials. */
const LARGEST = 256 * 1024;

/** A name and its value in JSON, YAML, INI, TOML, a shell's variables. */
const PAIR = /(?<![\w.-])(?<name>[\w.-]{1,80})["']?\s{0,4}[:=]\s{0,4}["']?(?<value>[^\s"',;{[][^\s"',;]{11,4095})/g;
const NETRC = /\bpassword\s{1,8}(?<value>\S{12,1024})/g;
const URL = /:\/\/[^\s/:@]{0,128}:(?<value>[^\s/@]{12,1024})@/g;

/**
 * The secrets that are known by their value: those of the environment and of files that programs keep credentials in,
 * of at least 12 characters of two kinds, under a name that says so. They are held in memory and written nowhere.
 */
export function knownSecrets(
  variables: Readonly<Record<string, string | undefined>>,
  userHome: string | undefined,
): string[] {
  const found = new Set<string>();
  const take = (name: string, value: string) => {
    const sort = value.length < 12 ? undefined : sortOfName(name, value);
    if (sort !== undefined && isKnownSecret(value, sort)) found.add(value);
  };
  const takePairs = (text: string) => {
    // What closes behind a value without quotes belongs to the document.
    for (const { groups } of text.matchAll(PAIR)) take(groups!.name!, groups!.value!.replace(/[}\]]+$/, ''));
  };
  for (const [name, value = ''] of Object.entries(variables))
    if (/^\s*[{[]/.test(value)) takePairs(value);
    else take(name, value);
  for (const file of userHome === undefined ? [] : CREDENTIAL_FILES) {
    const text = textOf(join(userHome!, file));
    if (text === undefined) continue;
    takePairs(text);
    for (const pattern of [NETRC, URL])
      for (const { groups } of text.matchAll(pattern)) take('password', groups!.value!);
    // A file that is nothing but a token.
    if (/token$/.test(file)) take('token', text.trim());
  }
  return [...found];
}

function textOf(path: string): string | undefined {
  try {
    // Most are not there: nothing is thrown for these.
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return size === 0 || size > LARGEST ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
