import { homedir } from 'node:os';
import { readConfig } from '../home/config.ts';
import type { Home } from '../home/paths.ts';
import { knownSecrets } from './known.ts';
import { redactWith } from './redact.ts';

/**
 * Sets up what this process redacts with: the rules, the values of secrets that the environment and credential files
 * hold, and what the user has set. Where that cannot be understood, the rest holds already.
 * @throws ConfigError
 */
export function beginRedaction(home: Home, variables: Readonly<Record<string, string | undefined>>): void {
  const values = knownSecrets(variables, variables.HOME || homedir());
  redactWith({ values, patterns: [], allow: [] });
  const { patterns, allow } = readConfig(home).redaction;
  if (patterns.length + allow.length > 0) redactWith({ values, patterns, allow });
}
