import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { displayWidth } from '../../src/render/width.ts';

const plain = (text: string, width = 60) => renderMarkdown(text, { color: false, width });
const colored = (text: string) => renderMarkdown(text, { color: true, width: 60 });
const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

describe('inline markdown', () => {
  test('dresses bold, italic, struck, code and links', () => {
    expect(colored('a **b** *c* ~~d~~ `e`')).toBe(
      'a \x1b[1mb\x1b[22m \x1b[3mc\x1b[23m \x1b[9md\x1b[29m \x1b[36me\x1b[39m',
    );
    expect(plain('see [the decision](docs/decision.md) and `x`')).toBe('see the decision (docs/decision.md) and `x`');
    expect(plain('[https://a.example](https://a.example)')).toBe('https://a.example');
    expect(colored('***both***')).toBe('\x1b[1;3mboth\x1b[22;23m');
  });

  test('leaves alone what people type without meaning markdown', () => {
    for (const text of [
      '__init__.py',
      'snake_case_name',
      '*.ts and *.js',
      '2**3 and 4**5',
      'src/*/a/*',
      'C:\\new\\temp',
      'a * b * c',
      '**open',
      '`open',
      '[x](',
      'a_b_c d_e',
    ])
      expect(plain(text)).toBe(text);
  });
});

describe('blocks', () => {
  test('headings, nested and numbered lists, tasks, quotes, rules', () => {
    expect(
      plain(
        '# Storage\ntext\n\n1. Write it\n   - with an index over account and month, so that nobody scans\n2. Run it\n- [x] done\n- [ ] open\n\n> every boat\n> > two lines\n\n---',
      ),
    ).toBe(
      [
        '# Storage',
        'text',
        '',
        '1. Write it',
        '   • with an index over account and month, so that nobody',
        '     scans',
        '2. Run it',
        '☑ done',
        '☐ open',
        '',
        '│ every boat',
        '│ │ two lines',
        '',
        '─'.repeat(40),
      ].join('\n'),
    );
  });

  test('fenced code behind a gutter, its indentation kept, also inside a list and unclosed', () => {
    expect(plain('```ts\nif (a) {\n    b();\n}\n```\nafter')).toBe('╭─ ts\n│ if (a) {\n│     b();\n│ }\nafter');
    expect(plain('- run\n  ```\n  ls **x**\n  ```')).toBe('• run\n  │ ls **x**');
    expect(plain('~~~\nnever closed')).toBe('│ never closed');
  });

  test('a diff fence is coloured as a diff', () => {
    expect(colored('```diff\n-a\n+b\n```')).toContain('\x1b[31m-a\x1b[39m');
  });

  test('tables are aligned, shrunk to the width, and become records where they cannot be', () => {
    const table = '| File | Lines |\n|:--|--:|\n| a.js | 18 |\n| 日本.md | 4 |';
    expect(plain(table)).toBe('File    │ Lines\n────────┼──────\na.js    │    18\n日本.md │     4');
    const long = `| a | b |\n|---|---|\n| ${'tide '.repeat(30)}| x |`;
    for (const line of plain(long, 40).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(40);
    const many = `|${' column |'.repeat(12)}\n|${'---|'.repeat(12)}\n|${' value |'.repeat(12)}`;
    expect(plain(many, 40).split('\n').slice(0, 2)).toEqual(['• column: value', '  column: value']);
  });

  test('line breaks and pasted indentation stay', () => {
    expect(plain('Error:\n    at run (a.js:1)\n  next')).toBe('Error:\n    at run (a.js:1)\n  next');
  });
});

describe('any input', () => {
  test('keeps every word, within the width', () => {
    const text =
      'We **decided** to use `SQLite` [here](docs/x.md).\n\n# Why\n> - one\n>   1. two\n\n| a | b |\n|--|--|\n| c `|` d | e | f |\n\n```\ncode\n```\nГотово: кэш на русском, 中文 и 日本語. キャッシュの説明を追加しました。';
    for (const width of [8, 24, 40, 100]) expect(words(plain(text, width)).join('')).toBe(words(text).join(''));
    for (const line of plain(text, 30).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(30);
  });

  test.each([
    '*a ',
    '**a *b* c** ',
    '[',
    '[a](',
    '`',
    'a`b``',
    '> ',
    '- ',
    '  - \n',
    '| a ',
    '|a|\n|-|\n',
    '\\',
    '<http://',
    '语',
    '\u0301',
    '```\n',
    '\x1b]',
    '_\x08',
    'a\t',
    '~~a',
    '。',
    'a。',
    '|a|\n|-|\n|b',

    '# \n',
  ])('200 kB of %j renders in linear time', (unit) => {
    const started = performance.now();
    renderMarkdown(unit.repeat(Math.ceil(200_000 / unit.length)), { color: true, width: 80 });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
