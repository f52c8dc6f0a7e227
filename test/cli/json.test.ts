// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';

/** A colour code and a bell in one character, a change of direction, what has no width, a tag, half of a character. */
const UNSEEN = '\x9b31m\x7f\u202e\u2066\u061c\u200b\ufeff\u2028\u{e0041}\ud83d';
const LEFT =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\u{e0000}-\u{e007f}]/u;

const dressed = new Transcript('json', { branch: `lamp-${UNSEEN}`, cwd: `/home/dev/lamp${UNSEEN.slice(0, 5)}` });
dressed.plain({ type: 'custom-title', customTitle: `The ${UNSEEN} lamp`, sessionId: dressed.id });
dressed.plain({ type: `odd-${UNSEEN}` });
dressed.prompt(`Light the lamp ${UNSEEN}.`);
dressed.tool('Bash', { command: `lamp ${UNSEEN}` }, `lit ${UNSEEN}`);
dressed.answer(`The lamp ${UNSEEN} is lit.`);
let user: User;

beforeAll(async () => {
  user = newUser([dressed]);
  await user.run('index');
});
afterAll(() => user.remove());

describe('what is printed as JSON', () => {
  it.each([
    [['index']],
    [['search', 'lamp']],
    [['search', `nothing${UNSEEN.slice(0, 8)}`]],
    [['show', dressed.key]],
    [['show', dressed.key, '--raw']],
    [['sessions', '--all']],
    [['resume', dressed.key]],
    [['doctor']],
    [['source', 'check', '.claude']],
    [['config']],
    [['config', 'get', UNSEEN.slice(0, 8)]],
    [[UNSEEN.slice(0, 8)]],
  ])('by %j holds nothing that a terminal obeys or does not show', async (args) => {
    const { stdout } = await user.run(...args, '--json');
    expect(JSON.parse(stdout)).toBeTypeOf('object');
    expect(LEFT.exec(stdout)?.[0].codePointAt(0)?.toString(16)).toBeUndefined();
  });

  it('is the same text to who reads it, but for halves of characters', async () => {
    const { document } = await user.json('show', `${dressed.key}#1`);
    expect(document.turn.prompt).toBe(`Light the lamp ${UNSEEN.toWellFormed()}.`);
  });
});
