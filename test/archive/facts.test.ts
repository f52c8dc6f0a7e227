import { describe, expect, it } from 'vitest';
import { mergedFacts } from '../../src/archive/facts.ts';

describe('facts of a session', () => {
  it('are replaced by later ones, lists are united', () => {
    expect(
      mergedFacts({ branch: 'main', roots: ['/a'], models: ['one'], client: { name: 'x', version: '1' } }, [
        { branch: 'tide', roots: ['/b', '/a'] },
        { models: ['two', 'one'], client: { version: '2' } },
      ]),
    ).toEqual({ branch: 'tide', roots: ['/a', '/b'], models: ['one', 'two'], client: { name: 'x', version: '2' } });
  });

  it('keep all names that were given: the last of each kind, each summary once', () => {
    const first = { text: 'About the pier', leaf: 'a' };
    const second = { text: 'About the lamp', leaf: 'b' };
    expect(
      mergedFacts({ titles: { agent: 'one', summaries: [first] } }, [
        { titles: { user: 'mine' } },
        { titles: { agent: 'two', summaries: [second, first] } },
      ]).titles,
    ).toEqual({ agent: 'two', user: 'mine', summaries: [first, second] });
  });

  it('keep a pull request once, as it was told last', () => {
    const url = 'https://git.example/1';
    expect(mergedFacts({ pullRequests: [{ url }] }, [{ pullRequests: [{ url, number: 1 }] }]).pullRequests).toEqual([
      { url, number: 1 },
    ]);
  });
});
