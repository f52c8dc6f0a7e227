import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { ID, told } from './script.ts';

it('the prompt history tells the prompts of each session', async () => {
  const lines = [
    { session_id: ID, ts: 1_796_029_074, text: 'Paint the pier.' },
    { session_id: ID, ts: 1_796_029_080, text: 'In red.' },
    { ts: 1_796_029_090, text: 'Whose?' },
  ];
  const path = writeAt(
    join(temporaryFolder(), 'history.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  const found = await told(path, { layout: 'history' });
  expect(found.sessions).toEqual([`prompts/${ID}`]);
  expect(found.facts(`prompts/${ID}`)).toEqual({ kind: 'prompts', transcript: ID });
  expect(found.of('turn').map((turn) => turn.at)).toEqual([1_796_029_074_000, 1_796_029_080_000]);
  expect(found.lines()).toEqual(['user: Paint the pier.', 'user: In red.']);
  expect(found.last.tally.unknown).toEqual({ 'history without a prompt': 1 });
});
