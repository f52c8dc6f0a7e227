import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A home of one's own with the Codex history of another: that one is only to be read. */
export function copyOfCodexHome(home: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'portolan-home-'));
  cpSync(join(home, '.codex'), join(copy, '.codex'), { recursive: true });
  return copy;
}

/** Where a rollout lies, below a home. */
export const rolloutName = (id: string, day = '2026-11-20') =>
  join('.codex', 'sessions', ...day.split('-'), `rollout-${day}T10-00-00-${id}.jsonl`);

/** A home that holds one rollout: a copy of this file, under an id of its own. */
export function homeOfRollout(from: string, id: string): string {
  const home = mkdtempSync(join(tmpdir(), 'portolan-home-'));
  const to = join(home, rolloutName(id));
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
  return home;
}
