import { readLate } from '../late.ts';
import { promptWords } from '../prompt-words.ts';
import type { Source } from '../source.ts';
import { roots } from './roots.ts';
import { places, records, rows, units, unitUnder } from './units.ts';

/** Charm's Crush: a database in each project. */
export const crush: Source = {
  id: 'crush',
  label: 'Crush',
  version: 1,
  capabilities: ['titles', 'project', 'times', 'thinking', 'tools', 'errors', 'files', 'models', 'subagents', 'resume'],
  roots,
  units,
  rows,
  places,
  unitAt: unitUnder,
  read: readLate(() => import('./read.ts')),
  records,
  resume(session, { prompt }) {
    const { nativeId, cwd } = session.root ?? session;
    return {
      // The prompt is the command line's own: the program in the terminal takes none.
      argv: ['crush', ...(prompt === undefined ? [] : ['run']), '--session', nativeId, ...promptWords(prompt)],
      ...(cwd !== undefined && { cwd }),
    };
  },
};
