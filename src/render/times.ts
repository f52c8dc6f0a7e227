const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const two = (n: number) => String(n).padStart(2, '0');
const isTime = (ms: number) => Number.isFinite(ms) && Math.abs(ms) <= 8.64e15;

/** The local day: 12 Mar 2026. */
export function localDate(ms: number): string {
  if (!isTime(ms)) return 'unknown time';
  const d = new Date(ms);
  return `${d.getDate()} ${MONTHS[d.getMonth()]} ${d.getFullYear()}`;
}

/** The local time of day: 09:05. */
export function localClock(ms: number): string {
  const d = new Date(ms);
  return isTime(ms) ? `${two(d.getHours())}:${two(d.getMinutes())}` : '';
}

/** Day and time, local: 12 Mar 2026 09:05. */
export const localTime = (ms: number) => `${localDate(ms)} ${localClock(ms)}`.trimEnd();

/** How long ago, where that says more than the day does: an old day is named once. */
export function ageBeside(ms: number, now: number): string | undefined {
  const age = relativeAge(ms, now);
  return age === localDate(ms) ? undefined : age;
}

/** How long ago, as people say it: "just now", "5 min ago", "3 h ago", "yesterday", "4 days ago", "12 Mar 2026". */
export function relativeAge(ms: number, now: number): string {
  const age = now - ms;
  // Clocks of two machines differ a little; what lies further ahead is shown as what it is.
  if (!isTime(ms) || age < -MINUTE) return localDate(ms);
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  const days = calendarDays(ms, now);
  if (days === 0 || age < 6 * HOUR) return `${Math.floor(age / HOUR)} h ago`;
  if (days === 1) return 'yesterday';
  return days < 7 ? `${days} days ago` : localDate(ms);
}

function calendarDays(ms: number, now: number): number {
  const midnight = (t: number) => new Date(t).setHours(0, 0, 0, 0);
  // Rounded: a day with a change of the clock has 23 or 25 hours.
  return Math.round((midnight(now) - midnight(ms)) / (24 * HOUR));
}
