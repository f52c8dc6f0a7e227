import { readLate } from '../late.ts';
import { promptWords } from '../prompt-words.ts';
import type { Source } from '../source.ts';
import { places, roots, units, unitUnder } from './units.ts';

/** Factory's Droid. */
export const droid: Source = {
  id: 'droid',
  label: 'Droid',
  version: 1,
  capabilities: [
    'titles',
    'project',
    'times',
    'thinking',
    'tools',
    'errors',
    'files',
    'models',
    'tokens',
    'forks',
    'resume',
  ],
  roots,
  units,
  places,
  unitAt: unitUnder,
  read: readLate(() => import('./read.ts')),
  resume: ({ nativeId, cwd }, { prompt }) => ({
    argv:
      prompt === undefined
        ? ['droid', '--resume', nativeId]
        : ['droid', 'exec', '-s', nativeId, ...promptWords(prompt)],
    ...(cwd !== undefined && { cwd }),
  }),
};
