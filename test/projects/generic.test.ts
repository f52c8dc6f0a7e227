import { describe, expect, it } from 'vitest';
import { folderOf } from '../../src/projects/folder.ts';
import { isGeneric } from '../../src/projects/generic.ts';

describe('a folder that says nothing of what was worked on', () => {
  it.each([
    '/',
    '~',
    '/home',
    '/home/dev',
    '/Users/dev/',
    '/root',
    '/tmp',
    '/private/tmp',
    '/var/tmp',
    '/var/folders/xy/abc/T',
    '/usr',
    '/home/dev/Desktop',
    '/Users/dev/Downloads',
    '/Users/dev/Documents',
    '/Users/dev/Library/Application Support/Some App/probe',
    'C:\\',
    'C:\\Users',
    'C:\\Users\\dev',
    'c:\\windows\\system32',
    'C:\\Program Files\\Editor',
    'C:\\Users\\dev\\OneDrive\\Desktop',
    'C:\\Users\\dev\\OneDrive - Harbour',
    'C:\\Users\\dev\\AppData\\Local\\Temp',
    '/mnt/c/Users/dev',
  ])('%s', (path) => {
    expect(isGeneric(folderOf(path)!)).toBe(true);
  });

  it.each([
    '/home/dev/pier',
    '/home/dev/Desktop/pier',
    '/home/dev/.config/nvim',
    '/Users/dev/Documents/Harbour',
    '/Users/dev/Library/pier',
    '/tmp/pier',
    '/srv/pier',
    '/workspace',
    'C:\\pier',
    'C:\\Users\\dev\\OneDrive\\Desktop\\pier',
    'C:\\Users\\dev\\.claude',
  ])('is not %s', (path) => {
    expect(isGeneric(folderOf(path)!)).toBe(false);
  });
});
