import { readLate } from '../late.ts';
import type { Source } from '../source.ts';
import { records, rows } from './store.ts';
import { places, roots, units, unitUnder } from './units.ts';

/** GitHub's Copilot in the terminal. */
export const copilotCli: Source = {
  id: 'copilot-cli',
  label: 'Copilot CLI',
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
    'subagents',
    'resume',
  ],
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
      argv: ['copilot', `--resume=${nativeId}`, ...(prompt === undefined ? [] : [`--prompt=${prompt}`])],
      ...(cwd !== undefined && { cwd }),
    };
  },
};
