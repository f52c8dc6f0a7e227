import { describe, expect, it } from 'vitest';
import { snippetOf, stretchesOf } from '../../../src/search/answers/snippet.ts';
import { Matcher } from '../../../src/search/matching/matcher.ts';
import { parseQuery } from '../../../src/search/query/parse.ts';
import type { Part } from '../../../src/transcript/index.ts';

const where = { offset: 0, line: 1 };
const answer = (text: string): Part => ({ type: 'text', role: 'assistant', text, where });
const prompt = (text: string): Part => ({ type: 'text', role: 'user', text, where });

function snippet(query: string, ...parts: Part[]) {
  const found = snippetOf(
    stretchesOf(parts, 0, Number.MAX_SAFE_INTEGER),
    new Matcher(parseQuery(query, Date.parse('2026-11-21T12:00:00Z'))),
  );
  if (!found) throw new Error('nothing to show');
  return { ...found, marked: found.highlights.map(([from, to]) => found.text.slice(from, to)) };
}

describe('highlights cut exactly the words that match', () => {
  it.each<[query: string, text: string, marked: string[]]>([
    ['lamp', 'The lamp is out.', ['lamp']],
    ['LAMP', 'The Lamp, the lamp!', ['Lamp', 'lamp']],
    ['lamp rope', 'A rope and a lamp.', ['rope', 'lamp']],
    ['"red buoy"', 'A red buoy.', ['red', 'buoy']],
    ['migrat*', 'migrate the migration', ['migrate', 'migration']],
    ['grosse', 'Die Größe zählt.', ['Größe']],
    ['cafe', 'the cafe\u0301 here', ['cafe\u0301']],
    ['getUserName', 'call getUserName now', ['getUserName']],
    ['getUserName', 'the user may get a name', []],
    ['name', 'call getUserName now', ['getUserName']],
    ['ERR-404', 'an ERR-404 it was', ['ERR-404']],
    ['pier.rs', 'in dock/pier.rs there', ['pier.rs']],
    ['lamp', '🚀🚀 lamp 🎉 lamp', ['lamp', 'lamp']],
    ['lamp', '𠀀𠀁 lamp', ['lamp']],
    ['连接池', '生产环境的数据库连接池耗尽了', ['连接池']],
    ['журнал', 'старый журнал маяка', ['журнал']],
    ['nowhere', 'The lamp is out.', []],
    ['lamp -rope', 'A rope and a lamp.', ['lamp']],
    ['lamp -"red rope"', 'A red rope and a lamp.', ['lamp']],
    ['"red buoy"', 'A red lamp, no buoy, and a red buoy.', ['red', 'buoy']],
    ['"user name"', 'call getUserName of the user, name it', ['getUserName', 'user', 'name']],
    ['"red buoy" lamp', 'A red lamp and a red buoy.', ['lamp', 'red', 'buoy']],
    ['lamp OR rope', 'A rope and a lamp.', ['rope', 'lamp']],
    ['(lamp -tide) OR (rope wick)', 'The tide took a rope, a wick and a lamp.', ['rope', 'wick', 'lamp']],
    ['-(rope -wick) lamp', 'A rope, a wick and a lamp.', ['lamp']],
    ['lamp in Codex sessions last week', 'last week in codex: a lamp', ['lamp']],
  ])('%s in %j', (query, text, marked) => {
    expect(snippet(query, answer(text)).marked).toEqual(marked);
  });
});

describe('the window', () => {
  const filler = (n: number) => 'grey water under a low sky '.repeat(n);

  it('is the whole of a short text, on one line', () => {
    expect(snippet('lamp', answer('one\nlamp\n\ttwo')).text).toBe('one lamp  two');
  });

  it('is round the match, wherever it stands', () => {
    for (const text of [`lamp ${filler(40)}`, `${filler(40)}lamp ${filler(40)}`, `${filler(40)}lamp`]) {
      const { text: shown, marked } = snippet('lamp', answer(text));
      expect(marked).toEqual(['lamp']);
      expect(shown.length).toBeLessThanOrEqual(242);
      expect(shown.length).toBeGreaterThan(100);
      expect(shown.startsWith('…')).toBe(!text.startsWith('lamp'));
      expect(shown.endsWith('…')).toBe(!text.endsWith('lamp'));
    }
  });

  it('is where most of the words stand', () => {
    const text = `lamp ${filler(30)} lamp rope keel together ${filler(30)} rope`;
    expect(snippet('lamp rope keel', answer(text)).marked).toEqual(['lamp', 'rope', 'keel']);
  });

  it('prefers different words to one word often', () => {
    const text = `lamp lamp lamp lamp ${filler(30)} lamp rope keel ${filler(30)}`;
    expect(snippet('lamp rope keel', answer(text)).marked).toEqual(['lamp', 'rope', 'keel']);
  });

  it('takes the part with most of the words, and what people said before what machines printed', () => {
    const parts = [prompt('only the lamp'), answer('the lamp and the rope')];
    expect(snippet('lamp rope', ...parts)).toMatchObject({ field: 'answer', part: 1 });
    // Where the question has them too, its answer is shown.
    expect(snippet('lamp', ...parts)).toMatchObject({ field: 'answer', part: 1 });
  });

  it('begins at a word', () => {
    const { text } = snippet('lamp', answer(`${filler(20)}lamp ${filler(20)}`));
    expect(text).toMatch(/^…(?:grey|water|under|a|low|sky) /);
  });

  it('never parts the halves of a character', () => {
    for (let shift = 0; shift < 40; shift++) {
      const text = `${'x'.repeat(shift)}${'🚀'.repeat(300)} lamp ${'🎉'.repeat(300)}`;
      const { text: shown, marked } = snippet('lamp', answer(text));
      expect(shown.isWellFormed(), `shift ${shift}`).toBe(true);
      expect(marked).toEqual(['lamp']);
    }
  });

  it('shows a match in a text without a space', () => {
    const { marked, text } = snippet('lamp', answer(`${'/'.repeat(3000)}lamp${'/'.repeat(3000)}`));
    expect(marked).toEqual(['lamp']);
    expect(text.length).toBeLessThanOrEqual(242);
  });

  it('shows a match in the middle of long Chinese text', () => {
    const { marked, text } = snippet('连接池', answer(`${'风雨灯塔'.repeat(200)}连接池${'潮水船只'.repeat(200)}`));
    expect(text).toContain('连接池');
    expect(marked.join('')).toContain('连接池');
    expect(text.length).toBeLessThanOrEqual(242);
  });

  it('shows the beginning of a match that is longer than itself', () => {
    const long = `lamp${'x'.repeat(500)}`;
    const { text, highlights } = snippet(long, answer(`${filler(20)}${long} ${filler(20)}`));
    expect(text).toContain('lampxxx');
    for (const [, to] of highlights) expect(to).toBeLessThanOrEqual(text.length);
  });

  it('highlights are in order, apart, and inside the text', () => {
    const { highlights, text } = snippet('lamp rope', answer(`${filler(5)}${'lamp rope '.repeat(60)}`));
    let last = 0;
    for (const [from, to] of highlights) {
      expect(from).toBeGreaterThanOrEqual(last);
      expect(to).toBeGreaterThan(from);
      last = to;
    }
    expect(last).toBeLessThanOrEqual(text.length);
    expect(highlights.length).toBeGreaterThan(10);
  });
});

it('a snippet holds no half of a character where its passage was cut inside one', () => {
  const text = '🚢 lamp 🚢';
  const found = snippetOf(stretchesOf([answer(text)], 1, text.length - 1), new Matcher(parseQuery('lamp', 0)));
  expect(found).toMatchObject({ text: '\ufffd lamp \ufffd', highlights: [[2, 6]] });
});
