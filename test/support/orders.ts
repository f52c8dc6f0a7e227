import { times } from './chance.ts';

/** All orders of three; a sample of them begins and ends with each. */
export const ORDERS = (
  [
    ['A', 'B', 'C'],
    ['B', 'C', 'A'],
    ['C', 'A', 'B'],
    ['C', 'B', 'A'],
    ['A', 'C', 'B'],
    ['B', 'A', 'C'],
  ] as const
).slice(0, times(3, 6));
