import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Disk, Repositories } from '../../src/projects/repository.ts';
import { temporaryFolder, writeAt } from '../support/folders.ts';
import { git, HAS_GIT, makeRepository, makeWorktree } from '../support/git.ts';

const REMOTE = 'git@github.com:harbour/pier.git';
const machine = { platform: 'linux', home: '/home/dev' } as const;
let at: string;
const look = (path: string) => new Repositories(machine).of(path);

beforeEach(() => {
  at = temporaryFolder();
});

describe('the repository of a folder', () => {
  it('is found from the folder up, with its remote', () => {
    const pier = makeRepository(join(at, 'pier'), { remote: REMOTE });
    const found = { root: pier, remote: '//github.com/harbour/pier' };
    expect(look(pier)).toEqual(found);
    mkdirSync(join(pier, 'src', 'deep'), { recursive: true });
    expect(look(join(pier, 'src', 'deep'))).toEqual(found);
    expect(look(join(pier, 'deleted', 'long', 'ago'))).toEqual(found);
    expect(look(join(pier, '.git'))).toEqual(found);
  });

  it('is none where there is none, and where `.git` is no repository', () => {
    expect(look(join(at, 'nothing'))).toBeUndefined();
    mkdirSync(join(at, 'empty', '.git'), { recursive: true });
    expect(look(join(at, 'empty'))).toBeUndefined();
    writeAt(join(at, 'strange', '.git'), 'hello\n');
    expect(look(join(at, 'strange'))).toBeUndefined();
  });

  it.each([
    [
      'origin before others',
      '[remote "fork"]\n\turl = git@x.org:a/b\n[remote "origin"]\n\turl = git@x.org:c/d\n',
      '//x.org/c/d',
    ],
    [
      'the first where there is no origin',
      '[remote "a"]\n\turl = "git@x.org:a/b"\n[remote "b"]\n url=git@x.org:c/d\n',
      '//x.org/a/b',
    ],
    ['no user and no token', '[remote "origin"]\n\turl = https://u:ghp_0123456789@x.org/a/b.git\n', '//x.org/a/b'],
    ['none where it is a folder', '[remote "origin"]\n\turl = /srv/git/pier.git\n', undefined],
    [
      'none of another section',
      '[branch "x"]\n\turl = git@x.org:a/b\n[submodule "y"]\n\turl = git@x.org:c/d\n',
      undefined,
    ],
  ])('has one remote: %s', (_, config, remote) => {
    const pier = makeRepository(join(at, 'pier'));
    writeAt(join(pier, '.git', 'config'), config);
    expect(look(pier)?.remote).toBe(remote);
  });

  it('is the main one for a worktree, wherever that lies, with a path from there or from the root', () => {
    const pier = makeRepository(join(at, 'pier'), { remote: REMOTE });
    const found = { root: pier, remote: '//github.com/harbour/pier' };
    expect(look(makeWorktree(join(at, 'elsewhere', 'tide'), join(pier, '.git'), 'tide'))).toEqual(found);
    writeAt(join(pier, '.git', 'worktrees', 'near', 'commondir'), '../..\n');
    writeAt(join(at, 'near', '.git'), 'gitdir: ../pier/.git/worktrees/near');
    expect(look(join(at, 'near', 'src'))).toEqual(found);
  });

  it('is told by the path where the main one is gone, or has forgotten the worktree', () => {
    writeAt(join(at, 'tide', '.git'), `gitdir: ${join(at, 'pier', '.git', 'worktrees', 'tide')}\n`);
    expect(look(join(at, 'tide'))).toEqual({ root: join(at, 'pier') });
    makeRepository(join(at, 'pier'), { remote: REMOTE });
    expect(look(join(at, 'tide'))).toEqual({ root: join(at, 'pier'), remote: '//github.com/harbour/pier' });
  });

  it('is the folder of the worktrees beside a bare one', () => {
    makeRepository(join(at, 'pier'), { remote: REMOTE, git: join(at, 'pier', '.bare') });
    writeAt(join(at, 'pier', '.git'), 'gitdir: ./.bare\n');
    const found = { root: join(at, 'pier'), remote: '//github.com/harbour/pier' };
    expect(look(makeWorktree(join(at, 'pier', 'main'), join(at, 'pier', '.bare'), 'main'))).toEqual(found);
    expect(look(join(at, 'pier'))).toEqual(found);
    expect(look(join(at, 'pier', '.bare'))).toEqual(found);
  });

  it('is the bare one itself where it lies beside its worktrees', () => {
    const bare = join(at, 'pier.git');
    makeRepository(join(at, 'x'), { remote: REMOTE, git: bare });
    const found = { root: bare, remote: '//github.com/harbour/pier' };
    expect(look(makeWorktree(join(at, 'pier-main'), bare, 'main'))).toEqual(found);
    expect(look(bare)).toEqual(found);
  });

  it.skipIf(process.platform === 'win32')('does not wait for what is no file', () => {
    const pier = makeRepository(join(at, 'pier'), { remote: REMOTE });
    rmSync(join(pier, '.git', 'config'));
    execFileSync('mkfifo', [join(pier, '.git', 'config')]);
    expect(look(pier)).toEqual({ root: pier });
    writeAt(join(at, 'tide', '.git'), 'gitdir: /dev/zero\n');
    expect(look(join(at, 'tide'))).toEqual({ root: join(at, 'tide') });
  });

  it('is a submodule’s own', () => {
    const pier = makeRepository(join(at, 'pier'), { remote: REMOTE });
    const lamp = join(pier, 'lib', 'lamp');
    makeRepository(lamp, { remote: 'https://x.org/a/lamp', git: join(pier, '.git', 'modules', 'lib', 'lamp') });
    writeAt(join(lamp, '.git'), 'gitdir: ../../.git/modules/lib/lamp\n');
    expect(look(join(lamp, 'src'))).toEqual({ root: lamp, remote: '//x.org/a/lamp' });
  });

  it('is known again where it was moved, by the beginning of its log', () => {
    const pier = makeRepository(join(at, 'pier'), {
      log: '0000 abc Dev <dev@example.org> 1700000000 +0000\tcommit (initial)',
    });
    const other = makeRepository(join(at, 'mole'), {
      log: '0000 def Dev <dev@example.org> 1700000001 +0000\tcommit (initial)',
    });
    const before = look(pier)!.born;
    renameSync(pier, join(at, 'quay'));
    expect(before).toBeTypeOf('number');
    expect(look(join(at, 'quay'))?.born).toBe(before);
    expect(look(other)?.born).not.toBe(before);
  });

  it('is looked for once a folder', () => {
    const counts = new Map<string, number>();
    const count = (path: string) => void counts.set(path, (counts.get(path) ?? 0) + 1);
    const disk: Disk = { kind: count, link: () => undefined, beginning: count };
    const repositories = new Repositories(machine, disk);
    for (let i = 0; i < 1000; i++) repositories.of(`/srv/work/pier/packages/p${i % 10}`);
    // Ten packages, three folders above them; what lies in /srv is of many.
    expect(counts.size).toBe(13);
    expect([...counts.values()].every((n) => n === 1)).toBe(true);
  });

  it('is not what a home is, for the folders below that', () => {
    const asked: string[] = [];
    const disk: Disk = {
      kind(path) {
        asked.push(path);
        return path === '/home/dev/.git' ? 'folder' : path === '/home/dev/.git/HEAD' ? 'file' : undefined;
      },
      link: () => undefined,
      beginning: () => undefined,
    };
    const repositories = new Repositories(machine, disk);
    expect(repositories.of('/home/dev/pier')).toBeUndefined();
    expect(asked).toEqual(['/home/dev/pier/.git']);
    expect(repositories.of('/home/dev')).toEqual({ root: '/home/dev' });
  });
});

describe.skipIf(!HAS_GIT)('what git itself makes', () => {
  const pier = () => {
    const folder = join(at, 'pier');
    mkdirSync(folder);
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'remote', 'add', 'origin', REMOTE);
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'Begin');
    return folder;
  };

  it('is read as git reads it: worktree, submodule, bare clone, a copy elsewhere', () => {
    const folder = pier();
    const { born } = look(folder)!;
    const found = { root: folder, remote: '//github.com/harbour/pier', born };
    git(folder, 'worktree', 'add', '-q', '../tide');
    expect(look(join(at, 'tide'))).toEqual(found);

    mkdirSync(join(at, 'lamp'));
    git(join(at, 'lamp'), 'init', '-q');
    git(join(at, 'lamp'), 'commit', '-q', '--allow-empty', '-m', 'Begin');
    git(folder, 'submodule', 'add', '-q', join(at, 'lamp'), 'lib/lamp');
    expect(look(join(folder, 'lib', 'lamp'))).toMatchObject({ root: join(folder, 'lib', 'lamp') });
    git(join(folder, 'lib', 'lamp'), 'worktree', 'add', '-q', join(at, 'lamp-tide'));
    expect(look(join(at, 'lamp-tide'))).toMatchObject({ root: join(folder, 'lib', 'lamp') });

    git(at, 'clone', '-q', '--bare', 'pier', 'quay/.bare');
    git(join(at, 'quay', '.bare'), 'worktree', 'add', '-q', '../main', 'main');
    expect(look(join(at, 'quay', 'main'))?.root).toBe(join(at, 'quay'));

    git(at, 'init', '-q', '--separate-git-dir', join(at, 'apart'), join(at, 'mole'));
    expect(look(join(at, 'mole'))?.root).toBe(join(at, 'mole'));

    cpSync(folder, join(at, 'copy'), { recursive: true });
    rmSync(folder, { recursive: true });
    expect(look(join(at, 'copy'))).toEqual({ ...found, root: join(at, 'copy') });
  });
});
