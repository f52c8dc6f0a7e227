import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeOf } from '../../src/home/paths.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import { START, Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';
import { filesBelow } from '../support/folders.ts';

const DAY = 86_400_000;
let user: User;
let pier: Transcript;
let harbor: Transcript;

beforeEach(async () => {
  pier = new Transcript('forget pier', { cwd: '/home/dev/projects/pier' });
  pier.prompt('The dunlin sits on the pier.');
  pier.answer('So it does.');
  harbor = new Transcript('forget harbor', { cwd: '/home/dev/projects/harbor', start: START - 40 * DAY });
  harbor.prompt('The whimbrel sits in the harbor.');
  harbor.answer('So it does.');
  user = newUser([pier, harbor]);
  await user.run('index');
});
afterEach(() => user.remove());

const found = async (word: string) => (await user.json('search', word)).document.hits.length;
const traces = (word: string) => filesBelow(user.kept).filter((path) => readFileSync(path).includes(word));

describe('portolan forget', () => {
  it.each([
    ['a session', () => [pier.nativeId]],
    ['a beginning of its id', () => [pier.nativeId.slice(0, 8)]],
    ['a project', () => ['Pier']],
  ])('forgets %s, for good', async (_, names) => {
    expect(traces('dunlin')).not.toEqual([]);
    const { document, code } = await user.json('forget', ...names(), '--yes');
    expect(code).toBe(0);
    expect(document).toMatchObject({ forgotten: true, sessions: [{ id: `claude-code:${pier.nativeId}`, turns: 1 }] });
    expect(traces('dunlin')).toEqual([]);
    await user.run('index');
    expect(await found('dunlin')).toBe(0);
    expect(await found('whimbrel')).toBe(1);
  });

  it('forgets what was last active before a date', async () => {
    const date = new Date(START - 10 * DAY).toISOString().slice(0, 10);
    const { document } = await user.json('forget', '--before', date, '--yes');
    expect(document.sessions.map((one: { id: string }) => one.id)).toEqual([`claude-code:${harbor.nativeId}`]);
    expect(await found('whimbrel')).toBe(0);
    expect(await found('dunlin')).toBe(1);
  });

  it('forgets nothing before it is told to', async () => {
    const shown = await user.run('forget', 'pier');
    expect(shown.stdout).toContain('Portolan will forget 1 session with 1 turn');
    expect(shown.stderr).toContain('Nothing was forgotten');
    expect(shown.code).toBe(2);
    expect((await user.json('forget', 'pier')).document.forgotten).toBe(false);
    expect(await found('dunlin')).toBe(1);
  });

  it('takes it back', async () => {
    await user.run('forget', 'pier', '--yes');
    expect((await user.json('forget', '--undo', pier.nativeId)).code).toBe(1);
    const { document } = await user.json('forget', '--undo', `claude-code:${pier.nativeId}`);
    expect(document.recalled).toEqual([`claude-code:${pier.nativeId}`]);
    await user.run('index');
    expect(await found('dunlin')).toBe(1);
  });

  it('ends what was broken off before', async () => {
    const stores = openForWriting(homeOf({ PORTOLAN_HOME: user.kept }))!;
    stores.keeper.setState('unclean', 1);
    stores.close();
    expect((await user.json('doctor')).document.hints.join(' ')).toContain('run portolan forget to finish it');
    expect((await user.run('forget')).stdout).toContain('gone without a trace');
    expect((await user.json('doctor')).document.hints.join(' ')).not.toContain('portolan forget');
    expect(await found('dunlin')).toBe(1);
  });

  it.each([
    [[], 'nothing_named', 2],
    [['nobody'], 'not_found', 1],
    [['pier', '--before', '2001-01-01'], 'not_found', 1],
    [['--before', 'sometime'], 'bad_value', 2],
    [['--before', '7d', '--source', 'nobody'], 'no_agent', 2],
    [['--undo'], 'no_id', 2],
  ])('refuses %o', async (args, code, exit) => {
    const refused = await user.json('forget', ...args);
    expect(refused.document.error).toMatchObject({ code });
    expect(refused.code).toBe(exit);
  });
});
