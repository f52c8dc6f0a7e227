import { describe, expect, it } from 'vitest';
import { REDACTOR_VERSION, redactDeep, redactOwn, redactText } from '../../src/redact/redact.ts';
import { Redactor } from '../../src/redact/redactor.ts';
import type { Rule } from '../../src/redact/rule.ts';
import { RULES } from '../../src/redact/rules/index.ts';
import { ALNUM, BASE64, DIGITS, dashes, Maker, survivor, UPPER } from './make.ts';

const SURROUNDINGS: readonly [string, string][] = [
  ['', ''],
  ['KEY=', '\n'],
  ['"', '"'],
  ['{"a":"x\\n', '\\n"}'],
  ['https://example.com/?k=', '&x=1'],
  ['a%3D', '%26'],
  ['\u001b[32m', '\u001b[0m'],
  ['\\u003d', '\\u0026'],
  ['\\t', '\\t'],
  ['см. ', '。'],
  ['(', ').'],
];

it('half of a character passes nowhere', () => {
  const half = 'a\ud83d b\udea2';
  expect(redactDeep({ [half]: [half] }).value).toEqual({ 'a\ufffd b\ufffd': ['a\ufffd b\ufffd'] });
  expect(redactOwn({ text: half }, (_, text) => ({ text, count: 0 }), 'input').value).toEqual({
    text: 'a\ufffd b\ufffd',
  });
});

describe('redactText', () => {
  it('hides every labelled kind wherever it stands, once, under its label', () => {
    for (let seed = 0; seed < 20; seed++) {
      for (const { label, body, value } of new Maker(seed).secrets()) {
        for (const [before, after] of SURROUNDINGS) {
          const out = redactText(before + value + after);
          expect(survivor(body, out.text), label + before).toBeUndefined();
          expect(out.count).toBe(1);
          expect(out.text.startsWith(`${before}[${label}]`)).toBe(true);
        }
      }
    }
  });

  it('leaves no eight characters of secrets strewn over a text, and finds nothing the second time', () => {
    const words = [
      'we decided',
      'task-list',
      'eyJ',
      'sk-',
      '[GH_TOKEN]',
      '[REDACTED]',
      '{"a":',
      '\\n',
      '----',
      'xoxb-',
      '.',
      '',
      '\n',
    ];
    for (let seed = 0; seed < 400; seed++) {
      const maker = new Maker(1000 + seed);
      const chosen = Array.from({ length: 6 }, () => maker.pick(maker.secrets()));
      const glue = () => ` ${maker.pick(words)} ${maker.text(maker.below(12))} `;
      const once = redactText(chosen.map(({ value }) => glue() + value).join('') + glue());
      for (const { body } of chosen) expect(survivor(body, once.text)).toBeUndefined();
      expect(once.count).toBe(6);
      expect(redactText(once.text)).toEqual({ text: once.text, count: 0 });
    }
  });

  it('finds nothing the second time, however secrets and their pieces are glued together', () => {
    for (let seed = 0; seed < 3000; seed++) {
      const maker = new Maker(9000 + seed);
      const pieces = maker.secrets().map(({ value }) => value);
      pieces.push(
        dashes('BEGIN', ''),
        dashes('END', ''),
        maker.key('', 120).text,
        '[JWT]',
        '\\n',
        '\n',
        '.',
        '-',
        '=',
        '%3D',
        'A',
        '0',
        ' ',
      );
      const text = Array.from({ length: 2 + maker.below(6) }, () => {
        const piece = maker.pick(pieces);
        return maker.below(3) ? piece : piece.slice(0, maker.below(piece.length + 1));
      }).join('');
      const once = redactText(text);
      expect(redactText(once.text), `seed ${seed}: ${text}`).toEqual({ text: once.text, count: 0 });
    }
  });

  it('gives back a text without secrets, and counts none', () => {
    for (const text of [
      '',
      'a',
      'We decided to use SQLite.',
      'x'.repeat(10_000),
      'sk-learn and disk-usage',
      'eyJ.eyJ',
      'PRIVATE KEY',
    ]) {
      expect(redactText(text)).toEqual({ text, count: 0 });
    }
  });

  it('is shielded by no label, marker or placeholder beside or around a secret', () => {
    const maker = new Maker(3);
    for (const { body, value } of maker.secrets()) {
      for (const text of [
        `[REDACTED] ${value}`,
        `[GH_TOKEN]${value}[GH_TOKEN]`,
        `[JWT ${value}]`,
        `${value}-EXAMPLE`,
        `${value} # example, xxxxxxxx`,
        `// secretlint-disable\n${value}`,
        `\u0000${value}\u0000`,
        `\ue000${value}\ue001`,
      ]) {
        expect(survivor(body, redactText(text).text)).toBeUndefined();
      }
    }
  });

  it('leaves placeholders, documented examples and words', () => {
    for (const text of [
      `${'AKIA'}${'IOSFODNN7'}EXAMPLE`,
      `AKIA${'X'.repeat(16)}`,
      `sk-${'x'.repeat(40)}`,
      `ghp_${'x'.repeat(36)}`,
      `ghp_${'your_token_goes_here'}`,
      `AIza${'S'.repeat(36)}`,
      'sk-ant-api03-your-api-key-goes-in-here',
      'class="sk-estimator-doc-link sk-toggleable__label-arrow"',
      'id="sk-550e8400-e29b-41d4-a716-446655440000"',
      'risk-assessment-of-2026-with-many-words1234567890',
      'xoxb-your-token-goes-here',
      'SOUTHASIAPACIFICREGION1234',
    ]) {
      expect(redactText(text).text).toBe(text);
    }
  });

  it('takes the whole of a token that is longer than usual', () => {
    const maker = new Maker(4);
    for (const { value, label } of maker.secrets()) {
      if (label === 'AWS_KEY' || value.includes('.')) continue;
      const tail = maker.text(300, ALNUM);
      expect(survivor(tail, redactText(value + tail).text)).toBeUndefined();
    }
  });
});

describe('redactDeep', () => {
  const [secret] = new Maker(5).secrets().filter(({ label }) => label === 'GH_TOKEN');
  const token = secret!.value;
  const maker = new Maker(17);

  it('gives back the very value where there is no secret', () => {
    const value = { a: ['b', 1, null, true, { c: 'd' }], e: { f: Number.NaN }, g: [Number.NaN] };
    expect(redactDeep(value)).toEqual({ value, count: 0 });
    expect(redactDeep(value).value).toBe(value);
    for (const plain of ['text', 7, null, undefined, false])
      expect(redactDeep(plain)).toEqual({ value: plain, count: 0 });
  });

  it('hides secrets in values and keys at any depth, and copies only what changes', () => {
    const same = { x: ['y'] };
    const value = { same, list: ['a', { deep: `x ${token}` }], [token]: 1 };
    const before = JSON.stringify(value);
    const out = redactDeep(value);
    expect(out).toEqual({ value: { same, list: ['a', { deep: 'x [GH_TOKEN]' }], '[GH_TOKEN]': 1 }, count: 2 });
    expect((out.value as typeof value).same).toBe(same);
    expect(JSON.stringify(value)).toBe(before);
    expect(redactDeep(out.value)).toEqual({ value: out.value, count: 0 });
  });

  it('keeps both of two keys that become the same', () => {
    const out = redactDeep({ [token]: 1, [`${token}x`]: 2 });
    expect(out.value).toEqual({ '[GH_TOKEN]': 1, '[GH_TOKEN] (2)': 2 });
  });

  it('keeps a key named __proto__ a key', () => {
    const out = redactDeep(JSON.parse(`{"__proto__": {"a": 1}, "b": "${token}"}`));
    expect(JSON.stringify(out.value)).toBe('{"__proto__":{"a":1},"b":"[GH_TOKEN]"}');
  });

  it('judges a value by what its object calls it, in any order and case, and a cookie by what it is', () => {
    const value = maker.text(32);
    for (const object of [
      { name: 'DB_PASSWORD', value },
      { value, label: 'api key', id: 'a1' },
      { Name: '/app/SECRET_TOKEN', Type: 'SecureString', Value: value },
      { key: 'STRIPE_KEY', value },
      { name: 'sid', value, domain: '.quay.example', httpOnly: true },
    ])
      expect(
        survivor(value, JSON.stringify(redactDeep({ list: [object] }).value)),
        Object.keys(object).join(),
      ).toBeUndefined();
    for (const object of [
      { name: 'COLOR', value },
      { label: 'TOKEN_FILE', value },
      { name: 'theme', value: 'dark', httpOnly: false },
    ])
      expect(redactDeep(object).value).toBe(object);
  });

  it('lets nothing through that is too deep or holds itself', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}"${token}"${']'.repeat(50_000)}`);
    let found: unknown = redactDeep(deep).value;
    while (Array.isArray(found)) found = found[0];
    expect(found).toBe('[TOO_DEEP]');
    const loop: Record<string, unknown> = { token };
    loop.self = loop;
    expect(redactDeep(loop)).toEqual({ value: { token: '[GH_TOKEN]', self: '[TOO_DEEP]' }, count: 1 });
    const twice = { a: 'b' };
    expect(redactDeep([twice, twice]).value).toEqual([twice, twice]);
  });
});

describe('redactOwn', () => {
  it('keeps the keys of a value, but for those of the member that is somebody else’s, and hides by name', () => {
    const hide = (name: string, text: string) => ({ text: name === 'id' ? `hidden ${text}` : text, count: 1 });
    const value = { id: 'a', password: 'b', input: { id: 'c', [`gh${'p'}_${new Maker(9).text(36)}`]: 'd' } };
    expect(redactOwn(value, hide, 'input')).toEqual({
      value: { id: 'hidden a', password: 'b', input: { id: 'c', '[GH_TOKEN]': 'd' } },
      count: 3,
    });
  });
});

describe('Redactor', () => {
  const rules: Rule[] = [
    { label: 'SECRET', literals: ['pass='], fold: true, pattern: /pass=(?<secret>\w{1,4})/iy, rest: /\w*/y },
    { label: 'JWT', literals: ['jwt'], pattern: /(?<=(?<head>\w{0,2}))jwt\d+/y },
  ];

  it('hides what is named secret, the rest of it, and what is named head before a literal', () => {
    const redactor = new Redactor(rules);
    expect(redactor.redact('PASS=hunter2hunter xxajwt12')).toEqual({ text: 'PASS=[SECRET] x[JWT]', count: 2 });
    expect(redactor.redact('nothing to hide').count).toBe(0);
    expect(new Redactor([]).redact('anything at all').count).toBe(0);
  });

  it('counts what overlaps once, under the label that a format has', () => {
    expect(new Redactor(rules).redact('pass=aajwt1234567')).toEqual({ text: 'pass=[JWT]', count: 1 });
  });

  it('hides known values and what a user’s patterns find, and leaves exactly what is allowed', () => {
    const patterns = [
      (text: string) => [...text.matchAll(/ACME-\d+/g)].map((m) => ({ start: m.index, end: m.index + m[0].length })),
    ];
    const redactor = new Redactor(rules, { values: ['zebra-crossing-7'], patterns, allow: ['hunter2', 'ACME-1'] });
    expect(redactor.redact('a zebra-crossing-77 ACME-12').text).toBe('a [SECRET]7 [SECRET]');
    expect(redactor.redact('pass=hunter2 ACME-1 pass=hunter22').text).toBe('pass=hunter2 ACME-1 pass=[SECRET]');
  });
});

describe('RULES', () => {
  it('have sticky patterns, literals, and no loop inside or beside a loop that could backtrack', () => {
    for (const { pattern, literals, label } of RULES) {
      expect(pattern.flags).toContain('y');
      expect(literals.length).toBeGreaterThan(0);
      expect(label).toMatch(/^[A-Z_]+$/);
      // A repeated group is one whose closing bracket is followed by *, + or an open-ended {n,}.
      expect(pattern.source).not.toMatch(/\)(?:[*+]|\{\d+,\})/);
      // No open-ended loop directly behind another.
      expect(pattern.source).not.toMatch(/(?:[*+]|\{\d+,\})(?:\[[^\]]*\]|\\?\w)(?:[*+]|\{\d+,\})/);
    }
    expect(REDACTOR_VERSION).toBeGreaterThan(0);
  });

  it('stay linear on what is nearly a match, over and over', () => {
    const fill = (unit: string) => unit.repeat(Math.ceil(8_000 / unit.length));
    const long = new Maker(6).text(64, BASE64);
    const units = RULES.flatMap(({ literals }) =>
      literals.flatMap((literal) => [literal, `${literal}.`, `-${literal}`, `${literal}a1-`]),
    );
    units.push(
      ...[dashes('BEGIN', ''), dashes('END', '')].flatMap((mark) => [
        `${mark}\n${long}\n`,
        `${mark} ${long} `,
        `${mark}\nword\n`,
      ]),
      `\n${dashes('END', '')}\n${long}`,
      `-eyJ${UPPER}`,
      `.eyJ${UPPER}`,
      `eyJ${UPPER}-----`,
      `-eyJ${UPPER}.`,
      `eyJ${UPPER}..`,
      `eyJ${UPPER}.`,
      `%0A${DIGITS}`,
      '-----',
      dashes('END', 'OF ').slice(0, -5),
      `-----BEGIN ${UPPER} `,
    );
    for (const unit of units) expect(redactText(redactText(fill(unit)).text).count).toBe(0);
    expect(redactText(dashes('BEGIN', '') + fill('\\n1|')).count).toBe(0);
  });
});
