/** Times and statistics. Everything here is in milliseconds. */

export interface Timed<T> {
  readonly value: T;
  readonly ms: number;
}

/** Runs `work` once, timed. */
export async function timed<T>(work: () => T | Promise<T>): Promise<Timed<T>> {
  const begin = performance.now();
  const value = await work();
  return { value, ms: performance.now() - begin };
}

/** The value below which a share `p` (0 to 1) of the values lies: nearest rank. NaN where there is none. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Bytes a second, in MB (a million bytes). */
export function megabytesPerSecond(bytes: number, ms: number): number {
  return bytes / 1000 / ms;
}

/** Three digits that mean something: `0.42 ms`, `38 ms`, `7.7 s`. */
export function formatMs(ms: number): string {
  return ms < 1000 ? `${formatNumber(ms)} ms` : `${formatNumber(ms / 1000)} s`;
}

export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '?';
  const magnitude = Math.abs(value);
  return magnitude >= 100 ? value.toFixed(0) : magnitude >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function formatMegabytes(bytes: number): string {
  return `${formatNumber(bytes / 1e6)} MB`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
