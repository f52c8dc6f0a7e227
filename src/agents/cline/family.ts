import { readLate } from '../late.ts';
import type { Capability, Environment, Resumable, Resume, Root, Source } from '../source.ts';
import { records } from './records.ts';
import { places, units, unitUnder } from './units.ts';

const CAPABILITIES = [
  'titles',
  'project',
  'times',
  'thinking',
  'tools',
  'errors',
  'files',
  'models',
  'tokens',
] as const satisfies readonly Capability[];

/** What differs between the members of the family. */
export interface Member {
  readonly id: string;
  readonly label: string;
  readonly more?: readonly Capability[];
  readonly unverified?: string;
  roots(env: Environment): Root[];
  resume?(session: Resumable): Resume | undefined;
}

/** A source for one of the extensions that came from Cline: they keep a folder for each task. */
export function memberOf({ id, label, more = [], unverified, roots, resume }: Member): Source {
  return {
    id,
    label,
    version: 1,
    capabilities: [...CAPABILITIES, ...more],
    ...(unverified !== undefined && { unverified }),
    roots,
    units: (root, met) => units(id, root, met),
    places,
    unitAt: (root, path) => unitUnder(id, root, path),
    read: readLate(() => import('./read.ts')),
    records,
    ...(resume && { resume }),
  };
}
