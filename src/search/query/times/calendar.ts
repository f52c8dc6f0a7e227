const MINUTE = 60_000;
const DAY = 86_400_000;

/** What a clock on the wall shows. */
export interface WallTime {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

/** A time zone. Days are reckoned on its calendar, so that a day may have 23 or 25 hours. */
export interface Zone {
  wall(at: number): WallTime;
  /** Epoch milliseconds of a wall time. Fields may overflow: day 0 is the last of the month before. */
  at(year: number, month: number, day: number, hour?: number, minute?: number, second?: number, ms?: number): number;
}

/** The zone of the machine. */
export const LOCAL: Zone = {
  wall(at) {
    const date = new Date(at);
    return {
      year: date.getFullYear(),
      month: date.getMonth(),
      day: date.getDate(),
      hour: date.getHours(),
      minute: date.getMinutes(),
      second: date.getSeconds(),
      millisecond: date.getMilliseconds(),
    };
  },
  at: (year, month, day, hour = 0, minute = 0, second = 0, ms = 0) =>
    new Date(year, month, day, hour, minute, second, ms).getTime(),
};

/** The zone of that name: `UTC`, `+02:00`, `Europe/Berlin`; undefined where there is none. */
export function zoneOf(name: string): Zone | undefined {
  if (/^(?:utc|gmt|z)$/i.test(name)) return offsetZone(() => 0);
  const fixed = /^(?:utc|gmt)?([+-])(\d{2}):?(\d{2})$/i.exec(name);
  if (fixed) {
    const [hours, minutes] = [Number(fixed[2]), Number(fixed[3])];
    if (hours > 14 || minutes > 59) return undefined;
    const offset = (hours * 60 + minutes) * MINUTE * (fixed[1] === '-' ? -1 : 1);
    return offsetZone(() => offset);
  }
  return /^[a-z_]+(?:\/[a-z_+-]+)+$/i.test(name) ? namedZone(name) : undefined;
}

/** Zones by name, for a format of times takes long to make; undefined for what is no zone. */
const ZONES = new Map<string, Zone | undefined>();
/** What follows a time may be any path. */
const MOST_ZONES = 100;

function namedZone(name: string): Zone | undefined {
  if (ZONES.has(name)) return ZONES.get(name);
  if (ZONES.size >= MOST_ZONES) ZONES.clear();
  const zone = madeZone(name);
  ZONES.set(name, zone);
  return zone;
}

function madeZone(name: string): Zone | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    // Before the epoch nothing was written, and years before Christ are counted backwards.
    return offsetZone((at) => offsetAt(format, Math.max(at, 0)));
  } catch {
    return undefined;
  }
}

/** How far ahead of UTC a zone is at a time, in milliseconds. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return shown - Math.floor(at / 1000) * 1000;
}

function offsetZone(offset: (at: number) => number): Zone {
  return {
    wall(at) {
      const date = new Date(at + offset(at));
      return {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth(),
        day: date.getUTCDate(),
        hour: date.getUTCHours(),
        minute: date.getUTCMinutes(),
        second: date.getUTCSeconds(),
        millisecond: date.getUTCMilliseconds(),
      };
    },
    at(year, month, day, hour = 0, minute = 0, second = 0, ms = 0) {
      const shown = Date.UTC(year, month, day, hour, minute, second, ms);
      const [before, after] = [offset(shown - DAY), offset(shown + DAY)];
      // Of an hour that comes twice the first; an hour that the clock skips is taken as the old offset has it.
      const isAfter = offset(shown - before) !== before && offset(shown - after) === after;
      return shown - (isAfter ? after : before);
    },
  };
}

/** A clock that stands at one moment, in a zone. */
export class Calendar {
  readonly now: number;
  readonly zone: Zone;
  private wall: WallTime | undefined;

  constructor(now: number, zone: Zone) {
    this.now = now;
    this.zone = zone;
  }

  /** What the clock shows now; worked out when it is first asked for. */
  get today(): WallTime {
    this.wall ??= this.zone.wall(this.now);
    return this.wall;
  }

  /** The beginning of a day, counted from today. */
  day(from: number): number {
    const { year, month, day } = this.today;
    return this.zone.at(year, month, day + from);
  }

  /** The beginning of a month, counted from this one. */
  month(from: number): number {
    const { year, month } = this.today;
    return this.zone.at(year, month + from, 1);
  }

  year(from: number): number {
    return this.zone.at(this.today.year + from, 0, 1);
  }

  /** The day of the week, from 0 for Monday. */
  get weekday(): number {
    const { year, month, day } = this.today;
    return (new Date(Date.UTC(year, month, day)).getUTCDay() + 6) % 7;
  }

  /** This time of day, days or months earlier. A day that a month has not is its last. */
  earlier(days: number, months: number): number {
    const { year, month, day, hour, minute, second, millisecond } = this.today;
    const last = new Date(Date.UTC(year, month - months + 1, 0)).getUTCDate();
    const date = months === 0 ? day : Math.min(day, last);
    return this.zone.at(year, month - months, date - days, hour, minute, second, millisecond);
  }
}
