import { sourceOf } from '../agents/registry.ts';
import type { SourceState } from '../search/answers/source-states.ts';
import { unreadIn } from '../search/answers/source-states.ts';
import { brief } from './bounds.ts';

type Sources = Readonly<Record<string, SourceState>>;

/** What was searched and what was not, in one line; agents that are not here are named where there is none that is. */
export function sourcesLine(sources: Sources): string {
  const all = Object.entries(sources);
  const here = all.filter(([, { state }]) => state !== 'empty');
  return `Searched: ${(here.length > 0 ? here : all)
    .map(([id, state]) => saidOf(sourceOf(id)?.label ?? id, state))
    .join(', ')}.`;
}

function saidOf(label: string, state: SourceState): string {
  switch (state.state) {
    case 'searched':
      return `${label} (${sessionsOf(state.sessions)})`;
    case 'partial':
      return `${label} in part (${sessionsOf(state.sessions)}; ${brief(state.reason)})`;
    case 'unavailable':
      return `of ${label} only what was read before (${sessionsOf(state.sessions)}; ${brief(state.reason)})`;
    default:
      return `not ${label} (${brief(state.reason)})`;
  }
}

const sessionsOf = (count: number) => `${count} ${count === 1 ? 'session' : 'sessions'}`;

const MINUTE_MS = 60_000;

/** How fresh an answer is: what was found on disk and not read is said with it. */
export function freshnessOf(lagMs: number | null, sources: Sources): string {
  const unread = unreadIn(sources);
  if (unread === 0 || lagMs === null) return `indexed ${agoOf(lagMs)}`;
  const files = unread === 1 ? 'one file that is' : `${unread} files that are`;
  const ago = lagMs < MINUTE_MS ? 'less than a minute ago' : agoOf(lagMs);
  return `indexed ${ago}, but for ${files} not read yet`;
}

function agoOf(ms: number | null): string {
  if (ms === null) return 'only in part so far';
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return 'just now';
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 2880
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
