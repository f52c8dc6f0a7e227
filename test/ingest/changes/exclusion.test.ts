import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeSettings } from '../../../src/home/config.ts';
import { ClaudeHome } from '../../support/claude-home.ts';
import { Script } from '../../support/claude-records.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { Portolan } from '../../support/portolan.ts';

const OPEN = '11111111-1111-4111-8111-111111111111';
const DIARY = '22222222-2222-4222-8222-222222222222';

/** A session in a folder, of one turn. */
function written(home: ClaudeHome, session: string, cwd: string, words: string): Script {
  const script = new Script({ sessionId: session, cwd }, session);
  home.write([script.user(words), script.answer('So it is.')], session);
  return script;
}

function twoSessions() {
  const home = new ClaudeHome();
  written(home, OPEN, '/home/dev/projects/pier', 'paint the pier');
  const diary = written(home, DIARY, '/home/dev/diary/2026', 'dear diary');
  const portolan = new Portolan(home.env());
  const exclude = (settings: Record<string, string[]>) =>
    writeSettings(portolan.home, new Map(Object.entries(settings)));
  const ids = () => portolan.content().sessions.map((session) => session.nativeId);
  return { home, diary, portolan, exclude, ids };
}

describe('what the configuration leaves out', () => {
  it.each([
    ['a folder above', { 'exclude.paths': ['/home/dev/diary'] }],
    ['its folder', { 'exclude.paths': ['/home/dev/diary/2026/'] }],
    ['its project', { 'exclude.projects': ['2026'] }],
    ['its id', { 'exclude.sessions': [DIARY] }],
    ['a beginning of its id', { 'exclude.sessions': [DIARY.slice(0, 8)] }],
    ['its id with the agent', { 'exclude.sessions': [`claude-code:${DIARY}`] }],
  ])('is not read, by %s', async (_, settings) => {
    const { portolan, exclude, ids } = twoSessions();
    exclude(settings);
    await portolan.index();
    expect(ids()).toEqual([OPEN]);
    expect(portolan.content().words).not.toHaveProperty('diary');
  });

  it.each([
    ['a folder with a longer name', { 'exclude.paths': ['/home/dev/dia'] }],
    ['another project', { 'exclude.projects': ['202'] }],
    ['a short beginning of its id', { 'exclude.sessions': [DIARY.slice(0, 7)] }],
  ])('is not what has %s', async (_, settings) => {
    const { portolan, exclude, ids } = twoSessions();
    exclude(settings);
    await portolan.index();
    expect(ids()).toEqual([OPEN, DIARY]);
  });

  it('is a folder that the user names by a link, and the agent by what it leads to', async () => {
    const home = new ClaudeHome();
    const link = join(temporaryFolder(), 'me');
    symlinkSync(home.path, link);
    written(home, OPEN, join(home.path, 'pier'), 'paint the pier');
    written(home, DIARY, join(home.path, 'diary', '2026'), 'dear diary');
    // Whether the folder is still there or not.
    for (const path of ['~/diary', join(link, 'diary')]) {
      const portolan = new Portolan({ ...home.env(), home: link });
      writeSettings(portolan.home, new Map([['exclude.paths', [path]]]));
      await portolan.index();
      expect(portolan.content().sessions.map((session) => session.nativeId)).toEqual([OPEN]);
      mkdirSync(join(home.path, 'diary'), { recursive: true });
    }
  });

  it('is whole histories, by their agent or by where they lie', async () => {
    const { home, portolan, exclude } = twoSessions();
    exclude({ 'exclude.sources': ['claude-code'] });
    await portolan.write(async () => {});
    expect(await portolan.write((stores) => stores.archive.units())).toEqual([]);
    exclude({ 'exclude.paths': [home.project] });
    expect(await portolan.index()).toMatchObject({ read: 0, excluded: 2, sessions: 0 });
  });

  it('is read no further, and nothing of it is kept but that it is left out', async () => {
    const { home, diary, portolan, exclude, ids } = twoSessions();
    exclude({ 'exclude.paths': ['/home/dev/diary'] });
    await portolan.index();
    home.append([diary.user('a secret thought')], DIARY);
    expect(await portolan.index()).toMatchObject({ read: 0, bytesRead: 0, excluded: 1 });
    expect(ids()).toEqual([OPEN]);
    const unit = await portolan.write((stores) =>
      stores.archive.db.row('SELECT path, checkpoint, failures, unknown FROM units WHERE checkpoint IS NULL'),
    );
    expect(unit).toEqual({ path: expect.stringMatching(/^#\d+$/), checkpoint: null, failures: null, unknown: null });
  });

  it('goes on to be kept where it was kept before, but is read no further', async () => {
    const { home, diary, portolan, exclude } = twoSessions();
    await portolan.index();
    exclude({ 'exclude.projects': ['2026'] });
    home.append([diary.user('a secret thought')], DIARY);
    expect(await portolan.index()).toMatchObject({ read: 0, excluded: 1 });
    expect(portolan.content().words).toHaveProperty('diary');
    expect(portolan.content().words).not.toHaveProperty('thought');
    // Left in again, it is read on from where reading stopped.
    exclude({});
    expect(await portolan.index()).toMatchObject({ read: 1, excluded: 0 });
    expect(portolan.content().words).toHaveProperty('thought');
  });

  it('is read when it is left out no more', async () => {
    const { portolan, exclude, ids } = twoSessions();
    exclude({ 'exclude.projects': ['2026'] });
    await portolan.index();
    exclude({ 'exclude.projects': ['other'] });
    expect(await portolan.index()).toMatchObject({ read: 1 });
    expect(ids()).toEqual([OPEN, DIARY]);
  });

  it('takes a session back that was begun to be kept before its folder was known', async () => {
    const home = new ClaudeHome();
    const script = new Script({ sessionId: DIARY, cwd: undefined }, DIARY);
    home.write([script.user('dear diary')], DIARY);
    const portolan = new Portolan(home.env());
    writeSettings(portolan.home, new Map([['exclude.paths', ['/home/dev/diary']]]));
    await portolan.index();
    expect(portolan.content().words).toHaveProperty('diary');
    home.append([new Script({ sessionId: DIARY, cwd: '/home/dev/diary' }, 'later').user('and so on')], DIARY);
    await portolan.index();
    expect(portolan.content().sessions).toEqual([]);
    expect(portolan.content().words).not.toHaveProperty('diary');
  });

  it('is the prompts of a session too, and its sub-agents', async () => {
    const { home, portolan, exclude } = twoSessions();
    const agent = new Script({ sessionId: DIARY, cwd: '/elsewhere', isSidechain: true, agentId: 'a1' }, 'agent');
    home.write([agent.user('look into the diary')], `${DIARY}/subagents/agent-a1.jsonl`);
    exclude({ 'exclude.sessions': [DIARY] });
    await portolan.index();
    expect(portolan.content().sessions.map((session) => session.nativeId)).toEqual([OPEN]);
  });
});
