const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY };

/** A span of time that a word names: `today`, `yesterday`, `3d` (since three days ago), `2026-11-30`, `2026-11`, an ISO time. */
export interface Span {
  readonly from: number;
  /** Exclusive; absent where the span goes on to now. */
  readonly to?: number;
}

/** The span that a word names, days in local time; undefined where it names none. */
export function spanOf(word: string, now: number): Span | undefined {
  const text = word.toLowerCase();
  const today = startOfDay(now);
  if (text === 'today') return { from: today };
  if (text === 'yesterday') return { from: startOfDay(today - 1), to: today };
  if (text === 'now') return { from: now, to: now };
  const ago = /^(\d{1,4})(m|h|d|w)$/.exec(text);
  if (ago) return { from: now - Number(ago[1]) * UNITS[ago[2]!]! };
  const day = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text);
  if (day) {
    const [year, month, date] = [Number(day[1]), Number(day[2]) - 1, day[3] === undefined ? undefined : Number(day[3])];
    const from = new Date(year, month, date ?? 1);
    const to = date === undefined ? new Date(year, month + 1, 1) : new Date(year, month, date + 1);
    // A date that no calendar has (2026-02-31) would silently become another one.
    if (from.getMonth() !== month) return undefined;
    return { from: from.getTime(), to: to.getTime() };
  }
  if (!/^\d{4}-\d{2}-\d{2}t/.test(text)) return undefined;
  const at = Date.parse(word);
  return Number.isNaN(at) ? undefined : { from: at, to: at };
}

function startOfDay(at: number): number {
  const day = new Date(at);
  day.setHours(0, 0, 0, 0);
  return day.getTime();
}
