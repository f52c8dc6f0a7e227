import { describe, expect, it } from 'vitest';
import { folderOf, homeDepth, pathOf } from '../../src/projects/folder.ts';

const idOf = (path: string) => folderOf(path, '/home/dev')?.id;

describe('a folder', () => {
  it.each<[path: string, id: string | undefined]>([
    ['/home/dev/pier', '/home/dev/pier'],
    ['/home/dev/pier/', '/home/dev/pier'],
    ['/home//dev/./pier/../mole', '/home/dev/mole'],
    ['/home/dev/Pier', '/home/dev/Pier'],
    ['//home/dev/pier', '/home/dev/pier'],
    ['~', '/home/dev'],
    ['~/pier', '/home/dev/pier'],
    ['file:///home/dev/Caf%C3%A9', '/home/dev/Café'],
    ['file:///home/dev/100%', '/home/dev/100%'],
    ['/', '/'],
    ['/Users/Dev/Pier', '/users/dev/pier'],
    ['/private/tmp/x', '/tmp/x'],
    ['/private/variety', '/private/variety'],
    ['C:\\Users\\Dev\\Pier', 'c:/users/dev/pier'],
    ['c:/users/dev/pier/', 'c:/users/dev/pier'],
    ['C:', 'c:/'],
    ['/mnt/c/Users/Dev/Pier', 'c:/users/dev/pier'],
    ['/cygdrive/d/Pier', 'd:/pier'],
    ['/mnt/data/pier', '/mnt/data/pier'],
    ['file:///C:/Users/Dev', 'c:/users/dev'],
    ['\\\\?\\C:\\Pier', 'c:/pier'],
    ['\\\\Server\\Share\\Pier', '//server/share/pier'],
    ['\\\\?\\UNC\\Server\\Share\\Pier', '//server/share/pier'],
    ['\\\\wsl.localhost\\Ubuntu\\home\\dev\\pier', '/home/dev/pier'],
    ['\\\\wsl$\\Ubuntu\\home\\dev\\pier', '/home/dev/pier'],
    ['pier', undefined],
    ['', undefined],
    ['./pier', undefined],
    ['https://example.org/pier', undefined],
  ])('%s', (path, id) => {
    expect(idOf(path)).toBe(id);
  });

  it('keeps the spelling of its names', () => {
    expect(pathOf(folderOf('C:\\Users\\Dev\\Pier')!)).toBe('c:/Users/Dev/Pier');
    expect(folderOf('/Users/Dev/Pier')!.names).toEqual(['Users', 'Dev', 'Pier']);
  });

  it.each<[path: string, depth: number | undefined]>([
    ['/home/dev/pier', 2],
    ['/home', undefined],
    ['/Users/dev', 2],
    ['/root/pier', 1],
    ['/var/home/dev/pier', 3],
    ['C:\\Users\\dev', 2],
    ['/mnt/c/Users/dev/pier', 2],
    ['/srv/pier', undefined],
  ])('knows the home in %s', (path, depth) => {
    expect(homeDepth(folderOf(path)!)).toBe(depth);
  });
});
