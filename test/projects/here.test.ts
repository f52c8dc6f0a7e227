import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Evidence, LAYOUTS } from '../../src/projects/evidence.ts';
import { ProjectNames } from '../../src/projects/here.ts';
import { Repositories } from '../../src/projects/repository.ts';
import { temporaryFolder } from '../support/folders.ts';
import { makeRepository, makeWorktree } from '../support/git.ts';

const NOTHING: Evidence = { seen: [], places: [], aliases: { mole: 'Breakwater' }, layouts: LAYOUTS };

describe('the names of a place', () => {
  it('are all that its project may be called, though nothing is known yet', () => {
    const names = new ProjectNames(() => NOTHING);
    expect(names.at('/home/dev/a/web/.claude/worktrees/x', undefined)).toEqual(
      expect.arrayContaining(['web', 'a/web', 'dev/a/web']),
    );
    expect(names.at('/home/dev/x', 'git@github.com:Harbour/Pier')).toEqual(
      expect.arrayContaining(['Pier', 'harbour/pier']),
    );
    expect(names.at('/home/dev/mole', undefined)).toContain('Breakwater');
    expect(names.at('/home/dev', undefined)).toEqual([]);
    expect(names.at(undefined, undefined)).toEqual([]);
  });

  it('are those of the repository that it is a worktree of', () => {
    const at = temporaryFolder();
    const pier = makeRepository(join(at, 'pier'), { remote: 'git@github.com:harbour/great-pier' });
    const tide = makeWorktree(join(at, 'tide'), join(pier, '.git'), 'tide');
    const names = new ProjectNames(() => NOTHING, new Repositories({ platform: 'linux', home: '/home/dev' }));
    expect(names.at(tide, undefined)).toEqual(expect.arrayContaining(['tide', 'great-pier', 'harbour/great-pier']));
  });

  it('ask for what is known once', () => {
    let asked = 0;
    const names = new ProjectNames(() => {
      asked++;
      return NOTHING;
    });
    for (const cwd of ['/home/dev/a', '/home/dev/b', '/home/dev/a']) names.at(cwd, undefined);
    expect(asked).toBe(1);
  });
});
