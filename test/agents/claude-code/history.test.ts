import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeHome } from '../../support/claude-home.ts';
import { jsonl, Script, SESSION, uuid } from '../../support/claude-records.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { linesIn, Portolan, sessionOf } from '../../support/portolan.ts';
import { told } from '../../support/reading.ts';

const DAY = Date.parse('2026-11-21T10:00:00Z');
const read = (records: readonly unknown[]) =>
  told(writeAt(join(temporaryFolder(), 'history.jsonl'), jsonl(records)), { layout: 'history' });

describe('the prompt history', () => {
  it('holds the prompts of each session, with what was pasted', async () => {
    const found = await read([
      { display: 'Paint the pier.', timestamp: DAY, project: '/home/dev/pier', sessionId: SESSION },
      { display: 'Sweep it.', timestamp: DAY + 1, project: '/home/dev/pier', sessionId: 'other' },
      {
        display: 'See [Pasted text #1]',
        timestamp: DAY + 2,
        project: '/home/dev/pier',
        sessionId: SESSION,
        pastedContents: { 1: { content: 'forty planks' }, 2: { contentHash: 'x' } },
      },
    ]);
    expect(found.sessions).toEqual([`prompts/${SESSION}`, 'prompts/other']);
    expect(found.lines(`prompts/${SESSION}`)).toEqual([
      'user: Paint the pier.',
      'user: See [Pasted text #1]\nforty planks',
    ]);
    expect(found.of('turn', `prompts/${SESSION}`)).toHaveLength(2);
    expect(found.facts(`prompts/${SESSION}`)).toMatchObject({
      kind: 'prompts',
      cwd: '/home/dev/pier',
      transcript: SESSION,
    });
  });

  it('takes long pastes from the files that it names by their hash, and from no others', async () => {
    const folder = temporaryFolder();
    const prompt = (contentHash: string) => ({
      display: 'See [Pasted text #1]',
      timestamp: DAY,
      project: '/home/dev/pier',
      sessionId: contentHash,
      pastedContents: { 1: { id: 1, type: 'text', contentHash } },
    });
    writeAt(join(folder, 'paste-cache', 'abc123def4567890.txt'), 'four hundred planks');
    writeAt(join(folder, 'secret.txt'), 'not a paste');
    symlinkSync(join(folder, 'secret.txt'), join(folder, 'paste-cache', 'abc123def4567891.txt'));
    const hashes = ['abc123def4567890', 'abc123def4567891', '../secret', 'abc123def4567892'];
    const found = await told(writeAt(join(folder, 'history.jsonl'), jsonl(hashes.map(prompt))), { layout: 'history' });
    expect(found.lines()).toEqual([
      'user: See [Pasted text #1]\nfour hundred planks',
      ...Array.from({ length: 3 }, () => 'user: See [Pasted text #1]'),
    ]);
    expect(found.last.tally.notShown).toEqual({ 'history pastedContents': 3 });
  });

  it('without session ids is kept by project and day', async () => {
    const found = await read([
      { display: 'a', timestamp: DAY, project: '/home/dev/pier' },
      { display: 'b', timestamp: DAY + 1000, project: '/home/dev/pier' },
      { display: 'c', timestamp: DAY + 86_400_000, project: '/home/dev/pier' },
      { display: 'd', timestamp: DAY, project: '/home/dev/mole' },
      { display: 'e' },
    ]);
    expect(found.sessions).toEqual([
      'prompts/2026-11-21-home-dev-pier',
      'prompts/2026-11-22-home-dev-pier',
      'prompts/2026-11-21-home-dev-mole',
      'prompts/undated',
    ]);
  });

  it('counts a line without a prompt', async () => {
    expect((await read([{ timestamp: DAY }, { display: '' }])).last.tally.unknown).toEqual({
      'history without a prompt': 2,
    });
  });

  it('is hidden where the transcript is here, listed as gone where it is not, and found by its words only then', async () => {
    const home = new ClaudeHome();
    const prompts = [
      { display: 'Paint the pier.', timestamp: DAY, project: '/p', sessionId: SESSION },
      { display: 'Sweep the mole.', timestamp: DAY, project: '/p', sessionId: uuid('gone') },
    ];
    writeAt(join(home.claude, 'history.jsonl'), jsonl(prompts));
    const portolan = new Portolan(home.env());
    expect((await portolan.index()).sessions).toBe(0);
    expect(portolan.read().lexical.documentFrequency('paint')).toBe(1);
    home.write([new Script().user('Paint the pier.')]);
    // Prompts alone count in no total.
    expect((await portolan.index()).sessions).toBe(1);
    const stores = portolan.read();
    expect(sessionOf(stores, `prompts/${SESSION}`).hidden).toBe(true);
    expect(sessionOf(stores, `prompts/${uuid('gone')}`)).toMatchObject({ hidden: false, gone: true, kind: 'prompts' });
    expect(linesIn(stores, `prompts/${uuid('gone')}`)).toEqual(['user: Sweep the mole.']);
    expect(stores.lexical.documentFrequency('paint')).toBe(1);
    expect(stores.lexical.documentFrequency('sweep')).toBe(1);
  });
});
