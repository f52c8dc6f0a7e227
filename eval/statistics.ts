import { Chance } from '../test/support/chance.ts';

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The normal quantile of 95 %. */
const Z = 1.959964;
const RESAMPLES = 2000;
const SEED = 95;

export function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/**
 * Where the share of successes lies, with a confidence of 95 %.
 * Wilson 1927, “Probable inference, the law of succession, and statistical inference”.
 */
export function wilson(successes: number, trials: number): Interval {
  const share = successes / trials;
  const z2 = (Z * Z) / trials;
  const middle = (share + z2 / 2) / (1 + z2);
  const half = (Z / (1 + z2)) * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials));
  return { from: Math.max(0, middle - half), to: Math.min(1, middle + half) };
}

/** Where the mean lies, with a confidence of 95 %: percentiles of means of the values drawn again (Efron 1979). */
export function bootstrap(values: readonly number[]): Interval {
  const chance = new Chance(SEED);
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[chance.below(values.length)]!;
    return sum / values.length;
  }).sort((a, b) => a - b);
  const cut = Math.floor(RESAMPLES * 0.025);
  return { from: means[cut]!, to: means[RESAMPLES - 1 - cut]! };
}

/** Where the mean of values from 0 to 1 lies: Wilson's interval where each is a success or none. */
export function intervalOf(values: readonly number[]): Interval {
  return values.every((value) => value === 0 || value === 1)
    ? wilson(mean(values) * values.length, values.length)
    : bootstrap(values);
}
