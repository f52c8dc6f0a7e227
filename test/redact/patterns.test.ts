import { describe, expect, it } from 'vitest';
import { finderOf } from '../../src/redact/patterns.ts';

const found = (pattern: string, text: string) =>
  finderOf(pattern)(text).map(({ start, end }) => text.slice(start, end));

describe('a pattern of the user’s', () => {
  it('finds on every line, wherever in a long one', () => {
    expect(found('QUAY-\\d{7}', 'QUAY-1234567\nx QUAY-7654321\n')).toEqual(['QUAY-1234567', 'QUAY-7654321']);
    for (const at of [0, 199, 200, 395, 399, 400, 401, 4242]) {
      const text = `${' '.repeat(at)}QUAY-1234567${' '.repeat(500)}`;
      expect([...new Set(found('QUAY-\\d{7}', text))], String(at)).toEqual(['QUAY-1234567']);
    }
    expect(found('^key .*$', 'a\nkey one\nb')).toEqual(['key one']);
    expect(found('[A-Z]{2,}-(?:north|south)', 'QU-north')).toEqual(['QU-north']);
  });

  it('takes time in proportion to the text, also where the usual engine would never end', () => {
    for (const pattern of ['(a+)+b', '(?:a|a)*b', '(a*)*c', 'a.*b|c'])
      expect(found(pattern, 'a'.repeat(200_000))).toEqual([]);
  });

  it('is refused where it can be none', () => {
    for (const pattern of ['(', '[z-a]', '(?<=x)y', '(a)\\1', '\\bx(?!y)'])
      expect(() => finderOf(pattern)).toThrow(SyntaxError);
  });
});
