import { describe, expect, it } from 'vitest';
import {
  filterOf,
  hasFilters,
  isStarList,
  isTooShort,
  toggleFilters,
  withoutFilters,
} from '../../src/tui/query-text.ts';

describe('a filter in the text of a query', () => {
  it('is written as the query language reads it', () => {
    expect(filterOf('project', 'harbor-api')).toBe('project:harbor-api');
    expect(filterOf('project', 'Café Menü 2.0')).toBe('project:"Café Menü 2.0"');
  });

  it('stands before the words, and goes by the same key', () => {
    const filter = filterOf('project', 'Café Menü 2.0');
    const narrowed = toggleFilters('tide "two words" -x', [filter]);
    expect(narrowed).toBe('project:"Café Menü 2.0" tide "two words" -x');
    expect(hasFilters(narrowed, [filter])).toBe(true);
    expect(toggleFilters(narrowed, [filter])).toBe('tide "two words" -x');
  });

  it('is taken away with all others, and no word with it', () => {
    expect(withoutFilters('source:codex -project:"a b" Error: "x: y" http://x tide')).toBe(
      'Error: "x: y" http://x tide',
    );
  });
});

describe('what kind of question a text is', () => {
  it('is one letter of our alphabet that is too short; a sign of another is a word', () => {
    expect(['r', ' r ', '7'].map(isTooShort)).toEqual([true, true, true]);
    expect(['ra', '船', 'r x', '?'].map(isTooShort)).toEqual([false, false, false, false]);
  });

  it('asks for stars apart from the rest', () => {
    expect(isStarList(' is:starred ')).toBe(true);
    for (const text of ['is:starred  tide', 'tide', '']) expect(isStarList(text), text).toBe(false);
  });
});
