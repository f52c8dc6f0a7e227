import { readLate } from '../late.ts';
import type { Source } from '../source.ts';
import { places, records, roots, rows, units, unitUnder } from './units.ts';

/** Block's Goose: its database, and the files in which older versions kept a session each. */
export const goose: Source = {
  id: 'goose',
  label: 'Goose',
  version: 1,
  capabilities: ['titles', 'project', 'times', 'thinking', 'tools', 'errors', 'files', 'models', 'subagents', 'resume'],
  unverified: 'no session that Goose itself wrote was seen: built from its public source and an empty database',
  roots,
  units,
  rows,
  places,
  unitAt: unitUnder,
  read: readLate(() => import('./read.ts')),
  records,
  resume(session) {
    const { nativeId, cwd } = session.root ?? session;
    return { argv: ['goose', 'session', '--resume', '--session-id', nativeId], ...(cwd !== undefined && { cwd }) };
  },
};
