import { join } from 'node:path';
import { readLate } from '../late.ts';
import { promptWords } from '../prompt-words.ts';
import type { Environment, Root, Source } from '../source.ts';
import { places, recordsOf, rows, unitAt, units } from './units.ts';

/** A program that was made from OpenCode: the same database and files under another name. */
interface Member {
  readonly id: string;
  readonly label: string;
  /** Its folder of data, its database and its command. */
  readonly name: string;
  readonly unverified?: string;
}

/** The source of a program of this family. */
export function openCodeSource({ id, label, name, unverified }: Member): Source {
  return {
    id,
    label,
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
      'forks',
      'resume',
    ],
    ...(unverified !== undefined && { unverified }),
    roots: (env) => rootsOf(env, name),
    units: (root, met) => units(id, root, met),
    rows,
    places,
    unitAt: (root, path) => unitAt(id, root, path),
    read: readLate(() => import('./read.ts')),
    records: recordsOf,
    resume(session, { prompt }) {
      const { nativeId, cwd } = session.root ?? session;
      return {
        argv: [name, ...(prompt === undefined ? [] : ['run']), '--session', nativeId, ...promptWords(prompt)],
        ...(cwd !== undefined && { cwd }),
      };
    },
  };
}

/** The folder of data is the same on every system; the layout is its database's name. */
function rootsOf({ home, platform, variables }: Environment, name: string): Root[] {
  const data = variables.XDG_DATA_HOME?.trim();
  const local = variables.LOCALAPPDATA?.trim();
  const folders = new Set([
    ...(data ? [join(data, name)] : []),
    join(home, '.local', 'share', name),
    ...(platform === 'win32' && local ? [join(local, name)] : []),
  ]);
  return [...folders].map((path) => ({ path, layout: name }));
}
