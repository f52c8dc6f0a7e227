import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/search/parse.ts';
import type { Filters, Query } from '../../src/search/query.ts';
import { spanOf } from '../../src/search/times.ts';

/** A Saturday noon in Berlin, in winter time; the clock changed on 2026-10-25. */
const NOW = Date.parse('2026-11-21T12:00:00+01:00');
const at = (time: string) => Date.parse(time);

let zone: string | undefined;
beforeAll(() => {
  zone = process.env.TZ;
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

interface Parsed {
  /** A beginning is written with its star. */
  readonly words?: readonly string[];
  readonly phrases?: readonly string[];
  readonly excluded?: readonly string[];
  readonly filters?: Filters;
}

function simple(query: Query): Required<Parsed> {
  const spell = ({ text, prefix }: Query['words'][number]) => (prefix ? `${text}*` : text);
  return {
    words: query.words.map(spell),
    phrases: query.phrases,
    excluded: query.excluded.map(spell),
    filters: query.filters,
  };
}

describe('a query', () => {
  it.each<[text: string, parsed: Parsed]>([
    // Words
    ['', {}],
    ['   ', {}],
    ['lamp', { words: ['lamp'] }],
    ['lamp rope', { words: ['lamp', 'rope'] }],
    ['  lamp\t rope\n', { words: ['lamp', 'rope'] }],
    ['Lamp LAMP', { words: ['Lamp', 'LAMP'] }],
    ['getUserName', { words: ['getUserName'] }],
    ['src/auth/a.ts', { words: ['src/auth/a.ts'] }],
    ['größe 数据库', { words: ['größe', '数据库'] }],
    // Beginnings
    ['migrat*', { words: ['migrat*'] }],
    ['*', { words: ['*'] }],
    ['a*b', { words: ['a*b'] }],
    ['one* two*', { words: ['one*', 'two*'] }],
    // Phrases
    ['"red buoy"', { phrases: ['red buoy'] }],
    ['"red buoy" lamp', { words: ['lamp'], phrases: ['red buoy'] }],
    ['"one" "two three"', { phrases: ['one', 'two three'] }],
    ['""', {}],
    ['"  "', {}],
    ['"red buoy', { words: ['red', 'buoy'] }],
    ['lamp"', { words: ['lamp'] }],
    // Left out
    ['lamp -rope', { words: ['lamp'], excluded: ['rope'] }],
    ['-rope', { excluded: ['rope'] }],
    ['-"red buoy" lamp', { words: ['lamp'], excluded: ['red buoy'] }],
    ['-migrat*', { excluded: ['migrat*'] }],
    ['-', { words: ['-'] }],
    ['well-known', { words: ['well-known'] }],
    // Fields
    ['source:claude-code', { filters: { source: ['claude-code'] } }],
    ['SOURCE:codex', { filters: { source: ['codex'] } }],
    ['source:codex source:devin', { filters: { source: ['codex', 'devin'] } }],
    ['project:lantern lamp', { words: ['lamp'], filters: { project: ['lantern'] } }],
    ['project:"Café Menü 2.0"', { filters: { project: ['Café Menü 2.0'] } }],
    ['session:5e95', { filters: { session: ['5e95'] } }],
    ['session:claude-code:5e95', { filters: { session: ['claude-code:5e95'] } }],
    ['role:user', { filters: { role: ['user'] } }],
    ['role:User role:tool', { filters: { role: ['user', 'tool'] } }],
    ['role:assistant', { filters: { role: ['assistant'] } }],
    ['tool:Bash', { filters: { tool: ['Bash'] } }],
    ['tool:mcp__tides__table', { filters: { tool: ['mcp__tides__table'] } }],
    ['path:src/auth', { filters: { path: ['src/auth'] } }],
    ['path:C:\\work', { filters: { path: ['C:\\work'] } }],
    ['is:error', { filters: { is: ['error'] } }],
    ['is:ERROR lamp', { words: ['lamp'], filters: { is: ['error'] } }],
    ['since:2026-11-01', { filters: { since: at('2026-11-01T00:00:00+01:00') } }],
    ['until:2026-11-01', { filters: { until: at('2026-11-02T00:00:00+01:00') } }],
    ['since:2026-10', { filters: { since: at('2026-10-01T00:00:00+02:00') } }],
    ['until:2026-10', { filters: { until: at('2026-11-01T00:00:00+01:00') } }],
    ['since:3d', { filters: { since: NOW - 3 * 86_400_000 } }],
    ['since:2h until:30m', { filters: { since: NOW - 7_200_000, until: NOW } }],
    ['since:today', { filters: { since: at('2026-11-21T00:00:00+01:00') } }],
    [
      'since:yesterday until:yesterday',
      { filters: { since: at('2026-11-20T00:00:00+01:00'), until: at('2026-11-21T00:00:00+01:00') } },
    ],
    ['since:2026-11-20T09:30:00Z', { filters: { since: at('2026-11-20T09:30:00Z') } }],
    // What is no field, or no value of one, is a word
    ['is:open', { words: ['is:open'] }],
    ['role:captain', { words: ['role:captain'] }],
    ['since:soon', { words: ['since:soon'] }],
    ['since:2026-02-31', { words: ['since:2026-02-31'] }],
    ['since:2026-13', { words: ['since:2026-13'] }],
    ['colour:red', { words: ['colour:red'] }],
    ['source:', { words: ['source:'] }],
    ['source: codex', { words: ['source:', 'codex'] }],
    ['std::vector', { words: ['std::vector'] }],
    ['https://example.com/a?b=c', { words: ['https://example.com/a?b=c'] }],
    ['localhost:8080', { words: ['localhost:8080'] }],
    // Stray operators are words
    ['lamp AND', { words: ['lamp', 'AND'] }],
    ['( lamp', { words: ['(', 'lamp'] }],
    ['lamp ) || && !', { words: ['lamp', ')', '||', '&&', '!'] }],
    // Pasted lines
    [
      "TypeError: Cannot read properties of undefined (reading 'lamp')",
      { words: ['TypeError:', 'Cannot', 'read', 'properties', 'of', 'undefined', '(reading', "'lamp')"] },
    ],
    ['src/a.ts(3,7): error TS2345: no', { words: ['src/a.ts(3,7):', 'error', 'TS2345:', 'no'] }],
    [
      'Error: listen EADDRINUSE: address 0.0.0.0:48213',
      { words: ['Error:', 'listen', 'EADDRINUSE:', 'address', '0.0.0.0:48213'] },
    ],
    ['    at keel (/home/dev/a.js:3:9)', { words: ['at', 'keel', '(/home/dev/a.js:3:9)'] }],
    ['error[E0308]: mismatched types', { words: ['error[E0308]:', 'mismatched', 'types'] }],
  ])('%j', (text, parsed) => {
    const query = parseQuery(text, NOW);
    expect(query.text).toBe(text);
    expect(simple(query)).toEqual({ words: [], phrases: [], excluded: [], filters: {}, ...parsed });
  });

  it('never fails, whatever is typed', () => {
    const pieces = [
      ...'abz019 \t\n"\'-*:()|&!\\/._~^%$#@{}[]<>,;ßé数🚀',
      '\ud83d',
      '\u0000',
      'since:',
      'role:',
      'OR ',
      '--',
      '-"',
      ':"',
    ];
    let seed = 7;
    const random = (n: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % n;
    };
    for (let i = 0; i < 5000; i++) {
      const text = Array.from({ length: random(40) }, () => pieces[random(pieces.length)]).join('');
      const query = parseQuery(text, NOW);
      expect(query.text).toBe(text);
      for (const one of [...query.words, ...query.excluded]) expect(one.text, JSON.stringify(text)).not.toBe('');
      for (const phrase of query.phrases) expect(phrase.trim()).not.toBe('');
    }
  });

  it('is read in linear time', () => {
    for (const unit of ['a', ':', '"', '-', 'a:', '-"', 'since:', ' ', '*', '"a" ']) {
      const begin = performance.now();
      parseQuery(unit.repeat(200_000 / unit.length), NOW);
      expect(performance.now() - begin, unit).toBeLessThan(1000);
    }
  });
});

describe('a span of time', () => {
  it.each<[word: string, from: string, to?: string]>([
    ['today', '2026-11-21T00:00:00+01:00'],
    ['Today', '2026-11-21T00:00:00+01:00'],
    ['yesterday', '2026-11-20T00:00:00+01:00', '2026-11-21T00:00:00+01:00'],
    ['now', '2026-11-21T12:00:00+01:00', '2026-11-21T12:00:00+01:00'],
    ['90m', '2026-11-21T10:30:00+01:00'],
    ['1w', '2026-11-14T12:00:00+01:00'],
    ['2026-11-05', '2026-11-05T00:00:00+01:00', '2026-11-06T00:00:00+01:00'],
    ['2026-12', '2026-12-01T00:00:00+01:00', '2027-01-01T00:00:00+01:00'],
    // The night in which the clock was put back is an hour longer.
    ['2026-10-25', '2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00'],
    ['2026-11-05T08:30:00+09:00', '2026-11-05T08:30:00+09:00', '2026-11-05T08:30:00+09:00'],
  ])('%s', (word, from, to) => {
    expect(spanOf(word, NOW)).toEqual({ from: at(from), ...(to !== undefined && { to: at(to) }) });
  });

  it('of yesterday is the day before, also where that was longer', () => {
    const monday = Date.parse('2026-10-26T08:00:00+01:00');
    expect(spanOf('yesterday', monday)).toEqual({
      from: at('2026-10-25T00:00:00+02:00'),
      to: at('2026-10-26T00:00:00+01:00'),
    });
  });

  it.each(['', 'soon', '3', 'd', '3x', '2026', '2026-1-1', '2026-02-30', '2026-00', '2026-11-05Tnever', '-3d'])(
    '%j is none',
    (word) => {
      expect(spanOf(word, NOW)).toBeUndefined();
    },
  );
});
