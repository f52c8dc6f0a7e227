import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Transcript } from '../history.ts';
import { type Library, openLibrary } from '../library.ts';

const fault = new Transcript('telling fault');
const other = new Transcript('telling other');
let library: Library;

const LINE = "TypeError: Cannot read properties of undefined (reading 'berth')";
const stamp = (i: number) => new Date(Date.UTC(2026, 10, 20, 3, 7, i, 194 + i)).toISOString();

beforeAll(async () => {
  fault.prompt('The pier does not open.');
  fault.answer(`It says ${LINE} at src/pier/berth-plan.ts:31.`);
  other.prompt('What is the length of x, y and z? The src of a plan is undefined of old.');
  other.answer('Of the pier: src, ts, 194Z and 2026. Properties of a reading.');
  library = await openLibrary([fault, other]);
});
afterAll(() => library.close());

const [wanted] = [`${fault.key}#1`];

describe('a pasted log', () => {
  it.each([5, 20, 40, 61, 101, 400])('is looked for by what is in it, its last line too: %i lines', (lines) => {
    const log = Array.from({ length: lines - 1 }, (_, i) => `${stamp(i)} worker-${i} step${i * 7} takes ${i}ms x${i}`);
    const { hits, warnings } = library.search([...log, LINE].join('\n'));
    expect(hits[0]?.id).toBe(wanted);
    expect(warnings).toEqual([
      expect.stringMatching(/^\d+ more words were left out: only the rarest were searched for$/),
    ]);
  });

  it('is no matter of where in it the line stands', () => {
    const noise = Array.from({ length: 6000 }, (_, i) => `gull${i}`);
    for (const at of [0, 200, 5990])
      expect(library.search([...noise.slice(0, at), LINE, ...noise.slice(at)].join('\n')).hits[0]?.id).toBe(wanted);
  });

  it('judges a compound by all of it, not by its parts', () => {
    // Each part of the stamps stands somewhere, and no stamp.
    const stamps = Array.from({ length: 30 }, (_, i) => stamp(i));
    const { hits, query } = library.search([...stamps, LINE].join('\n'));
    expect(hits[0]?.id).toBe(wanted);
    expect(query.terms.some((term) => term.startsWith('2026-'))).toBe(false);
    // All its parts are common, it is not.
    const words =
      'the is of a src plan ts pier x y z length what old and does not open it says read properties undefined';
    expect(library.search(`${words} at src/pier/berth-plan.ts:31\nand more`).query.terms).toContain(
      'src/pier/berth-plan.ts:31',
    );
  });

  it('of few words is looked for by each', () => {
    expect(library.search(LINE).warnings).toEqual([]);
  });
});

describe('a text that was cut inside a word', () => {
  it.each<[text: string, to: string]>([
    ['src/pier/ber', 'src/pier/ber*'],
    ['/home/src/pie', ''],
    ['prop', 'prop*'],
    ['Error: Cannot read proper', 'proper*'],
    ['berth-pl', 'berth-pl*'],
  ])('%s is found by its beginning, and says so', (text, to) => {
    const { hits, query } = library.search(text);
    expect(query.corrections).toEqual(to === '' ? [] : [{ from: text.split(' ').at(-1), to }]);
    expect(hits.some(({ id }) => id === wanted)).toBe(to !== '');
  });
});

describe('words as people look for them', () => {
  const words = new Transcript('telling words');
  let history: Library;
  beforeAll(async () => {
    for (const text of [
      'Upgrade to v2.1.250 soon',
      'Port the C header, we counted 123 crates; C is plain C',
      'The C# client fails, see issue #123',
      'แก้ไขข้อผิดพลาดของตารางเวลา',
      'co\u00adoperate soft\u00adhyphen, zero\u200bwidth',
      'Use C++ and .NET, keep it in .env',
      'The net and the env of plain C',
      'ផ្លូវទៅកំពង់ផែ ແລະ ທ່າເຮືອ ဆိပ်ကမ်း',
    ])
      words.prompt(text);
    history = await openLibrary([words]);
  });
  afterAll(() => history.close());

  it.each<[query: string, turns: number[]]>([
    ['2.1.250', [1]],
    ['v2.1.250', [1]],
    ['"C#"', [3]],
    ['"the C# client"', [3]],
    ['"C++"', [6]],
    ['".NET"', [6]],
    ['"#123"', [3]],
    ['ตารางเวลา', [4]],
    ['ข้อผิดพลาด', [4]],
    ['កំពង់ផែ', [8]],
    ['ທ່າເຮືອ', [8]],
    ['ဆိပ်ကမ်း', [8]],
    ['softhyphen', [5]],
    ['zerowidth', [5]],
    ['soft\u00adhyphen', [5]],
  ])('%s', (query, turns) => {
    expect(history.hits(query).map(({ turn }) => turn)).toEqual(turns);
  });

  it.each<[query: string, first: number]>([
    ['C#', 3],
    ['#123', 3],
    ['C++', 6],
    ['.NET', 6],
    ['.env', 6],
  ])('%s comes first where it is written so', (query, first) => {
    const turns = history.hits(query).map(({ turn }) => turn);
    expect(turns[0]).toBe(first);
    expect(turns.length).toBeGreaterThan(1);
  });
});
