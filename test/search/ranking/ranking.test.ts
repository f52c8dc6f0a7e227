import { describe, expect, it } from 'vitest';
import { type Candidate, RANKING, ranked } from '../../../src/search/ranking/ranking.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY = 86_400_000;

const candidate = (rank: number, more: Partial<Candidate> = {}): Candidate => ({
  passage: rank,
  session: rank,
  turn: 1,
  lexical: 1,
  rank,
  holdsAll: false,
  isRewound: false,
  isSubagent: false,
  active: NOW,
  ...more,
});
const many = (n: number, more: Partial<Candidate> = {}) => Array.from({ length: n }, (_, i) => candidate(i + 1, more));

describe('ranking', () => {
  it('of nothing is nothing', () => {
    expect(ranked([], NOW)).toEqual([]);
  });

  it('scores by reciprocal rank, k 60', () => {
    expect(ranked([candidate(1), candidate(2)], NOW).map((one) => one.score)).toEqual([1 / 61, 1 / 62]);
  });

  it('lifts what holds every word where that is ten or fewer', () => {
    const [best] = ranked([candidate(1, { holdsAll: true }), candidate(2)], NOW);
    expect(best).toMatchObject({ score: 3 / 61, factors: { lift: RANKING.lookupLift, age: 1 } });
    expect(ranked(many(10, { holdsAll: true }), NOW).every((one) => one.factors.lift === 3)).toBe(true);
    expect(ranked(many(11, { holdsAll: true }), NOW).every((one) => one.factors.lift === 1)).toBe(true);
  });

  it('does not look at age when something was named', () => {
    const old = { holdsAll: true, active: NOW - 700 * DAY };
    expect(ranked([candidate(1, old)], NOW)[0]!.factors.age).toBe(1);
    const browsed = ranked(many(11, old), NOW)[0]!.factors.age;
    expect(browsed).toBeCloseTo(Math.exp(-1.4), 5);
  });

  it('prefers the newer mildly when browsing', () => {
    const order = ranked(
      many(20, { holdsAll: true }).map((one, i) => ({ ...one, active: i === 0 ? NOW - 200 * DAY : NOW })),
      NOW,
    );
    expect(order[0]!.rank).toBe(2);
    // A week does not turn the order of what differs by ten ranks.
    const week = ranked(
      [...many(11, { holdsAll: true, active: NOW - 7 * DAY }), candidate(12, { holdsAll: true })],
      NOW,
    );
    expect(week[0]!.rank).toBe(1);
  });

  it('takes a time to come for now', () => {
    expect(ranked(many(1, { active: NOW + DAY }), NOW)[0]!.factors.age).toBe(1);
  });

  it('trims what scores under a tenth of the best, before it looks at age', () => {
    const order = ranked([candidate(1), candidate(500), candidate(551), candidate(800)], NOW);
    expect(order.map((one) => one.rank)).toEqual([1, 500]);
    // The best by relevance is old: what is under a tenth of it stays out although age would have let it in.
    const aged = ranked([candidate(1, { active: NOW - 3000 * DAY }), candidate(560)], NOW);
    expect(aged.map((one) => one.rank)).toEqual([1]);
    // And age trims nothing.
    expect(ranked([candidate(1), candidate(2, { active: NOW - 3000 * DAY })], NOW)).toHaveLength(2);
  });

  it('gives rewound turns and sub-agents less', () => {
    const order = ranked([candidate(1, { isRewound: true }), candidate(2, { isSubagent: true }), candidate(3)], NOW);
    expect(order.map((one) => [one.rank, one.factors.salience])).toEqual([
      [3, 1],
      [2, RANKING.subagent],
      [1, RANKING.rewound],
    ]);
  });

  it('puts what holds all words before what holds any, whatever their scores', () => {
    const order = ranked(
      [...many(12, { holdsAll: true, isRewound: true, active: NOW - 900 * DAY }), candidate(13), candidate(14)],
      NOW,
    );
    expect(order.slice(0, 12).every((one) => one.holdsAll)).toBe(true);
    expect(order.slice(12).map((one) => one.rank)).toEqual([13, 14]);
  });
});
