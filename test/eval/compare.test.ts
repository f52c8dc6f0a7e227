import { describe, expect, it } from 'vitest';
import { compare } from '../../eval/compare.ts';
import type { Age } from '../../eval/draw.ts';
import type { Answer } from '../../eval/score.ts';
import { verdictOn } from '../../eval/table.ts';

function run(rankOf: (i: number, age: Age) => number | undefined): Answer[] {
  return (['< 7 days', '> 90 days'] as const).flatMap((age) =>
    Array.from({ length: 40 }, (_, i) => {
      const rank = rankOf(i, age);
      return {
        id: `a:1#${i} ${age}`,
        kind: 'telling' as const,
        text: `words ${i}`,
        origin: 'an-agent',
        age,
        ...(rank !== undefined && { rank, sessionRank: rank }),
      };
    }),
  );
}

describe('one run beside another', () => {
  const good = run((i) => 1 + (i % 3));

  it('is no worse than itself', () => {
    const differences = compare(good, good);
    expect(differences.every(({ mean, isWorse }) => mean === 0 && !isWorse)).toBe(true);
    expect(verdictOn(differences)).toBe('no worse in any bucket');
  });

  it('is worse where it loses in one bucket alone, and says in which', () => {
    const lost = run((i, age) => (age === '> 90 days' && i % 2 === 0 ? undefined : 1 + (i % 3)));
    const differences = compare(lost, good);
    const of = (bucket: string) => differences.find((one) => one.bucket === bucket && one.measure === 'S@10');
    expect(of('> 90 days')).toMatchObject({ questions: 40, mean: -0.5, isWorse: true });
    expect(of('< 7 days')).toMatchObject({ questions: 40, mean: 0, isWorse: false });
    expect(verdictOn(differences)).toContain('> 90 days (S@10)');
  });

  it('makes nothing of a question or two', () => {
    const lost = run((i, age) => (age === '> 90 days' && i === 0 ? 4 : 1 + (i % 3)));
    expect(compare(lost, good).filter(({ isWorse }) => isWorse)).toEqual([]);
  });

  it('refuses runs over other corpora', () => {
    const other = good.map((answer) => ({ ...answer, text: `${answer.text} more` }));
    expect(() => compare(good, other)).toThrow('no question in common');
  });
});
