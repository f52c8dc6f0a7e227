import { readLate } from '../late.ts';
import { promptWords } from '../prompt-words.ts';
import type { Source } from '../source.ts';
import { places, roots, units, unitUnder } from './units.ts';

/** Sourcegraph's Amp: the command line and its editors, as far as threads are kept on this machine. */
export const amp: Source = {
  id: 'amp',
  label: 'Amp',
  version: 1,
  capabilities: ['titles', 'project', 'times', 'thinking', 'tools', 'errors', 'files', 'models', 'tokens', 'resume'],
  roots,
  units,
  places,
  unitAt: unitUnder,
  read: readLate(() => import('./read.ts')),
  resume: ({ nativeId, cwd }, { prompt }) => ({
    argv: ['amp', 'threads', 'continue', nativeId, ...promptWords(prompt)],
    ...(cwd !== undefined && { cwd }),
  }),
};
