import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CatalogSession } from '../../src/catalog/listed.ts';
import { firstNames, folderOf, pathOf } from '../../src/projects/folder.ts';
import { isGeneric } from '../../src/projects/generic.ts';
import { remoteOf } from '../../src/projects/remote.ts';
import { SHARED, shared } from '../oracle/product.ts';
import { Portolan, sessionsOf } from '../support/portolan.ts';

/** The folders of these histories are on no machine: what a history looks like whose projects were all deleted. */
describe.skipIf(SHARED === undefined).each([
  [['homes/claude', 'homes/codex'], { sessions: 373, projects: 32 }],
  [['natural/cli', 'natural/agentic-neurodata-conversion'], { sessions: 83, projects: 10 }],
] as const)('the projects of %j', (names, counts) => {
  let folder: string;
  let sessions: CatalogSession[];
  const touched = new Map<number, string[]>();
  const saysNothing = (cwd: string) => isGeneric(folderOf(cwd)!);
  const projectsOf = (some: readonly CatalogSession[]) => new Set(some.map((session) => session.project));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portolan-test-'));
    const home = join(folder, 'home');
    for (const name of names) cpSync(shared('corpus', name), home, { recursive: true });
    const portolan = new Portolan({ home, platform: 'linux', variables: {}, projects: [] }, join(folder, 'portolan'));
    await portolan.index();
    await portolan.write((stores) => {
      sessions = sessionsOf(stores);
      const rows = stores.catalog.db.rows<{ session: number; path: string }>('SELECT session, path FROM touches');
      for (const { session, path } of rows) touched.set(session, [...(touched.get(session) ?? []), path]);
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are these many', () => {
    const told = sessions.filter((session) => session.project !== undefined);
    expect({ sessions: told.length, projects: projectsOf(told).size }).toEqual(counts);
  });

  it('are one for all worktrees of a repository, and that of the repository', () => {
    const worktrees = sessions.filter(({ cwd }) => /[\\/]\.(?:claude[\\/])?worktrees[\\/]/.test(cwd ?? ''));
    expect(worktrees.length).toBeGreaterThan(10);
    for (const worktree of worktrees) {
      const repository = worktree.cwd!.replace(/[\\/]\.(?:claude[\\/])?worktrees[\\/].*/, '');
      const main = sessions.filter(({ cwd }) => cwd !== undefined && folderOf(cwd)!.id === folderOf(repository)!.id);
      expect(projectsOf([worktree, ...main])).toEqual(new Set([worktree.project]));
      expect(worktree.project).toMatch(new RegExp(`(^|/)${folderOf(repository)!.names.at(-1)}$`));
    }
  });

  it('are one for each remote', () => {
    const remotes = Map.groupBy(
      sessions.filter(({ remote }) => remote !== undefined),
      ({ remote }) => remoteOf(remote!)?.key,
    );
    expect(remotes.size).toBeGreaterThan(0);
    for (const [key, some] of remotes) {
      expect(projectsOf(some).size).toBe(1);
      expect(some[0]!.project!.toLowerCase()).toBe(key!.split('/').at(-1));
    }
  });

  it('are one for each folder, however it is spelled', () => {
    const folders = Map.groupBy(
      sessions.filter(({ cwd }) => cwd !== undefined && !saysNothing(cwd)),
      ({ cwd }) => folderOf(cwd!)!.id,
    );
    for (const some of folders.values())
      expect(projectsOf(some.filter(({ remote }) => remote === undefined)).size).toBeLessThan(2);
  });

  it('are for homes those that most of the work was in, else none', () => {
    const homes = sessions.filter(({ cwd, remote }) => cwd !== undefined && remote === undefined && saysNothing(cwd));
    expect(homes.length).toBeGreaterThan(0);
    for (const { id, project } of homes) {
      const paths = touched.get(id) ?? [];
      const inside = paths.filter((path) => project !== undefined && path.split(/[\\/]/).includes(project));
      expect(inside.length * 2 > paths.length).toBe(project !== undefined);
    }
  });

  it('are told apart, where folders that nothing connects have one name', () => {
    const roots = new Map<string, Set<string>>();
    for (const { cwd, project, remote } of sessions) {
      if (cwd === undefined || project === undefined || remote !== undefined || cwd.includes('worktrees')) continue;
      const folder = folderOf(cwd)!;
      const parent = pathOf(firstNames(folder, folder.names.length - 1)).toLowerCase();
      if (project.split('/').at(-1) === folder.names.at(-1))
        roots.set(project, (roots.get(project) ?? new Set()).add(parent));
    }
    for (const [project, parents] of roots) expect([project, parents.size]).toEqual([project, 1]);
  });
});
