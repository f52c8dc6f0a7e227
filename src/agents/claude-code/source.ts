import { readLate } from '../late.ts';
import { promptWords } from '../prompt-words.ts';
import type { Source } from '../source.ts';
import { install } from './install.ts';
import { roots } from './paths.ts';
import { places, units, unitUnder } from './units.ts';

/** Claude Code: the command line, its editors, the desktop program and Cowork. */
export const claudeCode: Source = {
  id: 'claude-code',
  label: 'Claude Code',
  version: 4,
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
    'rewinds',
    'resume',
  ],
  roots,
  units,
  places,
  unitAt: unitUnder,
  read: readLate(() => import('./read.ts')),
  install,
  folders: [
    { below: ['.claude', 'worktrees'], holds: 'worktrees of the folder above' },
    { below: ['local-agent-mode-sessions'], holds: 'scratch' },
  ],
  caller: (_, variables) => variables.CLAUDE_CODE_SESSION_ID,
  resume(session, { prompt }) {
    const { nativeId, cwd } = session.root ?? session;
    return {
      argv: ['claude', '--resume', nativeId, ...promptWords(prompt)],
      ...(cwd !== undefined && { cwd }),
    };
  },
};
