import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Folders, type SeenFolder } from '../../src/archive/folders.ts';
import { openArchive } from '../../src/archive/schema.ts';
import { temporaryFolder } from '../support/folders.ts';

const opened = () => new Folders(openArchive(join(temporaryFolder(), 'archive.db')));
const PIER: SeenFolder = { path: '/home/dev/tide', root: '/home/dev/pier', remote: '//x.org/a/pier', born: 7, at: 1 };

describe('what was seen of a folder', () => {
  it('is kept, and is new only where it is not what was seen last', () => {
    const folders = opened();
    expect(folders.keep(PIER)).toBe(true);
    expect(folders.keep({ ...PIER, at: 2 })).toBe(false);
    expect(folders.seen()).toEqual([PIER]);
  });

  it('stays beside what is seen later, and comes back with its new time', () => {
    const folders = opened();
    const moved = { path: PIER.path, root: '/home/dev/quay', at: 2 };
    folders.keep(PIER);
    expect(folders.keep(moved)).toBe(true);
    expect(folders.seen()).toEqual([PIER, moved]);
    expect(folders.keep({ ...PIER, at: 3 })).toBe(true);
    expect(folders.seen()).toEqual([{ ...PIER, at: 3 }, moved]);
  });

  it('is not replaced by nothing, and nothing is noted as looked for', () => {
    const folders = opened();
    folders.keep(PIER);
    expect(folders.keep({ path: PIER.path, root: '', at: 2 })).toBe(false);
    expect(folders.keep({ path: '/home/dev/mole', root: '', at: 2 })).toBe(false);
    expect(folders.seen()).toEqual([PIER]);
    expect([...folders.paths()].sort()).toEqual(['/home/dev/mole', PIER.path]);
  });

  it('goes where its folder is told of no more', () => {
    const folders = opened();
    folders.keep(PIER);
    folders.keep({ path: '/home/dev/mole', root: '', at: 2 });
    folders.keepOnly(new Set(['/home/dev/mole']));
    expect([...folders.paths()]).toEqual(['/home/dev/mole']);
  });
});
