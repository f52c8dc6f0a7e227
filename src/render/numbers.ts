/** A whole number with thousands apart: 20,411. */
export function formatCount(n: number): string {
  return Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** "1 turn", "12 turns". */
export const plural = (n: number, one: string, many = `${one}s`) =>
  `${formatCount(n)} ${Math.round(n) === 1 ? one : many}`;

const scaled = (n: number, digits: number) => {
  const text = n.toFixed(digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
};

/** Bytes in decimal units: 512 B, 12 kB, 3.4 MB. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${scaled(value, unit > 0 && value < 9.95 ? 1 : 0)} ${units[unit]}`;
}

/** Tokens: 950, 34.5k, 1.2M. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 999_950) return `${scaled(tokens / 1000, tokens < 99_950 ? 1 : 0)}k`;
  if (tokens < 999_950_000) return `${scaled(tokens / 1e6, tokens < 99_950_000 ? 1 : 0)}M`;
  return `${scaled(tokens / 1e9, 1)}B`;
}

/** A span of time in its two largest units: 3.2 ms, 4.2 s, 3 min 12 s, 2 h 5 min, 3 d 4 h. */
export function formatDuration(ms: number): string {
  const t = Math.max(0, ms);
  if (t < 9.95) return `${scaled(t, 1)} ms`;
  if (t < 999.5) return `${Math.round(t)} ms`;
  if (t < 9950) return `${scaled(t / 1000, 1)} s`;
  const seconds = Math.round(t / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return two(seconds, 60, 'min', 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return two(minutes, 60, 'h', 'min');
  return two(Math.round(minutes / 60), 24, 'd', 'h');
}

function two(value: number, per: number, large: string, small: string): string {
  const rest = value % per;
  return `${Math.floor(value / per)} ${large}${rest > 0 ? ` ${rest} ${small}` : ''}`;
}
