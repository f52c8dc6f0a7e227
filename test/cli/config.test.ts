import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';

let user: User;
beforeAll(async () => {
  const session = new Transcript('config session');
  session.prompt('Find the beacon.');
  session.answer('It is on the pier.');
  user = newUser([session]);
});
afterAll(() => user.remove());

/** What is set, as it stands in the file. */
const kept = () => {
  const path = join(user.kept, 'config.json');
  return existsSync(path) ? readFileSync(path, 'utf8') : '{}';
};
const value = async (key: string) => (await user.json('config', 'get', key)).document.value;

describe('portolan config', () => {
  it('lists every setting with what holds where nothing is set', async () => {
    const { document, code } = await user.json('config');
    expect(code).toBe(0);
    expect(document.path).toBe(join(user.kept, 'config.json'));
    expect(document.settings.map((one: { key: string }) => one.key)).toContain('exclude.paths');
    expect(document.settings.find((one: { key: string }) => one.key === 'keep')).toMatchObject({
      value: 'forever',
      is_set: false,
    });
  });

  it('sets, adds to, takes from and unsets', async () => {
    await user.run('config', 'set', 'keep', '90', 'days');
    expect(await value('keep')).toBe('90 days');
    await user.run('config', 'unset', 'keep');
    expect(await value('keep')).toBe('forever');
    await user.run('config', 'add', 'exclude.projects', 'diary', 'taxes');
    await user.run('config', 'add', 'exclude.projects', 'diary');
    expect(await value('exclude.projects')).toEqual(['diary', 'taxes']);
    await user.run('config', 'remove', 'exclude.projects', 'taxes', 'diary');
    expect(await value('exclude.projects')).toEqual([]);
    await user.run('config', 'add', 'projects.families', 'harbour', 'pier', 'quay');
    await user.run('config', 'remove', 'projects.families', 'harbour', 'pier');
    expect(await value('projects.families')).toEqual({ harbour: ['quay'] });
    await user.run('config', 'set', 'projects.aliases', 'pier', 'Old', 'Pier');
    expect(await value('projects.aliases')).toEqual({ pier: 'Old Pier' });
    await user.run('config', 'remove', 'projects.aliases', 'pier');
    expect(await value('projects.aliases')).toEqual({});
  });

  it('keeps folders whole and agents by their ids', async () => {
    await user.run('config', 'add', 'exclude.paths', 'private');
    expect(await value('exclude.paths')).toEqual([join(user.home, 'private')]);
    await user.run('config', 'unset', 'exclude.paths');
    await user.run('config', 'add', 'exclude.sources', 'Claude Code');
    expect(await value('exclude.sources')).toEqual(['claude-code']);
    expect((await user.json('index')).document.sources).not.toHaveProperty('claude-code');
    expect((await user.json('doctor')).document.sources['claude-code'].state).toBe('excluded');
    expect((await user.json('search', 'beacon')).document.sources['claude-code']).toEqual({
      state: 'excluded',
      reason: 'left out by the configuration: exclude.sources',
    });
    await user.run('config', 'unset', 'exclude.sources');
  });

  it.each([
    [['explode'], 'bad_action'],
    [['get'], 'no_setting'],
    [['get', 'nothing'], 'no_setting'],
    [['set', 'keep'], 'no_value'],
    [['set', 'keep', 'soon'], 'bad_value'],
    [['set', 'log', 'loud'], 'bad_value'],
    [['add', 'redaction.patterns', '(('], 'bad_value'],
    [['add', 'exclude.sources', 'nobody'], 'no_agent'],
    [['remove', 'exclude.projects', 'nobody'], 'not_there'],
    [['set', 'projects.aliases', 'pier'], 'no_value'],
  ])('refuses %o', async (args, code) => {
    const before = kept();
    const refused = await user.json('config', ...args);
    expect(refused.document.error).toMatchObject({ code, hint: expect.stringMatching(/\w/) });
    expect(refused.code).toBe(2);
    expect(kept()).toBe(before);
  });

  it('is refused whole where it is not understood, and nothing is read', async () => {
    const path = join(user.kept, 'config.json');
    const before = kept();
    mkdirSync(user.kept, { recursive: true });
    writeFileSync(path, '{"exclude": {"project": ["diary"]}}');
    const refused = await user.json('index');
    expect(refused.code).toBe(2);
    expect(refused.document.error).toMatchObject({
      code: 'bad_config',
      message: expect.stringContaining('“exclude.project”: there is no such setting'),
    });
    writeFileSync(path, before);
  });
});
