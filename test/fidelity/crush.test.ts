import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homes, prepare } from '../agents/crush/evidence.ts';
import { type CrushSession, sessionsIn } from '../oracle/crush.ts';
import { compared, type HeldHome, holdHome } from '../oracle/evidence.ts';
import { SHARED } from '../oracle/product.ts';

/** Sessions, prompts, calls: those of the census. In homes/crush one session was copied into two projects. */
const COUNTS = [
  [5, 20, 136],
  [1, 5, 6],
] as const;

describe.skipIf(SHARED === undefined).each(homes.map((names, i) => [names.join('/'), names, COUNTS[i]!] as const))(
  'the sessions of %s',
  (_, names, [sessions, prompts, calls]) => {
    let held: HeldHome;
    let known: Map<string, CrushSession>;

    beforeAll(async () => {
      held = await holdHome('crush', names, { prepare });
      known = new Map(sessionsIn(held.home).map((one) => [one.id, one]));
    });
    afterAll(() => held?.remove());

    it('are read whole, and nothing in the agent’s folders changed', () => {
      expect(held.report).toMatchObject({ sessions, failed: [], unknown_records: {} });
      expect(held.changed).toEqual([]);
      expect([...held.shown.keys()].sort()).toEqual([...known.keys()].sort());
    });

    it('have every text, argument and output in order, once', () => {
      for (const { id, said } of known.values()) {
        const { expected, found } = compared(said, held.shown.get(id)?.turns ?? []);
        expect({ id, found }).toEqual({ id, found: expected });
      }
    });

    it('have the prompts and calls of the census, titles, and their sub-agents', () => {
      const all = [...known.values()];
      const copied = sessionsIn(held.home).length - all.length;
      expect(copied).toBe(names[2] === 'crush' ? 1 : 0);
      const twice = sessionsIn(held.home);
      expect(twice.reduce((sum, one) => sum + one.prompts, 0)).toBe(prompts);
      expect(twice.reduce((sum, one) => sum + one.calls, 0)).toBe(calls);
      for (const { id, title, parent, prompts: asked } of all) {
        const { session, turns } = held.shown.get(id)!;
        expect(session.title).toBe(title);
        expect(session.parent?.id).toBe(parent === null ? undefined : `crush:${parent}`);
        expect(turns.filter((turn) => turn.prompt !== undefined).length).toBe(asked);
      }
    });
  },
);
