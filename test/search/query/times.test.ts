import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Calendar, LOCAL, zoneOf } from '../../../src/search/query/times/calendar.ts';
import { calendarOf, spanOf } from '../../../src/search/query/times.ts';

const HOUR = 3_600_000;
const at = (time: string) => Date.parse(time);

describe('a zone', () => {
  let zone: string | undefined;
  beforeAll(() => {
    zone = process.env.TZ;
  });
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Santiago'])(
    '%s is reckoned as the machine does it where it is the machine’s',
    (name) => {
      process.env.TZ = name;
      const named = zoneOf(name)!;
      for (let time = at('2026-01-01T00:10:00Z'); time < at('2027-01-01T00:00:00Z'); time += 7 * HOUR + 1_234_567) {
        expect(named.wall(time)).toEqual(LOCAL.wall(time));
        const { year, month, day, hour, minute, second, millisecond } = LOCAL.wall(time);
        expect(named.at(year, month, day)).toBe(LOCAL.at(year, month, day));
        expect(named.at(year, month, day, hour, minute, second, millisecond)).toBe(
          LOCAL.at(year, month, day, hour, minute, second, millisecond),
        );
      }
      // Every half hour of the days on which a clock changes, also those that come twice or never.
      for (const day of [
        '2026-03-08',
        '2026-03-29',
        '2026-04-05',
        '2026-09-06',
        '2026-10-04',
        '2026-10-25',
        '2026-11-01',
      ])
        for (let half = 0; half < 48; half++) {
          const [year, month, date] = day.split('-').map(Number);
          const of = [year!, month! - 1, date!, Math.floor(half / 2), (half % 2) * 30] as const;
          expect(named.at(...of), `${day} ${half / 2}`).toBe(LOCAL.at(...of));
        }
    },
  );

  it.each<[name: string, hours: number]>([
    ['UTC', 0],
    ['gmt', 0],
    ['Z', 0],
    ['+02:00', 2],
    ['-0530', -5.5],
    ['utc+03:00', 3],
    ['Asia/Tokyo', 9],
  ])('%s is %d hours ahead of UTC', (name, hours) => {
    expect(zoneOf(name)!.at(2026, 10, 21, 12)).toBe(at('2026-11-21T12:00:00Z') - hours * HOUR);
  });

  it.each(['', 'here', 'src/auth', 'Europe/Nowhere', '+25:00', '+2', 'a/b/c', '../etc'])('%j is none', (name) => {
    expect(zoneOf(name)).toBeUndefined();
  });
});

describe('a span of time', () => {
  const berlin = (now: string) => calendarOf(at(now), 'Europe/Berlin');

  it('of a day is as long as the day was', () => {
    const length = (text: string, now: string) => {
      const { from, to } = spanOf(text, berlin(now))!;
      return (to! - from) / HOUR;
    };
    expect(length('yesterday', '2026-10-26T08:00:00+01:00')).toBe(25);
    expect(length('yesterday', '2026-03-30T08:00:00+02:00')).toBe(23);
    expect(length('last week', '2026-10-27T08:00:00+01:00')).toBe(169);
    expect(length('last friday', '2026-10-27T08:00:00+01:00')).toBe(24);
  });

  it('back in days keeps the time of day, in hours does not', () => {
    const now = '2026-10-26T08:00:00+01:00';
    expect(spanOf('3d', berlin(now))).toEqual({ from: at('2026-10-23T08:00:00+02:00') });
    expect(spanOf('72h', berlin(now))).toEqual({ from: at('2026-10-23T09:00:00+02:00') });
  });

  it('back in months ends with the month', () => {
    expect(spanOf('1mo', berlin('2026-03-31T10:00:00+02:00'))).toEqual({ from: at('2026-02-28T10:00:00+01:00') });
    expect(spanOf('1y', berlin('2024-02-29T10:00:00+01:00'))).toEqual({ from: at('2023-02-28T10:00:00+01:00') });
  });

  it('of a weekday is the latest before today, on every day of the week', () => {
    const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
    for (let today = 0; today < 7; today++) {
      const now = at('2026-11-16T12:00:00Z') + today * 24 * HOUR;
      names.forEach((name, index) => {
        const { from } = spanOf(name, calendarOf(now, 'UTC'))!;
        const back = (at('2026-11-16T00:00:00Z') + today * 24 * HOUR - from) / (24 * HOUR);
        expect(back).toBe(((today - index + 6) % 7) + 1);
      });
    }
  });

  it('of a week begins on a Monday, on every day of the week', () => {
    for (let today = 0; today < 7; today++) {
      const calendar = calendarOf(at('2026-11-16T12:00:00Z') + today * 24 * HOUR, 'UTC');
      expect(spanOf('this week', calendar)).toEqual({ from: at('2026-11-16T00:00:00Z') });
      expect(spanOf('last week', calendar)).toEqual({
        from: at('2026-11-09T00:00:00Z'),
        to: at('2026-11-16T00:00:00Z'),
      });
    }
  });

  it('depends on where one is', () => {
    const now = at('2026-11-21T20:00:00Z');
    expect(spanOf('today', calendarOf(now, 'Asia/Tokyo'))).toEqual({ from: at('2026-11-22T00:00:00+09:00') });
    expect(spanOf('today', calendarOf(now, 'America/New_York'))).toEqual({ from: at('2026-11-21T00:00:00-05:00') });
  });

  it.each([
    '',
    'soon',
    '3',
    'd',
    '3x',
    '2026-1-1',
    '2026-02-30',
    '2026-00',
    '2026-11-05Tnever',
    '2026-11-05T25:00',
    '-3d',
    'today or so',
    'february 30',
    'november 31',
    'last',
    'this',
    'next week',
    'a',
    '13 months',
    '99999d',
    '25:00',
    '13pm',
    'Infinity',
    '__proto__',
    'constructor ago',
    '3 constructor ago',
  ])('%j is none', (text) => {
    expect(spanOf(text, new Calendar(at('2026-11-21T12:00:00Z'), LOCAL))).toBeUndefined();
  });

  it('never reaches behind the epoch', () => {
    expect(spanOf('9999y', berlin('2026-11-21T12:00:00Z'))).toEqual({ from: 0 });
    expect(spanOf('9999 years ago', berlin('2026-11-21T12:00:00Z'))).toMatchObject({ from: 0 });
  });
});
