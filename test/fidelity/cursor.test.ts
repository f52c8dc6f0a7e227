import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactText } from '../../src/redact/redact.ts';
import { type CursorSession, cursorSessions } from '../oracle/cursor.ts';
import { compared, type HeldHome, holdHome } from '../oracle/evidence.ts';
import { SHARED } from '../oracle/product.ts';

/** Sessions that hold anything (three conversations are drafts without a word), and prompts: those of the census. */
const HOMES = [
  [['corpus', 'homes', 'cursor'], 2, 22],
  [['corpus', 'homes', 'cursor-wal'], 1, 2],
] as const;

for (const [names, sessions, prompts] of HOMES)
  describe.skipIf(SHARED === undefined)(`Cursor in ${names.slice(1).join('/')}`, () => {
    let held: HeldHome;
    let kept: CursorSession[];
    beforeAll(async () => {
      held = await holdHome('cursor', names);
      kept = cursorSessions(held.home);
    });
    afterAll(() => held?.remove());

    it('is read whole, and nothing in the agent’s folders changed', () => {
      expect(held.report).toMatchObject({ failed: [], unknown_records: {} });
      expect(held.report.read).toBe(held.report.units);
      expect(held.changed).toEqual([]);
      expect(kept).toHaveLength(sessions);
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

    it('knows the names and folders of conversations', () => {
      const { session } = held.shown.get('75551d8c-e91c-461d-a120-c2097f755ba4')!;
      expect(session).toMatchObject({
        title: 'Code error resolution',
        cwd: '/home/nor/codes/atezedue/java/src',
        branch: 'main',
        models: ['composer-2.5'],
      });
    });
  });
