import { fields } from '../fields.ts';
import { readLate } from '../late.ts';
import { promptWords } from '../prompt-words.ts';
import type { Source } from '../source.ts';
import { install } from './install.ts';
import { roots } from './paths.ts';
import { places, units, unitUnder } from './units.ts';

/** OpenAI Codex: the command line, its editors, the desktop program. */
export const codex: Source = {
  id: 'codex',
  label: 'Codex',
  version: 5,
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
    'forks',
    'resume',
  ],
  roots,
  units,
  places,
  unitAt: unitUnder,
  read: readLate(() => import('./read.ts')),
  install,
  folders: [
    { below: ['.codex', 'worktrees'], holds: 'worktree/repository' },
    // Conversations without a project get a folder a day and a conversation.
    { below: ['documents', 'codex'], holds: 'scratch' },
  ],
  caller: (meta) => fields(meta['x-codex-turn-metadata']).thread_id,
  resume(session, { prompt }) {
    const { nativeId, cwd } = session.root ?? session;
    return {
      argv: ['codex', 'resume', nativeId, ...promptWords(prompt)],
      ...(cwd !== undefined && { cwd }),
    };
  },
};
