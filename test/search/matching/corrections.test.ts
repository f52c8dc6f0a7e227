import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nearest } from '../../../src/search/matching/corrections.ts';
import { editDistance } from '../../../src/search/matching/edit-distance.ts';
import { Transcript } from '../history.ts';
import { highlighted, type Library, openLibrary } from '../library.ts';

describe('the distance of two words', () => {
  it.each<[a: string, b: string, distance: number]>([
    ['lamp', 'lamp', 0],
    ['lamp', 'lump', 1],
    ['lamp', 'lamps', 1],
    ['lamp', 'lmap', 1],
    ['lamp', 'amp', 1],
    ['lamp', 'lpma', 2],
    ['lamp', 'rope', 3],
    ['', 'a', 1],
    ['authentication', 'authentification', 2],
    ['größe', 'grösse', 2],
  ])('%s and %s', (a, b, distance) => {
    expect(editDistance(a, b, 2)).toBe(distance);
    expect(editDistance(b, a, 2)).toBe(distance);
  });
});

describe('a word that occurs nowhere', () => {
  const session = new Transcript('corrections');
  let library: Library;
  const corrections = (text: string) => library.search(text).query.corrections;

  beforeAll(async () => {
    session.prompt('The authentication of the lighthouse is broken.');
    session.answer('The migration of getUserName and harbor42 works; Größe too. The keeper keeps the keep.');
    session.prompt('Authentication again, and the database.');
    library = await openLibrary([session]);
  });
  afterAll(() => library.close());

  it.each<[text: string, corrections: [from: string, to: string][]]>([
    ['authentification', [['authentification', 'authentication']]],
    ['lighthuose broken', [['lighthuose', 'lighthouse']]],
    ['Mgration', [['Mgration', 'migration']]],
    ['nigration', [['nigration', 'migration']]],
    [
      'databasee lighthous',
      [
        ['databasee', 'database'],
        ['lighthous', 'lighthouse'],
      ],
    ],
    [
      'migratoin, databse',
      [
        ['migratoin,', 'migration'],
        ['databse', 'database'],
      ],
    ],
    ['(databse OR nowhere)', [['databse', 'database']]],
    ['keepr', [['keepr', 'keeper']]],
    // The last may have been cut
    ['works migr', [['migr', 'migr*']]],
    ['harbor4', [['harbor4', 'harbor4*']]],
    ['get_user_nam', [['get_user_nam', 'get_user_nam*']]],
    ['migr works', []],
    ['Error: it works, migr', [['migr', 'migr*']]],
    // Never
    ['authentication', []],
    ['"authentification"', []],
    ['-authentification', []],
    ['authentif*', []],
    ['getUserNane', []],
    ['harbor43', []],
    ['5e955133', []],
    ['keeps', []],
    ['abc', []],
    ['zephyrquark', []],
    ['src/databse.ts', []],
    ['Error: no databse here', []],
    ['npm run databse --all', []],
    ['a b c d e f g h i j k l m databse', []],
  ])('%s', (text, expected) => {
    expect(corrections(text)).toEqual(expected.map(([from, to]) => ({ from, to })));
  });

  it('is looked for as the nearest, which is shown', () => {
    const [hit] = library.hits('authentification lighthuose');
    expect(hit).toMatchObject({ id: `${session.key}#1` });
    expect(highlighted(hit!)).toEqual(['authentication', 'lighthouse']);
    expect(library.search('authentification').query.terms).toEqual(['authentification']);
  });

  it('costs a bounded number of look-ups, whatever its length', () => {
    for (const word of ['lxyz', 'lighthuosekeeper', 'z'.repeat(24)]) {
      let asked = 0;
      nearest(word, {
        terms: () => [],
        documentFrequencies: (all) => {
          asked += all.length;
          return all.map(() => 0);
        },
      });
      expect(asked).toBeGreaterThan(100);
      expect(asked).toBeLessThan(700);
    }
  });
});
