import { describe, expect, it } from 'vitest';
import { bootstrap, intervalOf, wilson } from '../../eval/statistics.ts';

const rounded = ({ from, to }: { from: number; to: number }) => [from, to].map((one) => Math.round(one * 1000) / 1000);

describe('intervals', () => {
  it('are Wilson’s for shares', () => {
    expect(rounded(wilson(8, 10))).toEqual([0.49, 0.943]);
    expect(rounded(wilson(0, 10))).toEqual([0, 0.278]);
    expect(rounded(wilson(10, 10))).toEqual([0.722, 1]);
  });

  it('hold the mean, and narrow with more values', () => {
    const few = Array.from({ length: 20 }, (_, i) => (i % 4) / 4);
    const many = Array.from({ length: 500 }, (_, i) => (i % 4) / 4);
    for (const values of [few, many]) {
      const { from, to } = bootstrap(values);
      expect(from).toBeLessThan(0.375);
      expect(to).toBeGreaterThan(0.375);
    }
    const width = ({ from, to }: { from: number; to: number }) => to - from;
    expect(width(bootstrap(many))).toBeLessThan(width(bootstrap(few)) / 3);
  });

  it('are the same every time', () => {
    expect(bootstrap([0, 0.5, 1, 0.2])).toEqual(bootstrap([0, 0.5, 1, 0.2]));
  });

  it('are points where all values are one', () => {
    expect(bootstrap([0.5, 0.5, 0.5])).toEqual({ from: 0.5, to: 0.5 });
    expect(intervalOf([1, 1, 0, 1])).toEqual(wilson(3, 4));
  });
});
