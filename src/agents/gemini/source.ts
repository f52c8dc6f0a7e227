import { join } from 'node:path';
import { readLate } from '../late.ts';
import type { Source } from '../source.ts';
import { recordsOf } from './records.ts';
import { chatStore } from './units.ts';

const store = chatStore({
  source: 'gemini',
  roots({ home, variables }) {
    const named = variables.GEMINI_CLI_HOME?.trim();
    const folders = new Set([...(named ? [join(named, '.gemini')] : []), join(home, '.gemini')]);
    return [...folders].map((path) => ({ path, layout: 'home' }));
  },
});

/** Google's Gemini CLI. */
export const gemini: Source = {
  id: 'gemini',
  label: 'Gemini CLI',
  version: 2,
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
  ...store,
  read: readLate(() => import('./read.ts')),
  records: recordsOf,
  resume(session, { prompt }) {
    const { nativeId, cwd } = session.root ?? session;
    return {
      // A prompt is an option here, and what follows it is its value whatever it begins with.
      argv: ['gemini', '--resume', nativeId, ...(prompt === undefined ? [] : [`--prompt=${prompt}`])],
      ...(cwd !== undefined && { cwd }),
    };
  },
};
