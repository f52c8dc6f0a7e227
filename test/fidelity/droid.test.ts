import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DroidSession, droidSessions } from '../oracle/droid.ts';
import { compared, type HeldHome, holdHome } from '../oracle/evidence.ts';
import { faultsOf, recordedSessions, unfound } from '../oracle/expected.ts';
import { SHARED } from '../oracle/product.ts';

/** Sessions and prompts, those that a fork copied among them. The one of homes/droid was never asked anything. */
const HOMES = [
  [['corpus', 'live', 'droid', 'home'], 8, 15],
  [['corpus', 'homes', 'droid'], 1, 0],
] as const;

for (const [names, sessions, prompts] of HOMES)
  describe.skipIf(SHARED === undefined)(`Droid in ${names.slice(1).join('/')}`, () => {
    let held: HeldHome;
    let kept: DroidSession[];
    beforeAll(async () => {
      held = await holdHome('droid', names);
      kept = droidSessions(held.home);
    });
    afterAll(() => held?.remove());

    it('is read whole, and nothing in the agent’s folders changed', () => {
      expect(held.report).toMatchObject({ units: sessions, read: sessions, failed: [], unknown_records: {} });
      expect(held.changed).toEqual([]);
      expect(kept.reduce((sum, one) => sum + one.prompts.length, 0)).toBe(prompts);
    });

    it('shows every text, argument and output in order, once; a fork what is its own', () => {
      for (const { id, said, parent } of kept) {
        const { expected, found } = compared(said, held.shown.get(id)?.turns ?? []);
        const own = parent === undefined ? expected : expected.slice(-found.length);
        expect({ id, found }).toEqual({ id, found: own });
        expect(found.length).toBe(parent === undefined ? said.length : 2);
      }
    });

    it('has the tokens that the settings tell of each session', () => {
      for (const { id, usage, said } of kept) {
        if (said.length === 0) continue;
        const { input, output, cache_read: cacheRead, cache_write_5m: cacheWrite } = held.shown.get(id)!.session.tokens;
        expect({ id, input, output, cacheRead, cacheWrite }).toEqual({
          id,
          input: usage!.inputTokens,
          output: usage!.outputTokens,
          cacheRead: usage!.cacheReadTokens,
          cacheWrite: usage!.cacheCreationTokens,
        });
      }
    });

    if (names[1] === 'live') {
      it('shows what was said: every prompt, call and planted phrase', () => {
        expect(faultsOf(held, recordedSessions('droid'))).toEqual([]);
      });

      it('is found by what was said in it, at its turn, and taken up by the program’s own command', async () => {
        expect(await unfound(held, recordedSessions('droid'))).toEqual([]);
        const [{ id }] = kept as [DroidSession];
        const resumed = await held.product.resume(held.shown.get(id)!.session.id);
        expect(resumed).toMatchObject({ argv: ['droid', '--resume', id] });
      });
    }
  });
