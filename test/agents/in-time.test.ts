import { describe, expect, it } from 'vitest';
import { inTime } from '../../src/agents/in-time.ts';

async function all<T>(given: Iterable<T> | AsyncIterable<T>, patience = 1000): Promise<T[]> {
  const got: T[] = [];
  for await (const one of inTime(given, patience)) got.push(one);
  return got;
}

async function* slowly(values: readonly number[]) {
  for (const value of values) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield value;
  }
}

describe('inTime', () => {
  it('gives what is given', async () => {
    expect(await all([1, 2])).toEqual([1, 2]);
    expect(await all(slowly([1, 2, 3]))).toEqual([1, 2, 3]);
  });

  it('does not wait for one that hangs', async () => {
    const hanging: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
    };
    await expect(all(hanging, 20)).rejects.toThrow('nothing came');
  });
});
