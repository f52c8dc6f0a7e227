import { describe, expect, it } from 'vitest';
import { remoteOf, spelledRemote } from '../../src/projects/remote.ts';

describe('a remote', () => {
  it.each([
    'git@github.com:Harbour/Pier.git',
    'https://github.com/harbour/pier',
    'https://github.com/harbour/pier.git/',
    'https://dev:ghp_secret@github.com/harbour/pier.git',
    'ssh://git@github.com:22/harbour/pier.git',
    'ssh://git@ssh.github.com:443/harbour/pier.git',
    'git://www.github.com/harbour/pier',
    'git@github.com-work:harbour/pier.git',
    'git+ssh://git@github.com/harbour/pier.git',
    '//github.com/Harbour/Pier',
    ' https://github.com/harbour/pier?ref=x#y ',
  ])('is one for every spelling: %s', (url) => {
    expect(remoteOf(url)?.key).toBe('github.com/harbour/pier');
  });

  it.each([
    ['https://gitlab.com/a/b/c/pier.git', 'gitlab.com/a/b/c/pier'],
    ['https://dev.azure.com/org/area/_git/pier', 'dev.azure.com/org/area/pier'],
    ['git@ssh.dev.azure.com:v3/org/area/pier', 'dev.azure.com/org/area/pier'],
    ['work:harbour/pier.git', 'work/harbour/pier'],
    ['http://localhost:3000/harbour/pier', 'localhost/harbour/pier'],
  ])('%s', (url, key) => {
    expect(remoteOf(url)?.key).toBe(key);
  });

  it.each([
    '',
    '/srv/git/pier.git',
    '../pier',
    'C:\\git\\pier',
    'c:/git/pier',
    'file:///srv/git/pier',
    'https://',
    'pier',
  ])('is none where it is a folder or nothing: %s', (url) => {
    expect(remoteOf(url)).toBeUndefined();
  });

  it('is kept without user and token, and read back as the same', () => {
    const kept = spelledRemote('https://dev:ghp_secret@github.com/Harbour/Pier.git');
    expect(kept).toBe('//github.com/Harbour/Pier');
    expect(remoteOf(kept!)).toEqual({ key: 'github.com/harbour/pier', names: ['github.com', 'Harbour', 'Pier'] });
    expect(remoteOf(spelledRemote('work:harbour/pier.git')!)?.key).toBe('work/harbour/pier');
  });
});
