import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spilledOutput } from '../../../src/agents/claude-code/spilled.ts';
import { SHARED, shared } from '../../oracle/product.ts';
import { SESSION } from '../../support/claude-records.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { told } from '../../support/reading.ts';

function session() {
  const folder = temporaryFolder();
  const results = join(folder, SESSION, 'tool-results');
  mkdirSync(results, { recursive: true });
  return { folder, results, transcript: writeAt(join(folder, `${SESSION}.jsonl`), '') };
}
const shownFor = (path: string) =>
  `<persisted-output>\nOutput too large (1 MB). Full output saved to: ${path}\n\nPreview …`;

describe('an output that lies beside the session', () => {
  it('is read whole, by the name that the record or its text gives', () => {
    const { results, transcript } = session();
    const path = writeAt(join(results, 'b1.txt'), 'all forty planks');
    const expected = { text: 'all forty planks', where: { path, offset: 0, line: 1 } };
    expect(spilledOutput(transcript, undefined, { persistedOutputPath: path })).toEqual(expected);
    expect(spilledOutput(transcript, shownFor(path), {})).toEqual(expected);
    // The folder may have been moved, or been another machine's.
    expect(
      spilledOutput(transcript, undefined, { persistedOutputPath: 'C:\\Users\\dev\\x\\tool-results\\b1.txt' }),
    ).toEqual(expected);
  });

  it('of a sub-agent lies in the folder of its session', () => {
    const { folder, results } = session();
    writeAt(join(results, 'b1.txt'), 'all forty planks');
    const agent = writeAt(join(folder, SESSION, 'subagents', 'workflows', 'wf_1', 'agent-a1.jsonl'), '');
    expect(spilledOutput(agent, undefined, { persistedOutputPath: '/x/b1.txt' })?.text).toBe('all forty planks');
  });

  it('is none where there is no such file, or no name', () => {
    const { transcript } = session();
    expect(spilledOutput(transcript, 'an output', {})).toBeUndefined();
    expect(spilledOutput(transcript, undefined, { persistedOutputPath: '/x/none.txt' })).toBeUndefined();
    expect(spilledOutput(transcript, 'Full output saved to: /etc/hostname', {})).toBeUndefined();
  });

  it.each([
    '/etc/passwd',
    '../../../../../../etc/passwd',
    '..',
    '.',
    '',
    '/',
    '../secret.txt',
    '..\\secret.txt',
    `../../${SESSION}.jsonl`,
  ])('is never read from elsewhere: %o', (named) => {
    const { folder, transcript } = session();
    writeAt(join(folder, 'secret.txt'), 'secret');
    writeAt(join(folder, SESSION, 'secret.txt'), 'secret');
    expect(spilledOutput(transcript, undefined, { persistedOutputPath: named })).toBeUndefined();
    expect(spilledOutput(transcript, shownFor(named), {})).toBeUndefined();
  });

  it('is not read through a link that leads out of the folder', () => {
    const { folder, results, transcript } = session();
    const secret = writeAt(join(folder, 'secret.txt'), 'secret');
    symlinkSync(secret, join(results, 'b1.txt'));
    symlinkSync(folder, join(results, 'b2'));
    for (const name of ['b1.txt', 'b2', 'b2/secret.txt'])
      expect(spilledOutput(transcript, undefined, { persistedOutputPath: join(results, name) })).toBeUndefined();
  });

  it('is read where the whole history lies behind a link', () => {
    const { folder, results } = session();
    writeAt(join(results, 'b1.txt'), 'all forty planks');
    const link = join(temporaryFolder(), 'linked');
    symlinkSync(folder, link);
    expect(spilledOutput(join(link, `${SESSION}.jsonl`), undefined, { persistedOutputPath: '/x/b1.txt' })?.text).toBe(
      'all forty planks',
    );
  });

  it.skipIf(SHARED === undefined)('is the 250 kB of the recorded one', async () => {
    const folder = shared('corpus', 'live', 'claude', 'home', '.claude', 'projects', '-home-dev-projects-tide-cache');
    const id = '4d7eda72-f944-40c0-bdbb-2c405b02bce3';
    const found = await told(join(folder, `${id}.jsonl`));
    const spilled = found.of('result').filter(({ result }) => result.where.path !== undefined);
    expect(spilled.map(({ result }) => result.where.path)).toEqual([join(folder, id, 'tool-results', 'bis7mnw93.txt')]);
    expect(spilled[0]!.result.output!.length).toBeGreaterThan(200_000);
  });
});
