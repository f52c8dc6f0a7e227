// biome-ignore-all lint/suspicious/noControlCharactersInRegex: no control but ours may be among what is drawn
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/render/width.ts';
import { Transcript } from '../search/history.ts';
import type { User } from '../search/program.ts';
import { Chance, times } from '../support/chance.ts';
import { Driven, sampleUser } from './driven.ts';

const HOSTILE = '\x1b]0;owned\x07\x1b[2J\x1b[31mred\u202etxet\u009b31m\x00\x08\t\r\n漢字👩‍🚀é';
const KEYS = [
  ...'abcdefghijklmnopqrstuvwxyzGEJKN/?*[] '.split(''),
  '\x1b[A',
  '\x1b[B',
  '\x1b[5~',
  '\x1b[6~',
  '\x1b[H',
  '\x1b[F',
  '\r',
  '\t',
  '\x7f',
  '\x1b',
  ...'\x01\x05\x06\x07\x0b\x0e\x0f\x10\x12\x13\x14\x15\x17\x18\x19'.split(''),
  '\x1b[200~tide 漢字\x1b[201~',
  'source:codex ',
];

let user: User;
beforeAll(async () => {
  user = await sampleUser();
  const session = new Transcript('hostile', { cwd: `/home/dev/${HOSTILE.replaceAll('\x00', '')}`, branch: HOSTILE });
  session.prompt(`tide ${HOSTILE}`);
  session.thinking(HOSTILE);
  session.tool('Bash', { command: `make ${HOSTILE}` }, HOSTILE.repeat(20), { isError: true });
  session.answer(`tide ${HOSTILE}`);
  session.write(user.home);
  await user.json('index');
});
afterAll(() => user.remove());

/** What is drawn without the sequences that are ours: the frame's, places, colours, the clearing of a line's rest. */
const bare = (drawn: string) => drawn.replace(/\x1b\[\?(?:2026[hl]|25[hl])|\x1b\[\d+;\d+H|\x1b\[[\d;]*m|\x1b\[K/g, '');

describe('whatever is typed', () => {
  it('no control of a history is drawn, no line leaves its row, and nothing throws', () => {
    const chance = new Chance(7);
    for (let run = 0; run < times(12, 400); run++) {
      const size = { columns: 20 + chance.below(200), rows: 4 + chance.below(50) };
      const driven = new Driven(user, size, { color: true });
      let typed = '';
      for (let step = 0; step < 60; step++) {
        const key = chance.of(KEYS);
        typed += key;
        driven.type(key);
        if (chance.below(15) === 0)
          driven.happened({ type: 'resized', size: { columns: 20 + chance.below(200), rows: 4 + chance.below(50) } });
        const told = `at ${JSON.stringify(driven.picker.size)} after ${JSON.stringify(typed)}`;
        expect(bare(driven.painted), told).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
        for (const row of driven.screen.split('\n'))
          expect(displayWidth(row), `${row} ${told}`).toBeLessThanOrEqual(driven.picker.size.columns);
      }
      driven.close();
    }
  });
});
