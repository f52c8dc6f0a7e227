import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homes } from '../agents/amp/evidence.ts';
import { type Thread, threadsIn } from '../oracle/amp.ts';
import { compared, type HeldHome, holdHome } from '../oracle/evidence.ts';
import { SHARED } from '../oracle/product.ts';

describe.skipIf(SHARED === undefined)('the threads of homes/amp', () => {
  let held: HeldHome;
  let threads: Thread[];

  beforeAll(async () => {
    held = await holdHome('amp', homes[0]);
    threads = threadsIn(held.home);
  });
  afterAll(() => held?.remove());

  it('are read whole, and nothing in the agent’s folders changed', () => {
    expect(held.report).toMatchObject({ units: 5, read: 5, sessions: 5, failed: [], unknown_records: {} });
    expect(held.changed).toEqual([]);
  });

  it('have every text, argument and output in order, once', () => {
    for (const { id, said } of threads) {
      const { expected, found } = compared(said, held.shown.get(id)?.turns ?? []);
      expect({ id, found }).toEqual({ id, found: expected });
    }
  });

  it('have the prompts and calls of the census, and the tokens of each message and title', () => {
    expect(threads.reduce((sum, { prompts }) => sum + prompts, 0)).toBe(16);
    for (const { id, prompts, title, tokens } of threads) {
      const { session, turns } = held.shown.get(id)!;
      expect(turns.filter((turn) => turn.prompt !== undefined).length).toBe(prompts);
      if (title !== undefined) expect(session.title).toBe(title);
      const { input, cache_read, cache_write_5m, output } = session.tokens;
      expect({ id, input, cacheRead: cache_read, cacheWrite: cache_write_5m, output }).toEqual({ id, ...tokens });
    }
    const parts = [...held.shown.values()].flatMap(({ turns }) => turns.flatMap((turn) => turn.parts));
    expect(parts.filter(({ type }) => type === 'tool_call').length).toBe(156);
  });
});
