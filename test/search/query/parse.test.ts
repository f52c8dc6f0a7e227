import { describe, expect, it } from 'vitest';
import { parseQuery, readQuery } from '../../../src/search/query/parse.ts';
import { printQuery } from '../../../src/search/query/print.ts';
import type { Clause } from '../../../src/search/query/query.ts';
import { KNOWN_SOURCES, NOW, QUERIES, ZONE } from '../queries.ts';
import { randomTexts } from '../random-texts.ts';

const OPTIONS = { zone: ZONE, sources: KNOWN_SOURCES };
const parse = (text: string) => parseQuery(text, NOW, OPTIONS);

/** A clause as the table writes it. */
function spelled(clause: Clause): string {
  switch (clause.type) {
    case 'word':
      return clause.prefix ? `${clause.text}*` : clause.text;
    case 'phrase':
      return `"${clause.text}"`;
    case 'filter':
      return `@${clause.field} ${'at' in clause ? shownInBerlin(clause.at) : clause.values.join(',')}`;
    case 'unreadable':
      return `?${clause.field} ${clause.value}`;
    case 'not':
      return `not(${spelled(clause.of)})`;
    default:
      return `${clause.type}(${clause.of.map(spelled).join(', ')})`;
  }
}

function shownInBerlin(at: number): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone: ZONE }).replace(/:00$/, '');
}

describe('a query', () => {
  it('is tried with more than 300 different texts', () => {
    expect(new Set(QUERIES.map(([text]) => text)).size).toBe(QUERIES.length);
    expect(QUERIES.length).toBeGreaterThan(300);
  });

  it.each(QUERIES.map(([text, ...clauses]) => ({ text, clauses })))('$text', ({ text, clauses }) => {
    const query = parse(text);
    expect(query.text).toBe(text);
    expect(query.clauses.map(spelled)).toEqual(clauses);
  });

  it.each(QUERIES.map(([text]) => text))('%j reads the same when it is printed, and at another time', (text) => {
    const query = parse(text);
    const printed = printQuery(query, OPTIONS);
    expect(parse(printed).clauses, printed).toEqual(query.clauses);
    const later = parseQuery(printed, NOW + 40 * 86_400_000, { ...OPTIONS, zone: 'Pacific/Auckland' });
    expect(later.clauses, printed).toEqual(query.clauses);
    expect(printQuery(later, OPTIONS)).toBe(printed);
  });

  it('never fails on 50,000 random texts, each of which prints and reads the same', () => {
    const texts = randomTexts(50_000);
    const kinds = new Map<string, number>();
    const note = (clause: Clause): void => {
      kinds.set(clause.type, (kinds.get(clause.type) ?? 0) + 1);
      if (clause.type === 'not') note(clause.of);
      if (clause.type === 'and' || clause.type === 'or') clause.of.forEach(note);
    };
    for (const text of texts) {
      parse(text);
      const query = readQuery(text, NOW, OPTIONS);
      const printed = printQuery(query, OPTIONS);
      const again = readQuery(printed, NOW, OPTIONS);
      if (JSON.stringify(again.clauses) !== JSON.stringify(query.clauses))
        expect(again.clauses, `${JSON.stringify(text)} printed as ${printed}`).toEqual(query.clauses);
      query.clauses.forEach(note);
    }
    // The texts reach every kind of clause.
    for (const type of ['word', 'phrase', 'filter', 'not', 'or', 'and'])
      expect(kinds.get(type), type).toBeGreaterThan(300);
  });

  it.each([
    'a',
    ':',
    '"',
    '""',
    '"a ',
    '-',
    'a:',
    '-"',
    'since:',
    'since:last ',
    ' ',
    '*',
    '"a" ',
    '(',
    ')',
    '(a OR ',
    '-(',
    '((a) ',
    'last ',
    'in codex ',
    'source:a,',
    '.',
    '{',
  ])('is read however often it holds %j', (unit) => {
    const query = parse(unit.repeat(Math.ceil(200_000 / unit.length)));
    expect(query.clauses.length).toBeLessThanOrEqual(200_000);
  });

  it('knows the agents of the registry', () => {
    expect(parseQuery('lamp in Claude Code', NOW).clauses.map(spelled)).toEqual(['lamp', '@source claude-code']);
  });
});
