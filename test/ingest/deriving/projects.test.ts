import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Folders } from '../../../src/archive/folders.ts';
import { isIndexChanged } from '../../../src/holdings/opening.ts';
import { writeSettings } from '../../../src/home/config.ts';
import { makeHome } from '../../../src/home/paths.ts';
import { remakeIndex } from '../../../src/ingest/writable-stores.ts';
import { projectHere } from '../../../src/projects/here.ts';
import { Chance, times } from '../../support/chance.ts';
import { ClaudeHome } from '../../support/claude-home.ts';
import { jsonl, Script, uuid } from '../../support/claude-records.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { makeRepository, makeWorktree } from '../../support/git.ts';
import { Portolan, sessionsOf } from '../../support/portolan.ts';

/** A machine with a history, and folders of its own to work in. */
class Machine {
  readonly history = new ClaudeHome();
  readonly folder = temporaryFolder();
  readonly portolan = new Portolan(this.history.env());

  at(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** A session that ran in a folder, and the files that its tools read. */
  work(name: string, cwd: string, files: readonly string[] = [], envelope = {}): void {
    const script = new Script({ cwd, sessionId: uuid(name), ...envelope }, name);
    const calls = files.flatMap((file_path, i) => [
      script.call(`toolu_${name}${i}`, 'Read', { file_path }),
      script.result(`toolu_${name}${i}`, 'fine'),
    ]);
    this.history.write([script.user(`Work of ${name}.`), ...calls, script.answer('Done.')], uuid(name));
  }

  /** The project of every session, by the name it was written under. */
  projects(...names: string[]): (string | undefined)[] {
    const sessions = sessionsOf(this.portolan.read());
    return names.map((name) => sessions.find((session) => session.nativeId === uuid(name))?.project);
  }

  set(projects: object): void {
    makeHome(this.portolan.home);
    writeFileSync(join(this.portolan.home.path, 'config.json'), JSON.stringify({ projects }));
  }
}

const REMOTE = 'git@github.com:harbour/great-pier.git';

describe('the project of a session', () => {
  it('is that of the repository its folder lies in, and stays so when all folders are gone and the index is made anew', async () => {
    const machine = new Machine();
    const pier = makeRepository(machine.at('pier'), { remote: REMOTE });
    machine.work('main', pier);
    machine.work('inside', join(pier, 'packages', 'web'));
    machine.work('worktree', makeWorktree(machine.at('anywhere', 'tide'), join(pier, '.git'), 'tide'));
    machine.work('other', machine.at('mole'));
    await machine.portolan.index();
    const expected = ['great-pier', 'great-pier', 'great-pier', 'mole'];
    expect(machine.projects('main', 'inside', 'worktree', 'other')).toEqual(expected);
    rmSync(machine.folder, { recursive: true });
    await machine.portolan.index();
    expect(machine.projects('main', 'inside', 'worktree', 'other')).toEqual(expected);
    remakeIndex(machine.portolan.home, () => {});
    expect(machine.projects('main', 'inside', 'worktree', 'other')).toEqual(expected);
  });

  it('follows a repository that is moved: earlier sessions are its too, and their files are not read again', async () => {
    const machine = new Machine();
    const log = '0000 abc Dev <dev@example.org> 1700000000 +0000\tcommit (initial): Begin';
    machine.work('before', makeRepository(machine.at('pier'), { log }));
    await machine.portolan.index();
    expect(machine.projects('before')).toEqual(['pier']);
    rmSync(machine.at('pier'), { recursive: true });
    machine.work('after', makeRepository(machine.at('work', 'quay'), { log }));
    expect(await machine.portolan.index()).toMatchObject({ read: 1, unchanged: 1 });
    expect(machine.projects('before', 'after')).toEqual(['quay', 'quay']);
  });

  it('gets another name when another project of that name appears', async () => {
    const machine = new Machine();
    machine.work('first', '/home/dev/a/web');
    await machine.portolan.index();
    expect(machine.projects('first')).toEqual(['web']);
    machine.work('second', '/home/dev/b/web');
    expect(await machine.portolan.index()).toMatchObject({ read: 1 });
    expect(machine.projects('first', 'second')).toEqual(['a/web', 'b/web']);
  });

  it('is told by where tools worked, where the folder is a home, also when that is known later', async () => {
    const machine = new Machine();
    const pier = machine.at('pier');
    machine.work('home', machine.history.path, [
      join(pier, 'a.ts'),
      join(pier, 'src/b.ts'),
      join(machine.history.path, '.profile'),
    ]);
    machine.work('generic', '/home/dev', [join(pier, 'a.ts'), join(pier, 'b.ts'), '/home/dev/.profile']);
    machine.work('half', '/home/dev', [join(pier, 'a.ts'), '/home/dev/.profile']);
    machine.work('nothing', '/home/dev');
    await machine.portolan.index();
    expect(machine.projects('generic', 'half', 'nothing')).toEqual([undefined, undefined, undefined]);
    machine.work('known', pier);
    expect(await machine.portolan.index()).toMatchObject({ read: 1 });
    expect(machine.projects('generic', 'half', 'nothing', 'known')).toEqual(['pier', undefined, undefined, 'pier']);
  });

  it('is that of the session that started it, for a sub-agent of which nothing else is told', async () => {
    const machine = new Machine();
    const pier = machine.at('pier');
    machine.work('known', pier);
    machine.work('generic', '/home/dev', [join(pier, 'a.ts')]);
    const script = new Script(
      { cwd: '/home/dev', sessionId: uuid('generic'), isSidechain: true, agentId: 'a1' },
      'agent',
    );
    const path = join(machine.history.project, uuid('generic'), 'subagents', 'agent-a1.jsonl');
    writeAt(path, jsonl([script.user('Look around.'), script.answer('Nothing there.')]));
    await machine.portolan.index();
    const agent = () => sessionsOf(machine.portolan.read()).find((session) => session.parent !== undefined);
    expect(agent()).toMatchObject({ parent: { relation: 'subagent' }, project: 'pier' });
    // The parent's work is elsewhere now.
    machine.work('mole', machine.at('mole'));
    machine.work(
      'generic',
      '/home/dev',
      ['a.ts', 'b.ts'].map((name) => join(machine.at('mole'), name)),
    );
    await machine.portolan.index();
    expect(agent()?.project).toBe('mole');
  });

  it('is told by the roots that it was given, where its folder says nothing', async () => {
    const machine = new Machine();
    machine.work('generic', '/home/dev', [], {});
    machine.work('moved', '/home/dev');
    machine.history.append(
      [new Script({ cwd: '/home/dev/pier', sessionId: uuid('moved') }, 'later').user('Go on.')],
      uuid('moved'),
    );
    await machine.portolan.index();
    expect(machine.projects('generic', 'moved')).toEqual([undefined, 'pier']);
  });

  it('decides whether it is left out, in whatever folder it ran', async () => {
    const machine = new Machine();
    const pier = makeRepository(machine.at('pier'), { remote: REMOTE });
    writeSettings(machine.portolan.home, new Map([['exclude.projects', ['Great-Pier']]]));
    machine.work('worktree', makeWorktree(machine.at('tide'), join(pier, '.git'), 'tide'));
    machine.work('main', pier);
    machine.work('mole', machine.at('mole'));
    await machine.portolan.index();
    expect(sessionsOf(machine.portolan.read()).map((session) => session.project)).toEqual(['mole']);
  });

  it('is told by the repository that tools worked in, though no session ever ran there', async () => {
    const machine = new Machine();
    const pier = makeRepository(machine.at('pier'));
    machine.work('generic', '/home/dev', [join(pier, 'src', 'deep', 'a.ts')]);
    await machine.portolan.index();
    expect(machine.projects('generic')).toEqual(['pier']);
  });

  it('is as the user calls it from the next opening on, and nothing is read again', async () => {
    const machine = new Machine();
    machine.work('pier', '/home/dev/pier');
    machine.work('acme', '/home/dev/clients/acme/web');
    await machine.portolan.index();
    machine.set({ aliases: { Pier: 'Harbour', '/home/dev/clients/acme': 'Acme' } });
    expect(await machine.portolan.index()).toMatchObject({ read: 0, unchanged: 2 });
    expect(machine.projects('pier', 'acme')).toEqual(['Harbour', 'Acme']);
    machine.set({ aliases: {} });
    await machine.portolan.write(() => {});
    expect(machine.projects('pier', 'acme')).toEqual(['pier', 'web']);
    expect(isIndexChanged(machine.portolan.home)).toBe(false);
  });

  it('is the same whatever was indexed first', async () => {
    const folders = [
      '/home/dev/a/web',
      '/home/dev/b/web',
      '/home/dev/a/web/.claude/worktrees/x',
      '/home/dev/.codex/worktrees/1/web',
    ];
    const there = new Machine();
    for (const folder of folders) {
      there.work(folder, folder);
      await there.portolan.index();
    }
    const back = new Machine();
    for (const folder of [...folders].reverse()) {
      back.work(folder, folder);
      await back.portolan.index();
    }
    expect(there.projects(...folders)).toEqual(['a/web', 'b/web', 'a/web', 'worktrees/web']);
    expect(back.projects(...folders)).toEqual(there.projects(...folders));
  });
});

describe('any history', () => {
  it('gives the same projects where it came bit by bit, where it came at once, and where the index is made anew', async () => {
    const chance = new Chance(11);
    for (let round = 0; round < times(6, 60); round++) {
      const bits = new Machine();
      const names = ['pier', 'mole', 'a/web', 'b/web', 'pier-tide', 'dev/tide'];
      const folders = [...names.map((name) => bits.at(name)), '/home/dev', '/tmp', '/home/dev/.codex/worktrees/1/web'];
      const sessions: string[] = [];
      for (let step = 0; step < 8; step++) {
        const repository = bits.at(chance.of(names));
        if (chance.below(2) === 0)
          makeRepository(repository, {
            log: `born ${chance.below(2)}`,
            ...(chance.below(2) === 0 && {
              remote: `git@x.org:${chance.of(['a', 'b'])}/${chance.of(['web', 'pier'])}`,
            }),
          });
        const cwd = chance.of(folders);
        const files = [
          join(chance.of(folders), 'x.ts'),
          join(chance.of(folders), 'y.ts'),
          join(chance.of(folders), 'z.ts'),
        ];
        const branch = chance.of(['main', 'tide', 'dev/tide']);
        bits.work(`${step}`, cwd, files.slice(0, chance.below(4)), { gitBranch: branch });
        sessions.push(`${step}`);
        await bits.portolan.index();
        if (chance.below(3) === 0) rmSync(repository, { recursive: true, force: true });
      }
      const expected = bits.projects(...sessions);
      await bits.portolan.index();
      expect(bits.projects(...sessions)).toEqual(expected);
      remakeIndex(bits.portolan.home, () => {});
      expect(bits.projects(...sessions)).toEqual(expected);
    }
  }, 300_000);
});

describe('a folder', () => {
  it('is kept as it was seen, without the token in its remote', async () => {
    const machine = new Machine();
    machine.work(
      'pier',
      makeRepository(machine.at('pier'), {
        remote: 'https://dev:ghp_0123456789abcdefghijABCDEFGHIJ0123@github.com/harbour/pier',
      }),
    );
    await machine.portolan.index();
    const { archive } = machine.portolan.read();
    expect(new Folders(archive.db).seen()).toMatchObject([
      { path: machine.at('pier'), root: machine.at('pier'), remote: '//github.com/harbour/pier' },
    ]);
  });

  it('that was read before folders were looked at is looked at by the next indexing, once', async () => {
    const machine = new Machine();
    machine.work('worktree', machine.at('tide'));
    await machine.portolan.index();
    makeWorktree(machine.at('tide'), join(makeRepository(machine.at('pier')), '.git'), 'tide');
    await machine.portolan.write((stores) => stores.archive.db.run('DELETE FROM folders'));
    expect(await machine.portolan.index()).toMatchObject({ read: 0 });
    expect(machine.projects('worktree')).toEqual(['pier']);
  });

  it('has a project before a session ran there', async () => {
    const machine = new Machine();
    const pier = makeRepository(machine.at('pier'), { remote: REMOTE });
    machine.work('pier', pier);
    await machine.portolan.index();
    const { archive, catalog } = machine.portolan.read();
    const here = (cwd: string, aliases = {}) =>
      projectHere(cwd, { archive: archive.db, index: catalog.db }, aliases, machine.history.env())?.name;
    expect(here(join(pier, 'src'))).toBe('great-pier');
    expect(here(makeWorktree(machine.at('tide'), join(pier, '.git'), 'tide'))).toBe('great-pier');
    expect(here(machine.at('new'))).toBe('new');
    expect(here('/home/dev')).toBeUndefined();
    expect(here(pier, { 'great-pier': 'Pier' })).toBe('Pier');
  });

  it('is forgotten where no session tells of it any more', async () => {
    const machine = new Machine();
    machine.work('pier', makeRepository(machine.at('pier')));
    machine.work('mole', makeRepository(machine.at('mole')));
    await machine.portolan.index();
    const kept = await machine.portolan.write((stores) => {
      const session = sessionsOf(stores).find((one) => one.project === 'pier')!;
      stores.begin();
      stores.deriver.drop(session.id);
      stores.deriver.projects.forgetFolders();
      stores.commit();
      return new Folders(stores.archive.db).paths();
    });
    expect([...kept]).toEqual([machine.at('mole')]);
  });
});
