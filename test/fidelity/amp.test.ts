import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homes } from '../agents/amp/evidence.ts';
import { type Thread, threadsIn } from '../oracle/amp.ts';
import { openProduct, type Product, SHARED, type Shown } from '../oracle/product.ts';
import { copyOfEvidence } from '../support/evidence.ts';
import { stateOf } from '../support/folders.ts';

describe.skipIf(SHARED === undefined)('the threads of homes/amp', () => {
  let home: string;
  let product: Product;
  let threads: Thread[];
  let shown: Map<string, Shown>;
  let before: string[];
  let report: Awaited<ReturnType<Product['index']>>['sources'][string];

  beforeAll(async () => {
    home = copyOfEvidence(homes[0]);
    before = stateOf(home);
    product = openProduct(home);
    threads = threadsIn(home);
    report = (await product.index()).sources.amp!;
    const sessions = await product.sessions();
    shown = new Map((await product.showAll(sessions)).map((one) => [one.session.native_id, one]));
  });
  afterAll(() => {
    product?.remove();
    rmSync(home, { recursive: true, force: true });
  });

  it('are read whole, and nothing in the agent’s folders changed', () => {
    expect(report).toMatchObject({ units: 5, read: 5, sessions: 5, failed: [], unknown_records: {} });
    expect(stateOf(home)).toEqual(before);
  });

  it('have every text, argument and output in order, once', () => {
    for (const { id, said } of threads) {
      const found = saidIn(shown.get(id));
      // A long output is kept in part: what is kept is its beginning.
      const expected = said.map((one, i) => (found[i]?.isCut ? one.slice(0, found[i].text.length) : one));
      expect({ id, said: found.map(({ text }) => text) }).toEqual({ id, said: expected });
    }
  });

  it('have the prompts and calls of the census, and the tokens of each message and title', () => {
    expect(threads.reduce((sum, { prompts }) => sum + prompts, 0)).toBe(16);
    for (const { id, prompts, title, tokens } of threads) {
      const one = shown.get(id)!;
      expect(one.turns.filter((turn) => turn.prompt !== undefined).length).toBe(prompts);
      if (title !== undefined) expect(one.session.title).toBe(title);
      const { input, cache_read, cache_write_5m, output } = one.session.tokens;
      expect({ id, input, cacheRead: cache_read, cacheWrite: cache_write_5m, output }).toEqual({ id, ...tokens });
    }
    const calls = [...shown.values()].flatMap(({ turns }) => turns.flatMap(({ parts }) => parts));
    expect(calls.filter(({ type }) => type === 'tool_call').length).toBe(156);
  });
});

function saidIn(one: Shown | undefined): { readonly text: string; readonly isCut: boolean }[] {
  return (one?.turns ?? []).flatMap(({ parts }) =>
    parts.map((part) => {
      const isCut = part.cut !== undefined;
      if (part.type === 'text') return { text: `${part.role}: ${part.text}`, isCut };
      if (part.type === 'thinking') return { text: `thinking: ${part.text}`, isCut };
      return { text: `${part.name} ${JSON.stringify(part.input)}: ${part.output ?? ''}`, isCut };
    }),
  );
}
