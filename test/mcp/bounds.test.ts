import { describe, expect, it } from 'vitest';
import { BUDGET, bounded, brief, briefLines, sizeOf } from '../../src/mcp/bounds.ts';
import { type Answer, resultOf } from '../../src/mcp/tool.ts';

const many = Array.from({ length: 5000 }, (_, i) => `claude-code:agent-${i}`);

describe('a document', () => {
  it('keeps what was asked for as it is', () => {
    const parts = Array.from({ length: 80 }, () => ({ type: 'text', text: 'x'.repeat(5000) }));
    expect(bounded({ turn: { parts } })).toEqual({ turn: { parts } });
    const input = { edits: many };
    expect(bounded({ input })).toEqual({ input });
  });

  it('is cut where nobody asked for it, and what is left out is counted', () => {
    const cut = bounded({ session: { title: 'x'.repeat(1 << 20), children: many }, warnings: many });
    expect(cut).toMatchObject({
      session: { children: many.slice(0, 20), children_left_out: 4980 },
      warnings: many.slice(0, 20),
      warnings_left_out: 4980,
    });
    expect(sizeOf(cut)).toBeLessThan(3000);
  });

  it('has fewer of what is long, and of a map as of a list', () => {
    const paths = Array.from({ length: 100 }, (_, i) => `/${i}/${'x'.repeat(490)}`);
    expect(bounded({ paths })).toEqual({ paths: paths.slice(0, 8), paths_left_out: 92 });
    const models = Object.fromEntries(many.map((name) => [name, { input: 1 }]));
    const cut = bounded({ models, one: { ['x'.repeat(1 << 20)]: 1 } });
    expect(cut).toMatchObject({ models_left_out: 4960 });
    expect(sizeOf(cut)).toBeLessThan(2000);
  });

  it('is small in JSON too, and no cut leaves half of a character', () => {
    expect(sizeOf(brief('\x01'.repeat(5000)))).toBeLessThan(1100);
    expect(sizeOf(bounded({ title: '"'.repeat(499) }))).toBeLessThan(1100);
    expect(JSON.stringify(bounded({ title: `x${'🚢'.repeat(900)}` }))).not.toMatch(/\\ud/);
  });
});

it('of many lines the first are told, and how many more there are', () => {
  expect(briefLines(['a', 'b'])).toEqual(['a', 'b']);
  expect(briefLines(many)).toHaveLength(21);
  expect(briefLines(many).at(-1)).toBe('… and 4980 more');
});

describe('an answer', () => {
  const answer = (count: number): Answer => ({
    document: { hits: Array.from({ length: count }, () => ({ snippet: 'x'.repeat(400) })) },
    text: 'y'.repeat(400 * count),
    less: count > 1 ? () => answer(count >> 1) : undefined,
  });
  const hitsIn = (count: number) => {
    const { structuredContent, content } = resultOf(answer(count));
    expect(sizeOf(structuredContent) + sizeOf(content)).toBeLessThan(BUDGET + 100);
    return JSON.stringify(structuredContent).split('snippet').length - 1;
  };

  it('that is within the budget stays whole', () => {
    expect(hitsIn(100)).toBe(100);
  });

  it('that is not says less, until it is', () => {
    expect(hitsIn(1000)).toBe(62);
  });
});
