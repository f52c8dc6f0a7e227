import { describe, expect, it } from 'vitest';
import { mayLook } from '../../src/projects/permission.ts';
import { type Disk, Repositories } from '../../src/projects/repository.ts';

const mac = { platform: 'darwin', home: '/Users/dev' } as const;
const linux = { platform: 'linux', home: '/home/dev' } as const;
const windows = { platform: 'win32', home: 'C:\\Users\\dev' } as const;

const GUARDED = [
  '/Users/dev/Desktop/pier',
  '/Users/dev/desktop/pier',
  '/Users/dev/Documents/harbour/pier',
  '/Users/dev/Downloads',
  '/Users/dev/Library/Mobile Documents/com~apple~CloudDocs/pier',
  '/Users/dev/Library/CloudStorage/Dropbox/pier',
  '/Users/dev/Pictures/pier',
  '/Users/dev/Music',
  '/Users/dev/Movies/pier',
  '/Users/dev/Dropbox/pier',
  '/Users/other/Documents/pier',
  '/Volumes/Stick/pier',
  '/Network/Servers/x',
  '/net/host/pier',
  '/home/dev/pier',
  '~/Documents/pier',
  'file:///Users/dev/Documents/pier',
  'C:\\Users\\dev\\pier',
  '//server/../Volumes/x',
];

describe('a look at a folder', () => {
  it.each(GUARDED)('is not taken on macOS: %s', (path) => {
    expect(mayLook(path, mac)).toBe(false);
  });

  it('is not taken of anything there: neither of the folder, nor above, nor of its repository', () => {
    const asked: string[] = [];
    const disk: Disk = {
      kind: (path) => void asked.push(path),
      link: () => undefined,
      beginning: (path) => void asked.push(path),
    };
    const repositories = new Repositories(mac, disk);
    for (const path of GUARDED) expect(repositories.of(path)).toBeUndefined();
    expect(asked).toEqual([]);
    // A look that is allowed goes up to the home and no further.
    repositories.of('/Users/dev/code/pier');
    expect(asked).toEqual(['/Users/dev/code/pier/.git', '/Users/dev/code/.git']);
  });

  it('does not follow a worktree into a guarded folder: its path tells the repository', () => {
    const asked: string[] = [];
    const disk: Disk = {
      kind: (path) => {
        asked.push(path);
        return path === '/Users/dev/wt/tide/.git' ? 'file' : undefined;
      },
      link: () => undefined,
      beginning: (path) => {
        asked.push(path);
        return path === '/Users/dev/wt/tide/.git'
          ? 'gitdir: /Users/dev/Documents/pier/.git/worktrees/tide\n'
          : undefined;
      },
    };
    expect(new Repositories(mac, disk).of('/Users/dev/wt/tide/src')).toEqual({ root: '/Users/dev/Documents/pier' });
    expect(asked.filter((path) => path.includes('Documents'))).toEqual([]);
  });

  it.each([
    ['/Users/dev/code/pier', 'Documents/code'],
    ['/Users/dev/code', '/Users/dev/Documents/code'],
    ['/Users/dev/code/pier/src', '/Users/dev/again'],
    ['/Users/dev/code', 'code'],
  ])('does not follow a link into a guarded folder, nor one round and round: %s', (path, target) => {
    const asked: string[] = [];
    const links = new Map([
      ['/Users/dev/code', target],
      ['/Users/dev/again', '/Volumes/Stick'],
    ]);
    const ask = (asking: string) => void asked.push(asking);
    const repositories = new Repositories(mac, { kind: ask, link: (asking) => links.get(asking), beginning: ask });
    expect(repositories.of(path)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('follows a link to a folder that is not guarded', () => {
    const asked: string[] = [];
    const link = (path: string) => (path === '/Users/dev/code' ? '/Users/dev/src' : undefined);
    const repositories = new Repositories(mac, {
      kind: (path) => void asked.push(path),
      link,
      beginning: () => undefined,
    });
    repositories.of('/Users/dev/code/pier');
    expect(asked).toContain('/Users/dev/code/pier/.git');
  });

  it.each(['/Users/dev/code/pier', '/Users/dev', '/opt/pier', '/tmp/pier'])('is taken on macOS: %s', (path) => {
    expect(mayLook(path, mac)).toBe(true);
  });

  it.each([
    ['/home/dev/Documents/pier', true],
    ['/mnt/data/pier', true],
    ['/mnt/c/Users/dev/pier', false],
    ['C:\\Users\\dev\\pier', false],
    ['\\\\server\\share\\pier', false],
    ['/media/dev/stick/pier', false],
    ['/run/user/1000/gvfs/pier', false],
    ['relative', false],
  ])('on Linux: %s %s', (path, may) => {
    expect(mayLook(path, linux)).toBe(may);
  });

  it.each([
    ['C:\\Users\\dev\\pier', true],
    ['\\\\server\\share\\pier', false],
    ['/home/dev/pier', false],
    ['/mnt/c/pier', false],
  ])('on Windows: %s %s', (path, may) => {
    expect(mayLook(path, windows)).toBe(may);
  });
});
