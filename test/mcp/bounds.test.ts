import { expect, it } from 'vitest';
import { bounded } from '../../src/mcp/bounds.ts';

const many = Array.from({ length: 5000 }, (_, i) => `claude-code:agent-${i}`);

it('what was asked for stays as it is', () => {
  const parts = Array.from({ length: 80 }, () => ({ type: 'text', text: 'x'.repeat(5000) }));
  expect(bounded({ turn: { parts } })).toEqual({ turn: { parts } });
  const input = { edits: many };
  expect(bounded({ input })).toEqual({ input });
});

it('what nobody asked for is cut, and what is left out is counted', () => {
  const cut = bounded({ session: { title: 'x'.repeat(1 << 20), children: many }, warnings: many });
  expect(cut).toMatchObject({
    session: { children: many.slice(0, 20), children_left_out: 4980 },
    warnings: many.slice(0, 20),
    warnings_left_out: 4980,
  });
  expect(JSON.stringify(cut).length).toBeLessThan(3000);
});

it('no cut leaves half of a character', () => {
  expect(JSON.stringify(bounded({ title: `x${'🚢'.repeat(900)}` }))).not.toMatch(/\\ud/);
});
