import { isLikelySecret } from '../plausible.ts';
import type { Rule } from '../rule.ts';
import { ABOUT, isItsOwn, NAMES, NO_OWNER, type SecretsName } from './names.ts';
import { BARE, BETWEEN, QUOTE, QUOTED, REST } from './values.ts';

function assignments({ literals, pattern, sort }: SecretsName): Rule[] {
  const begin = `(?<name>${pattern}${ABOUT}[\\w-]{0,40}(?![\\w-]))${BETWEEN}`;
  return [QUOTED, BARE].map((value) => ({
    label: 'SECRET',
    literals,
    fold: true,
    pattern: new RegExp(begin + value, 'iy'),
    rest: REST,
    plausible: (secret, match) => isItsOwn(match) && isLikelySecret(secret, sort),
  }));
}

/** A flag of a command and its value behind a blank (`--password hunter…`), or the next of a list (`"--password", "hunter…"`). */
function flag({ literals, pattern, sort }: SecretsName): Rule {
  const between = `(?:[ \\t]{1,4}|${QUOTE}\\s{0,8},\\s{0,40}(?=${QUOTE}))`;
  return {
    label: 'SECRET',
    literals,
    fold: true,
    pattern: new RegExp(
      `(?<=(?:^|[\\s"'\`])--?[\\w-]{0,40})(?<name>${pattern}${ABOUT}[\\w-]{0,24}(?![\\w-]))${between}(?:${QUOTE})?${BARE}`,
      'iy',
    ),
    rest: REST,
    plausible: (secret, match) => isItsOwn(match) && isLikelySecret(secret, sort),
  };
}

/** Values given to names like a secret's, in the environment, JSON, YAML, INI, XML, tables, code and flags. */
export const ASSIGNMENTS: readonly Rule[] = [
  ...NAMES.flatMap(assignments),
  ...NAMES.map(flag),
  {
    // A key of the environment, whoever owns it: `STRIPE_KEY=…`.
    label: 'SECRET',
    literals: ['_KEY', '_PAT'],
    pattern: new RegExp(
      `(?<!${NO_OWNER})(?<name>_(?:KEY|PAT)S?(?:_[A-Z0-9]{1,20})?(?![\\w-]))${BETWEEN}(?:${QUOTE})?${BARE}`,
      'y',
    ),
    rest: REST,
    plausible: (secret, match) => isItsOwn(match) && isLikelySecret(secret, 'token'),
  },
];
