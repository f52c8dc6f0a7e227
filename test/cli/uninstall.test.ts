import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeOf } from '../../src/home/paths.ts';
import { openForWriting } from '../../src/ingest/writable-stores.ts';
import { Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';
import { stateOf } from '../support/folders.ts';

let user: User;
beforeEach(async () => {
  const session = new Transcript('uninstall session');
  session.prompt('Find the beacon.');
  user = newUser([session]);
  await user.run('index');
});
afterEach(() => user.remove());

/** Names and contents below a folder, whatever their times. */
const contents = (folder: string) =>
  stateOf(folder).map((line) =>
    line
      .split(' ')
      .filter((_, i) => i < 2 || i > 3)
      .join(' '),
  );

describe('portolan uninstall', () => {
  it('leaves the agents as they were before setup, and what was kept', async () => {
    const claude = join(user.home, '.claude');
    const before = contents(claude);
    await user.run('setup', 'claude-code', '--yes');
    expect(contents(claude)).not.toEqual(before);
    const { document, code } = await user.json('uninstall', '--yes');
    expect(code).toBe(0);
    expect(document).toMatchObject({ done: true, agents: [{ agent: 'claude-code' }] });
    expect(contents(claude)).toEqual(before);
    expect((await user.json('search', 'beacon')).document.hits).toHaveLength(1);
  });

  it('with --purge leaves nothing, and touches nothing of anybody else', async () => {
    await user.run('setup', 'claude-code', '--yes');
    await user.run('config', 'set', 'log', 'all');
    await user.run('index');
    await user.run('start', '--demo');
    mkdirSync(join(user.kept, 'bin'), { recursive: true });
    const theirs = ['bin/my-tool', 'archive.db.backup', 'photo.png'];
    for (const name of theirs) writeFileSync(join(user.kept, name), 'mine');
    const { stderr, code } = await user.run('uninstall', '--purge', '--yes');
    expect(code).toBe(0);
    expect(readdirSync(user.kept, { recursive: true }).sort()).toEqual([...theirs, 'bin'].sort());
    for (const name of theirs) expect(stderr).toContain(join(user.kept, name));
  });

  it('with --purge takes the folder too where nothing else is in it', async () => {
    await user.run('uninstall', '--purge', '--yes');
    expect(existsSync(user.kept)).toBe(false);
    expect((await user.run('uninstall', '--purge', '--yes')).stdout).toContain('there is nothing to delete');
  });

  it('asks first, and waits for who is writing', async () => {
    expect((await user.json('uninstall', '--purge')).document.done).toBe(false);
    expect((await user.run('uninstall', '--purge')).code).toBe(2);
    const stores = openForWriting(homeOf({ PORTOLAN_HOME: user.kept }))!;
    try {
      expect((await user.json('uninstall', '--purge', '--yes')).document.error.code).toBe('busy');
    } finally {
      stores.close();
    }
    expect((await user.json('search', 'beacon')).document.hits).toHaveLength(1);
  });
});
