import { describe, expect, it } from 'vitest';
import { hash53, isoTime, jsonText, printableJson, toJson } from '../../src/transcript/index.ts';

describe('the JSON of the doors', () => {
  it('has snake_case keys and ISO times, and leaves out what is not known', () => {
    expect(
      toJson({
        nativeId: 'x',
        startedAt: 0,
        endedAt: undefined,
        tookMs: 3,
        tokens: { cacheWrite5m: 1, cacheWrite1h: 2, cacheRead: 3 },
        parts: [{ isError: false, at: 1_763_629_200_000 }],
        cursor: null,
      }),
    ).toEqual({
      native_id: 'x',
      started_at: '1970-01-01T00:00:00.000Z',
      took_ms: 3,
      tokens: { cache_write_5m: 1, cache_write_1h: 2, cache_read: 3 },
      parts: [{ is_error: false, at: '2025-11-20T09:00:00.000Z' }],
      cursor: null,
    });
  });

  it('keeps a tool’s arguments and the keys of maps as they are', () => {
    const input = { filePath: 'a', at: 5, nested: { oldString: 'b' } };
    expect(toJson({ input })).toEqual({ input });
    expect(
      toJson({ tokensByModel: { 'claude-Opus-5': { cacheRead: 1 } }, unknownRecords: { frameLink: 2, at: 3 } }),
    ).toEqual({ tokens_by_model: { 'claude-Opus-5': { cache_read: 1 } }, unknown_records: { frameLink: 2, at: 3 } });
  });

  it('takes no name of a map for a key of ours', () => {
    const tokens = { cacheRead: 1 };
    for (const model of ['input', 'at', 'tokensByModel', '__proto__'])
      expect(toJson({ tokensByModel: Object.fromEntries([[model, tokens]]) })).toEqual({
        tokens_by_model: Object.fromEntries([[model, { cache_read: 1 }]]),
      });
  });

  it('tells times of a query’s filters as ISO strings', () => {
    expect(toJson({ filters: { since: 0, until: 1000 } })).toEqual({
      filters: { since: '1970-01-01T00:00:00.000Z', until: '1970-01-01T00:00:01.000Z' },
    });
  });

  it('has no time that no calendar has', () => {
    expect(isoTime(undefined)).toBeUndefined();
    expect(isoTime(Number.NaN)).toBeUndefined();
    expect(isoTime(1e20)).toBeUndefined();
    expect(JSON.stringify(toJson({ at: 1e20 }))).toBe('{}');
  });
});

describe('hash53', () => {
  it('is the same on every machine, a safe integer, and tells texts apart', () => {
    expect(hash53('')).toBe(3338908027751811);
    expect(hash53('portolan')).toBe(hash53('portolan'));
    const seen = new Set(Array.from({ length: 20_000 }, (_, i) => hash53(`record ${i}`)));
    expect(seen.size).toBe(20_000);
    for (const hash of seen) expect(Number.isSafeInteger(hash) && hash >= 0).toBe(true);
  });
});

describe('JSON as text', () => {
  const UNSEEN = [
    '\x7f',
    '\x9b',
    '\u00ad',
    '\u061c',
    '\u200b',
    '\u200f',
    '\u2028',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\u{e0041}',
  ];

  it.each(UNSEEN.map((sign) => [JSON.stringify(jsonText(sign)), sign]))(
    'has %s for a character that is not seen',
    (_, sign) => {
      const value = { [`a${sign}`]: [`b${sign}c`] };
      const text = jsonText(value);
      expect(text).toMatch(/^[\x20-\x7e]*$/);
      expect(JSON.parse(text)).toEqual(value);
    },
  );

  it('has no half of a character, and tells of one as it was written', () => {
    const value = { 'a\ud83d': ['\ude80b', '🚢', '\\ud83d', '\\\ud83d\n'] };
    expect(jsonText(value)).toBe(String.raw`{"a�":["�b","🚢","\\ud83d","\\�\n"]}`);
  });

  it('is a line or a piece of JSON made printable', () => {
    expect(printableJson('{"a":"\x9b1m"}')).toBe(String.raw`{"a":"\u009b1m"}`);
    expect(printableJson('no\tJSON \x1b[31m')).toBe(String.raw`no${'\t'}JSON \u001b[31m`);
  });

  it('keeps what is seen as it is', () => {
    expect(jsonText({ a: 'Größe 船 🚢 "\\u200b"' })).toBe('{"a":"Größe 船 🚢 \\"\\\\u200b\\""}');
  });
});

it('a name of which every object has something is a key like another', () => {
  const value = JSON.parse('{"unknownRecords":{"__proto__":1,"constructor":2}}');
  expect(JSON.stringify(toJson(value))).toBe('{"unknown_records":{"__proto__":1,"constructor":2}}');
});
