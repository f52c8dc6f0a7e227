import { describe, expect, it } from 'vitest';
import { freshnessOf, sourcesLine } from '../../src/mcp/freshness.ts';
import type { SourceState } from '../../src/search/answers/source-states.ts';

const searched: SourceState = { state: 'searched', sessions: 3 };
const behind: SourceState = {
  state: 'partial',
  sessions: 3,
  reason: '2 new or changed files are not read yet',
  unread: 2,
};

describe('how fresh an answer is', () => {
  it.each([
    [0, 'indexed just now'],
    [59_000, 'indexed just now'],
    [60_000, 'indexed 1 minute ago'],
    [3 * 3_600_000, 'indexed 3 hours ago'],
    [null, 'indexed only in part so far'],
  ])('is told by how long ago all was read (%s)', (lagMs, text) => {
    expect(freshnessOf(lagMs, { one: searched })).toBe(text);
  });

  it.each([
    [0, 'indexed less than a minute ago, but for 2 files that are not read yet'],
    [120_000, 'indexed 2 minutes ago, but for 2 files that are not read yet'],
    [null, 'indexed only in part so far'],
  ])('is never “just now” where something was found on disk and not read (%s)', (lagMs, text) => {
    expect(freshnessOf(lagMs, { one: searched, other: behind })).toBe(text);
  });
});

describe('what was searched', () => {
  it('is told of each source, and of which only a part was, or what was read before', () => {
    const closed: SourceState = {
      state: 'unavailable',
      sessions: 1,
      reason: 'cannot be read: ~/.x (permission denied)',
    };
    expect(sourcesLine({ one: searched, other: behind, third: closed, none: { state: 'empty', reason: 'none' } })).toBe(
      'Searched: one (3 sessions), other in part (3 sessions; 2 new or changed files are not read yet), of third only ' +
        'what was read before (1 session; cannot be read: ~/.x (permission denied)).',
    );
  });
});
