import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactText } from '../../src/redact/redact.ts';
import { compared, type HeldHome, holdHome } from '../oracle/evidence.ts';
import { faultsOf, recordedSessions } from '../oracle/expected.ts';
import { type PiSession, piSessions } from '../oracle/pi.ts';
import { SHARED } from '../oracle/product.ts';

/** Sessions and prompts: those of the census. One of its three sessions of homes/pi is OpenClaw's, with one prompt. */
const HOMES = [
  [['corpus', 'live', 'pi', 'home'], 9, 16],
  [['corpus', 'homes', 'pi'], 2, 12],
  [['corpus', 'natural', 'pi-mono'], 4, 264],
] as const;

for (const [names, sessions, prompts] of HOMES)
  describe.skipIf(SHARED === undefined)(`Pi in ${names.slice(1).join('/')}`, () => {
    let held: HeldHome;
    let kept: PiSession[];
    beforeAll(async () => {
      held = await holdHome('pi', names);
      kept = piSessions(held.home);
    });
    afterAll(() => held?.remove());

    it('is read whole, but for what was torn, and nothing in the agent’s folders changed', () => {
      expect(held.report).toMatchObject({ sessions, unknown_records: {} });
      expect(held.report.failed.every(({ reason }) => /cut off|not JSON/.test(reason))).toBe(true);
      expect(held.changed).toEqual([]);
      expect(kept.reduce((sum, one) => sum + one.prompts, 0)).toBe(prompts);
    });

    it('shows every text, argument and output in order, once; a fork what is its own', () => {
      for (const { id, said } of kept) {
        const { turns } = held.shown.get(id)!;
        const { found } = compared(said, turns);
        const clean = said.map((one) => redactText(one).text);
        const own = found.length < clean.length ? clean.slice(-found.length) : clean;
        expect({ id, found: found.map(beginningOf) }).toEqual({ id, found: own.map(beginningOf) });
      }
    });

    it('has the tokens of each request, those of a fork once', () => {
      const total = { input: 0, output: 0 };
      for (const { id, said, tokens } of kept) {
        const { session, turns } = held.shown.get(id)!;
        total.input += session.tokens.input;
        total.output += session.tokens.output;
        const isFork = compared(said, turns).found.length < said.length;
        const { input, output, cache_read: cacheRead, cache_write_5m: cacheWrite } = session.tokens;
        if (!isFork) expect({ id, input, output, cacheRead, cacheWrite }).toEqual({ id, ...tokens });
      }
      expect(total.output).toBeGreaterThan(0);
    });

    if (names[1] === 'live')
      it('shows what was said: every prompt, call and planted phrase', () => {
        expect(faultsOf(held, recordedSessions('pi'))).toEqual([]);
      });
  });

/** A long output is kept in part. */
function beginningOf(said: string): string {
  return said.length > 50_000 ? said.slice(0, 50_000) : said;
}
