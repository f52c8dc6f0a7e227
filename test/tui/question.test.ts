import { describe, expect, it } from 'vitest';
import { printQuery } from '../../src/search/query/print.ts';
import { isListing, matcherOf, queryOf } from '../../src/tui/question.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');

describe('a text that is being typed', () => {
  it.each(['', '  ', 'project:x', 'source:codex since:3d -project:"a b"', 'yesterday', 'not codex'])(
    '%j lists sessions',
    (text) => {
      expect(isListing(queryOf(text, NOW))).toBe(true);
    },
  );

  it.each(['tide', 'project:x tide', 'is:error', 'tool:Bash', '"a phrase"', '-tide', 'a OR b'])(
    '%j searches',
    (text) => {
      expect(isListing(queryOf(text, NOW))).toBe(false);
    },
  );

  it.each([
    ['tide migr', 'tide migr*'],
    ['größe', 'größe*'],
    ['src/auth/logi', 'src/auth/logi*'],
    ['is:starred tid', 'is:starred tid*'],
  ])('%j may only be begun', (text, query) => {
    expect(printQuery(queryOf(text, NOW))).toBe(query);
  });

  it.each([
    'tide ',
    'ti',
    'project:tide',
    '"the tide"',
    'migr*',
    '-tide',
    'tide since:2026-11-01T00:00:00.000Z',
    'tide: no',
  ])('%j stands as it is', (text) => {
    expect(printQuery(queryOf(text, NOW))).toBe(text.trim());
  });

  it.each(['tide is:', 'tide is:err', 'tide since:', 'tide since:yest', 'tide until:2026-1', 'tide branch:'])(
    '%j is not narrowed before a value is typed',
    (text) => {
      expect(printQuery(queryOf(text, NOW))).toBe('tide');
    },
  );

  it.each(['tide is:errr', 'tide since:blah'])('%j is what it says', (text) => {
    expect(queryOf(text, NOW).clauses.map((clause) => clause.type)).toEqual(['word', 'unreadable']);
  });

  it('keeps what plain language says', () => {
    expect(queryOf('tide last week', NOW).clauses.map((clause) => clause.type)).toEqual(['word', 'filter', 'filter']);
  });

  it('marks what it looks for, and nothing where it looks for nothing', () => {
    expect(matcherOf('project:x migr', NOW)!.matches('a migration')).toEqual([{ start: 2, end: 11, word: 0 }]);
    expect(matcherOf('migrtion ', NOW, ['migration'])!.matches('a migration')).toHaveLength(1);
    expect(matcherOf('project:x', NOW)).toBeUndefined();
    expect(matcherOf('m', NOW)).toBeUndefined();
  });
});
