import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../src/search/query/parse.ts';
import { printQuery } from '../../../src/search/query/print.ts';
import { FIELD_NAMES } from '../../../src/search/query/query.ts';

/** What the page takes for now. */
const NOW = Date.parse('2026-11-30T12:00:00Z');
const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/query-language.md'), 'utf8');
const EXAMPLES = [...PAGE.matchAll(/^\| `(.+?)` \| `(.+?)` \|/gm)].map(([, text, read]) => ({
  text: text!,
  read: read!,
}));

describe('the page about the query language', () => {
  it('has an example of every field', () => {
    expect(EXAMPLES.length).toBeGreaterThan(70);
    // Every row of its tables is an example.
    expect([...PAGE.matchAll(/^\| (?!query)/gm)].length).toBe(EXAMPLES.length);
    for (const field of FIELD_NAMES)
      expect(
        EXAMPLES.some(({ text }) => text.includes(`${field}:`)),
        field,
      ).toBe(true);
  });

  it.each(EXAMPLES)('$text', ({ text, read }) => {
    const query = parseQuery(text, NOW, { zone: 'UTC' });
    expect(printQuery(query).replaceAll(':00.000Z', 'Z')).toBe(read);
    expect(parseQuery(read, NOW + 1e9, { zone: 'Asia/Tokyo' }).clauses).toEqual(query.clauses);
  });
});
