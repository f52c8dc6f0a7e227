import { readLate } from '../late.ts';
import { promptWords } from '../prompt-words.ts';
import type { Source } from '../source.ts';
import { records, rows } from './database.ts';
import { EDITOR, places, roots, units, unitUnder } from './units.ts';

/** Cursor: the editor's conversations, and the transcripts of its agent. */
export const cursor: Source = {
  id: 'cursor',
  label: 'Cursor',
  version: 1,
  capabilities: ['titles', 'project', 'times', 'thinking', 'tools', 'errors', 'files', 'models', 'resume'],
  roots,
  units,
  rows,
  places,
  unitAt: unitUnder,
  read: readLate(() => import('./read.ts')),
  records,
  resume(session, { prompt }) {
    // What the editor keeps is opened in the editor.
    if (session.surface === EDITOR) return undefined;
    const { nativeId, cwd } = session.root ?? session;
    return {
      argv: ['cursor-agent', '--resume', nativeId, ...promptWords(prompt)],
      ...(cwd !== undefined && { cwd }),
    };
  },
};
