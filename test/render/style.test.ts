import { describe, expect, test } from 'vitest';
import { formatBytes, formatCount, formatDuration, formatTokens, plural } from '../../src/render/numbers.ts';
import { wrap } from '../../src/render/spans.ts';
import { paint, terminalStyle } from '../../src/render/style.ts';
import { relativeAge } from '../../src/render/times.ts';
import { displayWidth, pad, splitAt, truncate, truncateStart } from '../../src/render/width.ts';

describe('terminalStyle', () => {
  test('colours only a terminal, and hears NO_COLOR, FORCE_COLOR and a dumb one', () => {
    const color = (isTTY: boolean, env: Record<string, string>) => terminalStyle({ isTTY }, env).color;
    expect(color(true, {})).toBe(true);
    expect(color(false, {})).toBe(false);
    expect(color(true, { NO_COLOR: '1' })).toBe(false);
    expect(color(true, { NO_COLOR: '' })).toBe(true);
    expect(color(true, { TERM: 'dumb' })).toBe(false);
    expect(color(false, { FORCE_COLOR: '1' })).toBe(true);
    expect(color(true, { FORCE_COLOR: '0' })).toBe(false);
  });

  test('takes the width of the terminal, else COLUMNS, else 80', () => {
    expect(terminalStyle({ isTTY: true, columns: 133 }, { COLUMNS: '50' }).width).toBe(133);
    expect(terminalStyle({}, { COLUMNS: '50' }).width).toBe(50);
    expect(terminalStyle({}, {}).width).toBe(80);
  });

  test('keeps to ASCII where the console or its locale has no more', () => {
    expect(terminalStyle({ isTTY: true }, { TERM: 'linux' }).unicode).toBe(false);
    expect(terminalStyle({ isTTY: true }, { LANG: 'de_DE.ISO-8859-1' }).unicode).toBe(false);
    expect(terminalStyle({ isTTY: true }, { LANG: 'de_DE.UTF-8' }).unicode).toBe(true);
  });

  test('paints nothing without colour', () => {
    expect(paint({ color: false, width: 80 }, 'x', 'bold', 'red')).toBe('x');
    expect(paint({ color: true, width: 80 }, 'x', 'bold', 'red')).toBe('\x1b[1;31mx\x1b[22;39m');
  });
});

describe('display width', () => {
  test.each([
    ['ledger-store', 12],
    ['Café', 4],
    ['Cafe\u0301', 4],
    ['русский', 7],
    ['中文', 4],
    ['キャッシュ', 10],
    ['한국어', 6],
    ['ｗｉｄｅ', 8],
    ['👍', 2],
    ['👍🏽', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪🇯🇵', 4],
    ['❤️', 2],
    ['❤', 1],
    ['が', 2],
    ['ก็', 1],
    ['\x1b[1mbold\x1b[22m', 4],
    ['', 0],
  ])('%s takes %i columns', (text, width) => expect(displayWidth(text)).toBe(width));

  test('cuts between characters, never through one', () => {
    expect(truncate('harbor-api', 10)).toBe('harbor-api');
    expect(truncate('harbor-api', 7)).toBe('harbor…');
    expect(truncate('日本語です', 6)).toBe('日本…');
    expect(truncate('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
    expect(truncate('abc', 0)).toBe('');
    expect(truncateStart('/home/dev/src/menu.js', 10)).toBe('…c/menu.js');
    expect(splitAt('日本', 3)).toEqual(['日', '本']);
    expect(pad('日本', 6, 'right')).toBe('  日本');
  });

  test('wraps at words, between CJK characters, and inside what is wider than a line', () => {
    expect(wrap('two lines to the quay', 10)).toEqual(['two lines', 'to the', 'quay']);
    expect(wrap('无效化缓存总线。', 8)).toEqual(['无效化缓', '存总线。']);
    expect(wrap('缓存总线。', 8)).toEqual(['缓存总', '线。']);
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrap('', 4)).toEqual(['']);
  });
});

describe('numbers', () => {
  test('read as people write them', () => {
    expect([0, 999, 1000, 20411, 1234567].map(formatCount)).toEqual(['0', '999', '1,000', '20,411', '1,234,567']);
    expect([0, 512, 1000, 12_345, 999_600, 3_400_000, 2e9].map(formatBytes)).toEqual([
      '0 B',
      '512 B',
      '1 kB',
      '12 kB',
      '1 MB',
      '3.4 MB',
      '2 GB',
    ]);
    expect([950, 34_500, 123_456, 999_960, 1_234_567, 2.5e9].map(formatTokens)).toEqual([
      '950',
      '34.5k',
      '123k',
      '1M',
      '1.2M',
      '2.5B',
    ]);
    expect([3.24, 320, 999.7, 4200, 59_700, 192_000, 7_500_000, 273_600_000].map(formatDuration)).toEqual([
      '3.2 ms',
      '320 ms',
      '1 s',
      '4.2 s',
      '1 min',
      '3 min 12 s',
      '2 h 5 min',
      '3 d 4 h',
    ]);
    expect([plural(1, 'turn'), plural(1204, 'turn')]).toEqual(['1 turn', '1,204 turns']);
  });

  test('ages are told from the local day', () => {
    const now = new Date(2026, 10, 30, 12, 0).getTime();
    const age = (...at: [number, number, number, number, number]) => relativeAge(new Date(...at).getTime(), now);
    expect(age(2026, 10, 30, 12, 0)).toBe('just now');
    expect(age(2026, 10, 30, 11, 55)).toBe('5 min ago');
    expect(age(2026, 10, 30, 8, 30)).toBe('3 h ago');
    expect(age(2026, 10, 29, 23, 0)).toBe('yesterday');
    expect(age(2026, 10, 26, 23, 0)).toBe('4 days ago');
    expect(age(2026, 2, 12, 9, 5)).toBe('12 Mar 2026');
    expect(age(2027, 2, 12, 9, 5)).toBe('12 Mar 2027');
    expect(relativeAge(Number.NaN, now)).toBe('unknown time');
  });
});
