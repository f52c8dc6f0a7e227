import { describe, expect, it } from 'vitest';
import { AGES, ageOf, drawTurns } from '../../eval/draw.ts';
import type { Known } from '../../eval/turns.ts';

const NOW = Date.parse('2026-05-20T00:00:00Z');
const DAY = 86_400_000;

const aged = (days: number, i: number, origin: string): Known => ({
  // Drawing looks at nothing of the session.
  session: {} as Known['session'],
  turn: i,
  origin,
  at: NOW - days * DAY,
  content: `${origin} ${days} ${i}`,
});

const turns = [2, 10, 60, 200].flatMap((days) =>
  ['one', 'two'].flatMap((origin) => Array.from({ length: days === 10 ? 3 : 50 }, (_, i) => aged(days, i, origin))),
);

describe('drawing', () => {
  it('tells the ages apart; what is dated later is new', () => {
    expect([-100, 6.9, 7, 29.9, 30, 89, 90, 500].map((days) => ageOf(NOW - days * DAY, NOW))).toEqual([
      AGES[0],
      AGES[0],
      AGES[1],
      AGES[1],
      AGES[2],
      AGES[2],
      AGES[3],
      AGES[3],
    ]);
  });

  it('is even over ages and origins, as far as they go', () => {
    const drawn = drawTurns(turns, 66, 1, NOW, () => true);
    const counts = Object.groupBy(drawn, (turn) => `${turn.origin} ${ageOf(turn.at, NOW)}`);
    expect(Object.values(counts).map((of) => of?.length)).toEqual([10, 10, 3, 3, 10, 10, 10, 10]);
    expect(new Set(drawn).size).toBe(66);
  });

  it('is the same for a seed, and another for another', () => {
    const of = (seed: number) => drawTurns(turns, 40, seed, NOW, () => true).map((turn) => turn.content);
    expect(of(1)).toEqual(of(1));
    expect(of(1)).not.toEqual(of(2));
  });

  it('takes each content once, and nothing unfit', () => {
    const copies = turns.map((turn) => ({ ...turn, content: String(turn.turn % 5) }));
    const drawn = drawTurns(copies, 100, 1, NOW, (turn) => turn.turn % 5 !== 0);
    expect(drawn.map((turn) => turn.content).sort()).toEqual(['1', '2', '3', '4']);
  });
});
