import { sourceOf } from '../agents/registry.ts';
import type { SourceState } from '../search/answers/source-states.ts';

/** What was searched and what was not, in one line. */
export function sourcesLine(sources: Readonly<Record<string, SourceState>>): string {
  const each = Object.entries(sources).map(([id, state]) => {
    const label = sourceOf(id)?.label ?? id;
    return state.state === 'searched'
      ? `${label} (${state.sessions} ${state.sessions === 1 ? 'session' : 'sessions'})`
      : `not ${label} (${state.reason})`;
  });
  return `Searched: ${each.join(', ')}.`;
}

export function agoOf(ms: number | null): string {
  if (ms === null) return 'only in part so far';
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 2880
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
