import { describe, expect, it } from 'vitest';
import type { SeenFolder } from '../../src/archive/folders.ts';
import type { Place } from '../../src/catalog/places.ts';
import { type Evidence, LAYOUTS } from '../../src/projects/evidence.ts';
import { ProjectMap } from '../../src/projects/project-map.ts';
import { Chance } from '../support/chance.ts';

type Told = string | readonly [cwd: string, told: { readonly remote?: string; readonly branch?: string }];

const NO_WORK = new Map<string, number>();
const seen = (path: string, root: string, more: Partial<SeenFolder> = {}): SeenFolder => ({
  path,
  root,
  at: 1,
  ...more,
});

function evidence(places: readonly Told[], more: Partial<Evidence> = {}): Evidence {
  const told = places.map(
    (place): Place => (typeof place === 'string' ? { cwd: place } : { cwd: place[0], ...place[1] }),
  );
  return { seen: [], places: told, aliases: {}, layouts: LAYOUTS, home: '/home/dev', ...more };
}

/** The names of the projects of places, in order. */
function named(places: readonly Told[], more: Partial<Evidence> = {}) {
  const all = evidence(places, more);
  const map = new ProjectMap(all);
  return all.places.map(({ cwd, remote }) => map.of(cwd, remote, NO_WORK)?.name);
}

const PIER = { remote: 'git@github.com:harbour/pier.git' };

describe('the project of a folder', () => {
  it('is called as the folder, where nothing else is known', () => {
    expect(named(['/home/dev/pier', '/home/dev/Café Menü 2.0/', 'C:\\dev\\lantern'])).toEqual([
      'pier',
      'Café Menü 2.0',
      'lantern',
    ]);
  });

  it('is none for a folder that says nothing', () => {
    expect(named(['/', '/home/dev', '/tmp', 'relative', '', 'C:\\Users\\dev'])).toEqual(Array(6).fill(undefined));
  });

  it('is one for the spellings of one folder', () => {
    expect(named(['C:\\Users\\dev\\Pier', 'c:\\users\\dev\\pier\\', '/mnt/c/Users/dev/Pier'])).toEqual(
      Array(3).fill('Pier'),
    );
    expect(named(['/Users/dev/Pier', '/Users/dev/pier'])).toEqual(['Pier', 'Pier']);
    expect(named(['/home/dev/pier', '~/pier'])).toEqual(['pier', 'pier']);
    expect(named(['/home/dev/Pier', '/home/dev/pier'])).toEqual(['Pier', 'pier']);
  });

  it('is told apart from another of that name by what stands before it', () => {
    expect(named(['/home/dev/a/web', '/home/dev/b/web', '/home/dev/b/api'])).toEqual(['a/web', 'b/web', 'api']);
    expect(
      named([
        ['/home/dev/x', { remote: 'git@github.com:one/web' }],
        ['/home/dev/y', { remote: 'git@github.com:two/web' }],
      ]),
    ).toEqual(['one/web', 'two/web']);
  });

  it('is one wherever it lies, with one remote', () => {
    expect(
      named([
        ['/home/dev/pier', PIER],
        ['/home/dev/old/quay', { remote: 'https://github.com/Harbour/pier' }],
        ['C:\\dev\\pier-2', PIER],
      ]),
    ).toEqual(['pier', 'pier', 'pier']);
  });

  it('is known for sessions that do not tell the remote, once another in that folder does', () => {
    expect(named(['/home/dev/quay', ['/home/dev/quay', PIER], '/home/dev/quay/.claude/worktrees/tide'])).toEqual([
      'pier',
      'pier',
      'pier',
    ]);
  });

  it('stays where the remote has another owner now, and is called as it was seen last', () => {
    const places: Told[] = [
      ['/home/dev/pier', { remote: 'git@github.com:one/pier' }],
      ['/home/dev/pier', { remote: 'git@github.com:two/pier' }],
      ['/home/dev/web', { remote: 'git@github.com:two/web' }],
    ];
    expect(named(places)).toEqual(['pier', 'pier', 'web']);
  });

  it('is another where the path was used again for something else', () => {
    const places: Told[] = [
      ['/home/dev/try', { remote: 'git@github.com:dev/lamp' }],
      ['/home/dev/try', { remote: 'git@github.com:dev/rope' }],
      '/home/dev/try',
    ];
    expect(named(places)).toEqual(['lamp', 'rope', 'try']);
    const now = [seen('/home/dev/try', '/home/dev/try', { remote: '//github.com/dev/rope', born: 2, at: 5 })];
    expect(named(places, { seen: now })).toEqual(['lamp', 'rope', 'rope']);
  });
});

describe('what was seen on disk', () => {
  it('gives a worktree and a folder inside to their repository, though they are gone now', () => {
    const disk = [
      seen('/home/dev/wt/tide', '/home/dev/pier'),
      seen('/home/dev/pier/packages/x', '/home/dev/pier'),
      seen('/srv/pier/main', '/srv/pier.git', { remote: '//github.com/harbour/mole' }),
    ];
    expect(
      named(['/home/dev/wt/tide', '/home/dev/pier/packages/x', '/home/dev/pier/y', '/srv/pier/main'], { seen: disk }),
    ).toEqual(['pier', 'pier', 'pier', 'mole']);
  });

  it('gives a folder that was deleted before it was seen to the repository around it', () => {
    const disk = [seen('/home/dev/pier', '/home/dev/pier', { remote: '//github.com/harbour/big-pier' })];
    expect(named(['/home/dev/pier/packages/gone', '/home/dev/pier-2'], { seen: disk })).toEqual(['big-pier', 'pier-2']);
  });

  it('tells a repository that was moved, by the beginning of its log', () => {
    const disk = [
      seen('/home/dev/pier', '/home/dev/pier', { born: 7, at: 1 }),
      seen('/home/dev/work/quay', '/home/dev/work/quay', { born: 7, at: 2 }),
    ];
    expect(named(['/home/dev/pier', '/home/dev/work/quay'], { seen: disk })).toEqual(['quay', 'quay']);
  });

  it('tells a repository that got another remote', () => {
    const disk = [
      seen('/home/dev/pier', '/home/dev/pier', { born: 7, at: 1, remote: '//github.com/dev/pier' }),
      seen('/home/dev/pier', '/home/dev/pier', { born: 7, at: 2, remote: '//gitlab.com/harbour/great-pier' }),
    ];
    expect(named(['/home/dev/pier', ['/home/old/x', { remote: 'git@github.com:dev/pier' }]], { seen: disk })).toEqual([
      'great-pier',
      'great-pier',
    ]);
  });

  it('does not make all that lies in a home one project, where that is a repository', () => {
    const disk = [seen('/home/dev', '/home/dev', { remote: '//github.com/dev/dotfiles' })];
    expect(named(['/home/dev/pier', '/home/dev'], { seen: disk })).toEqual(['pier', undefined]);
    const told: Told[] = [['/home/dev', { remote: 'git@github.com:dev/dotfiles' }], '/home/dev/pier'];
    expect(named(told, { seen: disk })).toEqual(['dotfiles', 'pier']);
  });

  it('leaves a submodule to itself', () => {
    const disk = [
      seen('/home/dev/pier', '/home/dev/pier'),
      seen('/home/dev/pier/lib/lamp', '/home/dev/pier/lib/lamp', { remote: '//x.org/a/lamp' }),
    ];
    expect(
      named(['/home/dev/pier/lib/lamp', '/home/dev/pier/lib/lamp/src', '/home/dev/pier/lib'], { seen: disk }),
    ).toEqual(['lamp', 'lamp', 'pier']);
  });
});

describe('what sessions tell', () => {
  it('gives folders inside a repository to it', () => {
    expect(
      named([
        ['/home/dev/pier', { branch: 'main' }],
        ['/home/dev/pier/web', { branch: 'main' }],
      ]),
    ).toEqual(['pier', 'pier']);
  });

  it('leaves a folder of many projects to itself, and what lies in it', () => {
    expect(named(['/home/dev/work', ['/home/dev/work/pier', { branch: 'main' }], '/home/dev/work/mole'])).toEqual([
      'work',
      'pier',
      'mole',
    ]);
  });

  it('leaves a repository inside another to itself, where its remote is another', () => {
    const places: Told[] = [
      ['/home/dev/pier', { branch: 'main' }],
      ['/home/dev/pier/vendor/lamp', { remote: 'https://x.org/a/lamp' }],
      ['/home/dev/pier/web', { remote: 'https://x.org/harbour/pier' }],
    ];
    expect(named(places)).toEqual(['pier', 'lamp', 'pier']);
  });

  it.each<[worktree: string, branch: string]>([
    ['/home/dev/src/dev/tide', 'dev/tide'],
    ['/home/dev/src/pier-tide', 'tide'],
    ['/home/dev/src/pier-dev-tide', 'dev/tide'],
    ['/home/dev/src/pier-tide', 'dev/tide'],
    ['/home/dev/src/dev-tide', 'dev/tide'],
  ])('gives a worktree made by hand to the repository beside it: %s of %s', (worktree, branch) => {
    expect(
      named([
        ['/home/dev/src/pier', { branch: 'main' }],
        [worktree, { branch }],
      ]),
    ).toEqual(['pier', 'pier']);
  });

  it.each<[folder: string, branch: string, name: string]>([
    ['/home/dev/src/pier-tide', 'main', 'pier-tide'],
    ['/home/dev/src/pier-main', 'main', 'pier-main'],
    ['/home/dev/src/mole-tide', 'tide', 'mole-tide'],
    ['/home/dev/other/dev/tide', 'dev/tide', 'tide'],
  ])('does not take another for one: %s of %s', (folder, branch, name) => {
    expect(
      named([
        ['/home/dev/src/pier', { branch: 'main' }],
        [folder, { branch }],
      ]),
    ).toEqual(['pier', name]);
  });

  it('does not guess which of several repositories a worktree is of', () => {
    expect(
      named([
        ['/home/dev/src/pier', { branch: 'main' }],
        ['/home/dev/src/mole', { branch: 'main' }],
        ['/home/dev/src/dev/tide', { branch: 'dev/tide' }],
      ]),
    ).toEqual(['pier', 'mole', 'tide']);
  });
});

describe('worktrees of managers', () => {
  it('are their repository’s, whose name they tell', () => {
    const places: Told[] = [
      ['/home/dev/src/pier', { branch: 'main' }],
      '/home/dev/.codex/worktrees/4f5e/pier',
      '/home/dev/.codex/worktrees/9a1b/pier/src',
      '/home/dev/.cursor/worktrees/pier/abc12',
      '/home/dev/conductor/workspaces/pier/lisbon',
    ];
    expect(named(places)).toEqual(Array(5).fill('pier'));
    expect(named([...places, ['/home/dev/src/pier', PIER]]).at(1)).toBe('pier');
  });

  it('are one project of that name where the repository is not known, or several are', () => {
    expect(named(['/home/dev/.codex/worktrees/4f5e/pier', '/home/dev/.codex/worktrees/9a1b/pier'])).toEqual([
      'pier',
      'pier',
    ]);
    const several: Told[] = [
      ['/home/dev/a/pier', { branch: 'main' }],
      ['/home/dev/b/pier', { branch: 'main' }],
      '/home/dev/.cursor/worktrees/pier/abc12',
    ];
    expect(named(several)).toEqual(['a/pier', 'b/pier', 'worktrees/pier']);
  });

  it('are none where nothing tells what they are of', () => {
    expect(named(['/var/tmp/vibe-kanban/worktrees/a0de-tide', '/home/dev/Documents/Codex/2026-05-15/tide'])).toEqual([
      undefined,
      undefined,
    ]);
    expect(named([['/var/tmp/vibe-kanban/worktrees/a0de-tide', PIER]])).toEqual(['pier']);
  });
});

describe('a folder that says nothing', () => {
  const map = new ProjectMap(
    evidence([['/home/dev/pier', { branch: 'main' }], ['/home/dev/mole', { branch: 'main' }], '/home/dev/notes'], {
      seen: [seen('/home/dev/rope/src', '/home/dev/rope')],
    }),
  );
  const worked = (
    work: Record<string, number>,
    { cwd, remote }: { cwd?: string; remote?: string } = { cwd: '/home/dev' },
  ) => map.of(cwd, remote, new Map(Object.entries(work)))?.name;

  it('has the project that more than half of the work was in', () => {
    expect(worked({ '/home/dev/pier/src': 3, '/home/dev/mole': 2 })).toBe('pier');
    expect(worked({ '/home/dev/pier/src': 2, '/home/dev/pier/.claude/worktrees/tide/x': 1, '/home/dev/mole': 2 })).toBe(
      'pier',
    );
    expect(worked({ '/home/dev/notes/today': 1 })).toBe('notes');
    expect(worked({ '/home/dev/rope/bin': 1 })).toBe('rope');
    expect(worked({ '/home/dev/pier': 1 }, {})).toBe('pier');
  });

  it('has none rather than a wrong one', () => {
    expect(worked({})).toBeUndefined();
    expect(worked({ '/home/dev/pier': 2, '/home/dev/mole': 2 })).toBeUndefined();
    expect(worked({ '/home/dev/pier': 2, '/home/dev/.bashrc': 2 })).toBeUndefined();
    expect(worked({ '/home/dev/unknown/src': 9 })).toBeUndefined();
  });

  it('is not judged by what was thrown away', () => {
    expect(worked({ '/home/dev/pier': 1, '/tmp': 5 })).toBe('pier');
  });

  it('that is a repository itself has that project, where no work tells another', () => {
    const remote = 'git@github.com:dev/dotfiles';
    expect(worked({}, { cwd: '/home/dev', remote })).toBe('dotfiles');
    expect(worked({ '/home/dev/pier': 1 }, { cwd: '/home/dev', remote })).toBe('pier');
  });

  it('or none at all, has the project of the remote that the session tells', () => {
    expect(worked({}, { remote: 'git@github.com:dev/lamp' })).toBe('lamp');
    expect(worked({}, { cwd: '/tmp', remote: 'git@github.com:dev/lamp' })).toBe('lamp');
  });

  it('does not matter where the session’s folder tells', () => {
    expect(worked({ '/home/dev/pier': 9 }, { cwd: '/home/dev/mole' })).toBe('mole');
  });
});

describe('aliases', () => {
  const aliases = { mole: 'Breakwater', '~/clients/acme': 'Acme', 'C:\\Old\\Pier': 'pier' };

  it('name a project by its name, and what lies in a folder by that', () => {
    const places = [
      '/home/dev/Mole',
      '/home/dev/clients/acme/web',
      '/home/dev/clients/acme',
      'c:/old/pier/x',
      '/home/dev/pier',
    ];
    expect(named(places, { aliases })).toEqual(['Breakwater', 'Acme', 'Acme', 'pier', 'pier']);
  });

  it('name what is done in a folder that says nothing', () => {
    expect(named(['/tmp', '/tmp/x', '/home/dev'], { aliases: { '/tmp': 'Scratch' } })).toEqual([
      'Scratch',
      'Scratch',
      undefined,
    ]);
  });

  it('give a project the key of the one that it is called as', () => {
    const map = new ProjectMap(evidence(['C:\\Old\\Pier', '/home/dev/pier'], { aliases }));
    expect(map.of('C:\\Old\\Pier', undefined, NO_WORK)).toEqual(map.of('/home/dev/pier', undefined, NO_WORK));
  });
});

describe('the order in which things became known', () => {
  it('does not matter', () => {
    const chance = new Chance(7);
    const homes = ['/home/dev', '/Users/dev', 'C:\\Users\\dev'];
    const names = [
      'pier',
      'mole',
      'Pier',
      'pier-tide',
      'dev/tide',
      '.worktrees/tide',
      'pier/.claude/worktrees/x',
      'pier/web',
    ];
    const remotes = [undefined, undefined, 'git@x.org:a/pier', 'git@x.org:b/pier', 'https://x.org/a/Pier'];
    const branches = [undefined, 'main', 'tide', 'dev/tide'];
    for (let round = 0; round < 200; round++) {
      const places = Array.from({ length: 12 }, (): Place => {
        const [remote, branch] = [chance.of(remotes), chance.of(branches)];
        const cwd = `${chance.of(homes)}/${chance.of(['', 'src/', 'old/'])}${chance.of(names)}`;
        return { cwd, ...(remote !== undefined && { remote }), ...(branch !== undefined && { branch }) };
      });
      const disk = places.slice(0, 4).map((place, i) =>
        seen(place.cwd, i % 2 ? place.cwd : `/home/dev/${chance.of(['pier', 'mole'])}`, {
          at: i % 3,
          ...(i > 1 && { born: i % 2 }),
          ...(place.remote !== undefined && { remote: '//x.org/a/pier' }),
        }),
      );
      const projects = (order: Evidence) => {
        const map = new ProjectMap(order);
        return places.map(({ cwd, remote }) => map.of(cwd, remote, NO_WORK));
      };
      const there = evidence([], { places, seen: disk });
      const back = evidence([], { places: [...places].reverse(), seen: [...disk].reverse() });
      expect(projects(back)).toEqual(projects(there));
    }
  });
});
