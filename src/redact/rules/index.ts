import type { Rule } from '../rule.ts';
import { ASSIGNMENTS } from './assignments.ts';
import { COMMANDS } from './commands.ts';
import { FILES } from './files.ts';
import { HEADERS } from './headers.ts';
import { KUBERNETES } from './kubernetes.ts';
import { LABELLED } from './labelled.ts';
import { PAIRS } from './pairs.ts';
import { URLS } from './urls.ts';
import { VENDORS } from './vendors.ts';

/** All layers: what is known by its form first, then what only its surroundings tell. */
export const RULES: readonly Rule[] = [
  ...LABELLED,
  ...VENDORS,
  ...URLS,
  ...HEADERS,
  ...COMMANDS,
  ...FILES,
  ...KUBERNETES,
  ...ASSIGNMENTS,
  ...PAIRS,
];
