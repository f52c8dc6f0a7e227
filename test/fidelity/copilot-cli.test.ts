import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactText } from '../../src/redact/redact.ts';
import { type CopilotSession, copilotSessions } from '../oracle/copilot-cli.ts';
import { compared, type HeldHome, holdHome } from '../oracle/evidence.ts';
import { faultsOf, recordedSessions } from '../oracle/expected.ts';
import { SHARED } from '../oracle/product.ts';

/**
 * Units (the store is one), prompts of the main conversations: those of the census, and those of sessions whose events
 * are gone and whose questions and answers the store still has.
 */
const HOMES = [
  [['corpus', 'live', 'copilot', 'home'], 12, 17],
  [['corpus', 'homes', 'copilot-cli'], 13, 55],
  [['corpus', 'homes', 'copilot-cli-wal'], 4, 4],
] as const;

for (const [names, units, prompts] of HOMES)
  describe.skipIf(SHARED === undefined)(`Copilot CLI in ${names.slice(1).join('/')}`, () => {
    let held: HeldHome;
    let kept: CopilotSession[];
    beforeAll(async () => {
      held = await holdHome('copilot-cli', names);
      kept = copilotSessions(held.home);
    });
    afterAll(() => held?.remove());

    it('is read whole, and nothing in the agent’s folders changed', () => {
      expect(held.report).toMatchObject({ units, read: units, failed: [], unknown_records: {} });
      expect(held.changed).toEqual([]);
      expect(kept.reduce((sum, one) => sum + one.prompts, 0)).toBe(prompts);
    });

    it('shows every text, argument and output in order, once', () => {
      for (const { id, said } of kept) {
        const { expected, found } = compared(
          said.map((one) => redactText(one).text),
          held.shown.get(id)?.turns ?? [],
        );
        expect({ id, found }).toEqual({ id, found: expected });
      }
    });

    it('has the tokens that its records or its sums tell', () => {
      for (const { id, input, output } of kept) {
        const { tokens } = held.shown.get(id)!.session;
        expect({ id, input: tokens.input + tokens.cache_read + tokens.cache_write_5m, output: tokens.output }).toEqual({
          id,
          input,
          output,
        });
      }
    });

    if (names[1] === 'live')
      it('shows what was said: every prompt, call and planted phrase', () => {
        const faults = faultsOf(held, recordedSessions('copilot'));
        // The program was killed within this answer: its events end before, and the store alone has what came of it.
        expect(faults).toEqual([expect.stringContaining('“cedar-badger-orchard” is not in partial answer')]);
      });
  });
