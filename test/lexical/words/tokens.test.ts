import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/lexical/words/folding.ts';
import { positionsOf, wordTokens } from '../../../src/lexical/words/identifiers.ts';
import { eachRun, eachWord, tokensOf } from '../../../src/lexical/words/tokens.ts';

const tokens = (text: string) => tokensOf(text).split(' ').filter(Boolean);

describe('the tokens of a text', () => {
  it.each<[text: string, tokens: string]>([
    // Words
    ['', ''],
    ['   \n\t ', ''],
    ['hello world', 'hello world'],
    ['Hello, World!', 'hello world'],
    ["don't", 'don t'],
    ['a', 'a'],
    ['42', '42'],
    ['one\ntwo\r\nthree', 'one two three'],
    ['?!… — ()[]{}', ''],
    // Identifiers: the whole first, then its parts
    ['getUserName', 'getusername get user name'],
    ['GetUserName', 'getusername get user name'],
    ['HTTPServer', 'httpserver http server'],
    ['parseJSON', 'parsejson parse json'],
    ['XMLHttpRequest', 'xmlhttprequest xml http request'],
    ['iOS', 'ios i os'],
    ['get_user_name', 'get_user_name get user name'],
    ['MAX_PAGE_SIZE', 'max_page_size max page size'],
    ['max_page-size', 'max_page_size max page size'],
    ['kebab-case-word', 'kebab_case_word kebab case word'],
    ['lamp.core', 'lamp_core lamp core'],
    ['snake_and.CamelCase', 'snake_and_camelcase snake and camel case'],
    ['ERROR', 'error'],
    ['sha256Sum', 'sha256sum sha256 sum'],
    // A joiner holds together only inside a word, and only one
    ['__init__', 'init'],
    ['trailing.', 'trailing'],
    ['-flag', 'flag'],
    ['--dry-run', 'dry_run dry run'],
    ['wait...what', 'wait what'],
    ['a--b', 'a b'],
    ['a..b__c', 'a b c'],
    // A version is found without its letter
    ['v2.14.3', 'v2_14_3 2 v2 14 3'],
    ['node-v20.1', 'node_v20_1 node 20 v20 1'],
    ['python3.12', 'python3_12 3 python3 12'],
    ['a1b2.3', 'a1b2_3 a1b2 3'],
    ['v2', 'v2'],
    ['v2.x', 'v2_x v2 x'],
    // Signs that belong to a name
    ['C# and F#.', 'c# c and f# f'],
    ['C++ (g++)', 'c++ c g++ g'],
    ['notes#top', 'notes top'],
    ['count++', 'count'],
    ['C#x a#b c+d', 'c x a b c d'],
    ['.NET', '.net net'],
    ['src/.env.local', 'src .env_local env_local env local'],
    ["'.gitignore'", '.gitignore gitignore'],
    ['chain().then(x).map', 'chain then x map'],
    ['see #123, owner/repo#45', 'see #123 123 owner repo #45 45'],
    ['#fff #123456789', 'fff 123456789'],
    ['127.0.0.1:8080', '127_0_0_1 127 0 0 1 8080'],
    // Paths: each name whole and in parts
    ['src/auth/a.ts', 'src auth a_ts a ts'],
    ['C:\\Users\\dev\\notes.md', 'c users dev notes_md notes md'],
    ['https://example.com/a?b=c', 'https example_com example com a b c'],
    // Error codes
    ['EADDRINUSE', 'eaddrinuse'],
    ['TS2345', 'ts2345'],
    ['ERR-404', 'err_404 err 404'],
    ['E0308:', 'e0308'],
    // Accents and case
    ['Größe', 'grosse'],
    ['GRÖSSE', 'grosse'],
    ['café CAFÉ cafe\u0301', 'cafe cafe cafe'],
    ['naïve Ångström', 'naive angstrom'],
    ['İstanbul ılık', 'istanbul ilik'],
    ['ﬁle ｆｕｌｌ', 'file full'],
    ['⑴ ⒉ step', '1 2 step'],
    ['größenÄnderung', 'grossenanderung grossen anderung'],
    // Other scripts
    ['Привет МИР', 'привет мир'],
    ['ΑΒΓ αβγ', 'αβγ αβγ'],
    ['数据库', '数据 据库 库'],
    ['数', '数'],
    ['数据', '数据 据'],
    ['人人人', '人人 人人 人'],
    ['连接，失败', '连接 接 失败 败'],
    ['カタカナ', 'カタ タカ カナ ナ'],
    ['서울시', '서울 울시 시'],
    ['Redis连接池3个', 'redis 连接 接池 池 3 个'],
    ['𠀀𠀁𠀂', '𠀀𠀁 𠀁𠀂 𠀂'],
    ['数据db', '数据 据 db'],
    ['ตาราง', 'ตา าร รา าง ง'],
    ['ລາວ', 'ລາ າວ ວ'],
    ['ខ្មែរ', 'ខ្ ្ម មែ ែរ រ'],
    ['မြန်', 'မြ ြန န် ်'],
    ['ใช้React', 'ใช ช้ ้ react'],
    // Emoji are words, whatever their shape
    ['✅ done', '✅ done'],
    ['done✅', 'done ✅'],
    ['⚠️ warning', '⚠ warning'],
    ['👍🏽 👍', '👍 👍'],
    ['👩‍👧', '👩 👧'],
    ['🇩🇪', '🇩 🇪'],
    ['✓ yes ✗ no', '✓ yes ✗ no'],
    ['→ ─ │ • … ™ Ⓜ', ''],
    // What is not seen is not there
    ['soft\u00adhyphen', 'softhyphen'],
    ['zero\u200bwidth, word\u2060joiner', 'zerowidth wordjoiner'],
    ['می‌خواهم', 'میخواهم'],
    ['\u200ebidi\u202c', 'bidi'],
    ['get\u00adUser.na\u200bme', 'getuser_name get user name'],
  ])('%j', (text, expected) => {
    expect(tokens(text)).toEqual(expected.split(' ').filter(Boolean));
  });

  it('parts words at an emoji outside the basic plane', () => {
    for (const text of ['shipped🚀today', 'shipped 🚀today', '🚀shipped🎉today🎉'])
      expect(tokens(text)).toEqual(expect.arrayContaining(['shipped', 'today']));
  });

  it('gives no empty token', () => {
    for (const text of ['\ufe0f', 'a \u0301 b', '⚠️', '\u0301\u0302', 'x\u200d', '\u00ad'])
      for (const word of runs(text)) expect(word).not.toContain('');
  });

  it('keeps only the beginning of a hash, a key, a base64 text', () => {
    const hex = '0123456789abcdef'.repeat(4);
    expect(tokens(`sha ${hex}`)).toEqual(['sha', hex.slice(0, 12)]);
    expect(tokens(`x${'A1b2'.repeat(500)}`)).toEqual(['xa1b2a1b2a1b']);
    // A commit's whole name is found by the same rule on both sides; a short one is a word.
    expect(tokens('8a3f0e1')).toEqual(['8a3f0e1']);
    expect(wordTokens(hex)).toEqual(wordTokens(`${hex}0123`));
  });

  it('keeps of a UUID the whole and its first group', () => {
    expect(tokens('session 0035B67A-7fb8-40b9-b396-259a58d23d86.jsonl')).toEqual([
      'session',
      ...tokens('0035B67A-7fb8-40b9-b396-259a58d23d86.jsonl'),
    ]);
    expect(tokens('(0035B67A-7fb8-40b9-b396-259a58d23d86)')).toEqual([
      '0035b67a_7fb8_40b9_b396_259a58d23d86',
      '0035b67a',
    ]);
  });

  it('does not part what changes between cases and digits as chance has it', () => {
    expect(tokens('toolu_01AbC9dEfGh2JkLmN3pQ')).toEqual([
      'toolu_01abc9defgh2jklmn3pq',
      'toolu',
      '01abc9defgh2jklmn3pq',
    ]);
    expect(tokens('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toEqual(['01arz3ndektsv4rrffq69g5fav']);
    expect(tokens('getUserNameFromDatabase2Connection')).toContain('database2');
  });

  it('keeps the first run of base64 alone', () => {
    const base64 = 'iVBORw0KGgoAAAANSUhEUgAA/8f3Kd9LmPq2X/Zb7Qw4Rt6Yp1+vN5cXz8Bk3Jh9Gf2Ds4Qw';
    expect(tokens(`data:image/png;base64,${base64} end`)).toEqual([
      ...tokens('data:image/png;base64,'),
      'ivborw0kggoaaaansuheugaa',
      'end',
    ]);
    // Names of files are parted by the same character.
    const names = '/3f2a9c81d4e5b607f8a9/0b1c2d3e4f5a69788796/notes.md';
    expect(tokens(names)).toEqual(['3f2a9c81d4e5b607f8a9', '0b1c2d3e4f5a69788796', 'notes_md', 'notes', 'md']);
  });

  it('cuts what nobody types', () => {
    expect(tokens('x'.repeat(200))).toEqual(['x'.repeat(64)]);
    expect(tokens('X'.repeat(200))).toEqual(['x'.repeat(64)]);
    for (const token of tokens(`${'longName'.repeat(40)} ${'ю'.repeat(100)}`)) expect(token.length).toBeLessThan(65);
  });

  it('takes lone halves of characters', () => {
    for (const text of ['\ud83d', '\udc00 word', 'word \ud83d', 'a\ud800b', '\udfff\ud800']) {
      const found = tokens(text);
      if (text.includes('word')) expect(found).toContain('word');
    }
  });

  it('gives tokens that hold neither spaces nor quotes nor capitals', () => {
    for (const text of ODD)
      for (const word of runs(text))
        for (const token of word) {
          expect(token).not.toMatch(/[\s"]/);
          expect(fold(token)).toBe(token);
        }
  });

  it('is the same for a word alone and in a text', () => {
    for (const text of ODD) expect(tokens(text)).toEqual(runs(text).flat().filter(Boolean));
  });
});

const ODD = [
  'The quick brown fox, getUserName("x") src/auth/a.ts ERR-404',
  'Größe café İstanbul ﬁle Ⅻ ½ ㎏ ŉ ǆ ẞ Σίσυφος ΣΊΣΥΦΟΣ',
  'Привет, мир! 数据库连接 ログを見る 서울',
  'a\u0301\u0302b 🚀 👩‍👩‍👧 ⚠️ 🇩🇪',
  'snake_case-kebab.dot CamelCASEWord x1Y2z3',
  'aB.'.repeat(170),
  '\ufffd \u0000 \u200b\ufeff',
];

function runs(text: string): string[][] {
  const found: string[][] = [];
  eachWord(text, (run) => found.push(positionsOf(run).flat()));
  return found;
}

describe('folding', () => {
  it.each([...ODD, 'ǅ', 'ΐ', 'ﬀ', 'ᾳ', 'Å', '한글', 'が', 'é', 'e\u0301', 'Ꭰ', 'ß', 'ẞ', 'ı', 'İ', 'ſ'])(
    'of %j is done once and for all',
    (text) => {
      expect(fold(fold(text))).toBe(fold(text));
    },
  );

  it('does not tell apart how an accent was written, nor case', () => {
    expect(fold('é')).toBe(fold('e\u0301'));
    expect(fold('É')).toBe(fold('e'));
    expect(fold('Straße')).toBe(fold('STRASSE'));
    expect(fold('ﬁn')).toBe('fin');
  });
});

describe('runs', () => {
  it('tells where each word stands', () => {
    const text = '  foo.bar, 数据库!  größe ';
    const found: string[] = [];
    eachRun(text, (start, end) => found.push(text.slice(start, end)));
    expect(found).toEqual(['foo.bar', '数据库', 'größe']);
  });
});

describe('a megabyte of odd input is read in linear time', () => {
  const MB = 1 << 20;
  it.each<[name: string, unit: string]>([
    ['one lower-case word', 'a'],
    ['one upper-case word', 'A'],
    ['digits', '7'],
    ['hexadecimal', 'deadbeef01'],
    ['joiners', '.'],
    ['joined letters', 'a_'],
    ['alternating joiners', 'a.b-c_'],
    ['camel case', 'aB'],
    ['Chinese without a space', '数据库连接'],
    ['Chinese and English by turns', '数a'],
    ['accents', 'é'],
    ['combining marks on one letter', '\u0301'],
    ['combining marks of two classes', '\u0301\u0316'],
    ['emoji', '🚀'],
    ['soft hyphens', '\u00ad'],
    ['Thai', 'ตาราง'],
    ['versions', 'v1.2.'],
    ['signs', '#1 .a c++ '],
    ['lone halves', '\ud83d'],
    ['Hangul', '한글'],
    ['ligatures', 'ﬃ'],
    ['a letter that folds to eighteen', '\ufdfa'],
    ['spaces', ' '],
    ['quotes', '"'],
  ])('%s', (_, unit) => {
    const text = `x${unit.repeat(Math.ceil(MB / unit.length))}`;
    // Doubled step by step, so that a reader which is not linear fails long before it has read the whole.
    for (let length = MB >> 6; length <= MB; length *= 2) {
      // Of the processor alone: what else the machine does must not count.
      const begin = process.threadCpuUsage();
      tokensOf(text.slice(0, length));
      const { user, system } = process.threadCpuUsage(begin);
      expect((user + system) / 1000, `${length} units`).toBeLessThan(1500);
    }
  });
});
