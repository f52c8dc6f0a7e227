import { describe, expect, it } from 'vitest';
import { time, timeToCome } from '../../src/agents/fields.ts';

const AT = Date.UTC(2026, 10, 20, 10, 0, 5);

describe('a time', () => {
  it.each([
    ['ISO 8601', '2026-11-20T10:00:05.000Z'],
    ['ISO 8601 with a zone', '2026-11-20T12:00:05+02:00'],
    ['seconds', AT / 1e3],
    ['milliseconds', AT],
    ['microseconds', AT * 1e3],
    ['nanoseconds', AT * 1e6],
    ['a number in a string', String(AT / 1e3)],
  ])('is read of %s', (_, value) => {
    expect(time(value)).toBe(AT);
  });

  it.each([
    ['9999-12-31T23:59:59Z'],
    ['1970-01-01T00:00:00Z'],
    ['2019-12-31T23:59:59Z'],
    [new Date(Date.now() + 25 * 3_600_000).toISOString()],
    [Date.now() + 25 * 3_600_000],
    [0],
    [-1],
    [8.64e15],
    [1e30],
    [Number.NaN],
    ['yesterday'],
    [''],
    [null],
    [{}],
  ])('is unknown where %s is given', (value) => {
    expect(time(value)).toBeUndefined();
  });

  it('is unknown where one writes a number of no unit', () => {
    for (const value of ['0', '2', '99999999999999999999', AT / 1e6, AT * 1e9]) expect(time(value)).toBeUndefined();
  });

  it('may be of a clock that goes before ours', () => {
    const soon = Date.now() + 3_600_000;
    expect(time(soon)).toBe(soon);
  });
});

describe('a time to come', () => {
  it('is at most a year away', () => {
    const nextWeek = Date.now() + 7 * 86_400_000;
    expect(timeToCome(nextWeek)).toBe(nextWeek);
    expect(timeToCome(nextWeek / 1e3)).toBe(nextWeek);
    expect(time(nextWeek)).toBeUndefined();
    expect(timeToCome('9999-12-31T23:59:59Z')).toBeUndefined();
    expect(timeToCome(0)).toBeUndefined();
  });
});
