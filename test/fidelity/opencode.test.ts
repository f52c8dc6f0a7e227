import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compared, type HeldHome, holdHome } from '../oracle/evidence.ts';
import { faultsOf, recordedSessions } from '../oracle/expected.ts';
import { type Kept, keptIn } from '../oracle/opencode.ts';
import { SHARED } from '../oracle/product.ts';

const HOMES = [
  ['opencode', ['corpus', 'live', 'opencode', 'home'], '.local/share/opencode/opencode.db', 12],
  ['opencode', ['corpus', 'homes', 'opencode'], '.local/share/opencode/opencode.db', 3],
  ['opencode', ['corpus', 'homes', 'opencode-wal'], '.local/share/opencode/opencode.db', 3],
  ['kilo-cli', ['corpus', 'live', 'kilo', 'home'], '.local/share/kilo/kilo.db', 13],
] as const;

/** `opencode run` stores a prompt between quotes. */
const promptOf = (prompt: string) =>
  prompt
    .replace(/^"([\s\S]*)"\s*$/, '$1')
    .replaceAll('\\"', '"')
    .trim();

for (const [source, names, path, sessions] of HOMES)
  describe.skipIf(SHARED === undefined)(`${source} in ${names.slice(1).join('/')}`, () => {
    let held: HeldHome;
    let kept: Kept[];
    beforeAll(async () => {
      held = await holdHome(source, names);
      kept = keptIn(join(held.home, path));
    });
    afterAll(() => held?.remove());

    it('is read whole, and nothing in the agent’s folders changed', () => {
      expect(held.report).toMatchObject({ sessions, failed: [], unknown_records: {} });
      expect(held.changed).toEqual([]);
    });

    it('shows every text, argument and output in order, once; a fork what is its own', () => {
      for (const { id, said } of kept) {
        const { turns } = held.shown.get(id)!;
        const parts = turns.map((turn) => ({
          ...turn,
          parts: turn.parts.filter(({ type, kind }) => type !== 'notice' || kind !== 'compaction' || said.length === 0),
        }));
        const isFork = turns.length < said.filter((one) => one.startsWith('user: ')).length;
        const { found } = compared(said, parts);
        const expected = (isFork ? said.slice(-found.length) : said).filter(
          (one) => !(one.startsWith('notice: ') && !found.includes(one)),
        );
        expect({ id, found: found.map(beginningOf) }).toEqual({ id, found: expected.map(beginningOf) });
      }
    });

    it('has titles, parents, and the tokens of each message, those of a fork once', () => {
      for (const { id, title, parent, tokens } of kept) {
        const { session } = held.shown.get(id)!;
        if (!title.startsWith('New session - ')) expect(session.title).toBe(title);
        if (parent !== null) expect(session.parent).toMatchObject({ id: `${source}:${parent}`, relation: 'subagent' });
        const { input, output, cache_read: cacheRead } = session.tokens;
        if (!title.includes('(fork #')) expect({ id, input, output, cacheRead }).toEqual({ id, ...tokens });
        else expect(input).toBeLessThan(tokens.input);
      }
    });

    if (names[1] === 'live')
      it('shows what was said: every prompt, call and planted phrase', () => {
        const recorded = recordedSessions(names[2]).filter(
          ({ id }) => !held.shown.get(id)?.session.title?.includes('(fork #'),
        );
        expect(faultsOf(held, recorded, { promptOf })).toEqual([]);
      });
  });

/** An output that lies in a file of its own is shown whole: its beginning is what the model was given otherwise. */
function beginningOf(said: string): string {
  return /output truncated|Full output saved/.test(said) || said.length > 20_000 ? said.slice(0, 60) : said;
}
