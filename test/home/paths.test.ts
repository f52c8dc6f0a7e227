import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeOf, makeHome } from '../../src/home/paths.ts';
import { temporaryFolder } from '../support/folders.ts';

describe('Portolan’s home', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', { HOME: '/home/dev' }, '/home/dev/.local/share/portolan'],
    ['linux', { HOME: '/home/dev', XDG_DATA_HOME: '/data' }, '/data/portolan'],
    ['linux', { HOME: '/home/dev', XDG_DATA_HOME: '' }, '/home/dev/.local/share/portolan'],
    ['darwin', { HOME: '/Users/dev' }, '/Users/dev/Library/Application Support/portolan'],
    ['win32', { HOME: '/dev', LOCALAPPDATA: '/local' }, '/local/portolan'],
    ['win32', { HOME: '/dev' }, '/dev/AppData/Local/portolan'],
    ['linux', { HOME: '/home/dev', PORTOLAN_HOME: '/mine' }, '/mine'],
    ['darwin', { HOME: '/Users/dev', PORTOLAN_HOME: '' }, '/Users/dev/Library/Application Support/portolan'],
  ])('on %s with %o is %s', (platform, variables, path) => {
    expect(homeOf(variables, platform)).toEqual({
      path,
      archive: join(path, 'archive.db'),
      index: join(path, 'index'),
      lock: join(path, 'lock.db'),
      config: join(path, 'config.json'),
      notes: join(path, 'notes.jsonl'),
      log: join(path, 'portolan.log'),
      code: join(path, 'code'),
    });
  });

  it('is made for its owner alone, and may be there already', () => {
    const home = homeOf({ PORTOLAN_HOME: join(temporaryFolder(), 'a', 'portolan') }, 'linux');
    makeHome(home);
    makeHome(home);
    for (const path of [home.path, home.index]) expect(statSync(path).mode & 0o777).toBe(0o700);
  });
});
