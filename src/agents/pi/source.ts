import { readLate } from '../late.ts';
import { promptWords } from '../prompt-words.ts';
import type { Source } from '../source.ts';
import { places, roots, units, unitUnder } from './units.ts';

/** Mario Zechner's Pi, and Oh-My-Pi, which keeps the same files. */
export const pi: Source = {
  id: 'pi',
  label: 'Pi',
  version: 1,
  capabilities: ['project', 'times', 'thinking', 'tools', 'errors', 'files', 'models', 'tokens', 'forks', 'resume'],
  roots,
  units,
  places,
  unitAt: unitUnder,
  read: readLate(() => import('./read.ts')),
  resume: ({ nativeId, cwd }, { prompt }) => ({
    argv: ['pi', '--session', nativeId, ...promptWords(prompt)],
    ...(cwd !== undefined && { cwd }),
  }),
};
