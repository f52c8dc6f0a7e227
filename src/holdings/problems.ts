import type { Home } from '../home/paths.ts';
import { isDamage } from '../store/damage.ts';
import { ArchiveLost } from './lost.ts';

/** What a door tells of a home that cannot be read, and what to do about it. */
export interface Problem {
  readonly code: 'archive_damaged' | 'archive_lost' | 'index_damaged';
  readonly message: string;
  readonly hint: string;
}

/** The problem that an error is a sign of; undefined where it is something else than damage. */
export function problemOf(home: Home, error: unknown): Problem | undefined {
  if (error instanceof ArchiveLost)
    return {
      code: 'archive_lost',
      message: error.message,
      hint: 'portolan repair brings back what the agents’ files and the index still have.',
    };
  if (!isDamage(error)) return undefined;
  if (error.path === home.archive)
    return {
      code: 'archive_damaged',
      message: `The archive is damaged: ${error.message}.`,
      hint: 'portolan repair saves everything still intact, and keeps the old archive beside the new one.',
    };
  return {
    code: 'index_damaged',
    message: `The index is damaged: ${error.message}.`,
    hint: 'portolan index rebuilds it from the archive.',
  };
}
