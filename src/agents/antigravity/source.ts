import { readLate } from '../late.ts';
import type { Source } from '../source.ts';
import { recordsOf } from './records.ts';
import { places, roots, units, unitUnder } from './units.ts';

/** Google's Antigravity: the desktop program, the IDE, the command line `agy`. */
export const antigravity: Source = {
  id: 'antigravity',
  label: 'Antigravity',
  version: 1,
  capabilities: ['titles', 'project', 'times', 'thinking', 'tools', 'errors', 'files', 'models', 'tokens', 'resume'],
  // Where a conversation has no folder of the person's.
  folders: ['antigravity', 'antigravity-ide', 'antigravity-cli'].flatMap((program) =>
    ['scratch', 'playground'].map((name) => ({ below: ['.gemini', program, name], holds: 'scratch' as const })),
  ),
  roots,
  units,
  places,
  unitAt: unitUnder,
  read: readLate(() => import('./read.ts')),
  records: recordsOf,
  resume({ nativeId, cwd, surface }, { prompt }) {
    // The programs with windows take no conversation up by its id.
    if (surface !== 'cli') return undefined;
    return {
      // A prompt is an option's value, whatever it begins with.
      argv: ['agy', '--conversation', nativeId, ...(prompt === undefined ? [] : [`--prompt-interactive=${prompt}`])],
      ...(cwd !== undefined && { cwd }),
    };
  },
};
