import { describe, expect, it } from 'vitest';
import { LAYOUTS } from '../../src/projects/evidence.ts';
import { folderOf, pathOf } from '../../src/projects/folder.ts';
import { worktreeOf } from '../../src/projects/worktrees.ts';

function told(path: string, repositories: readonly string[] = []) {
  const found = worktreeOf(folderOf(path)!, LAYOUTS, (folder) => repositories.includes(pathOf(folder)));
  if (found?.of === 'folder') return pathOf(found.repository);
  return found?.of === 'name' ? `called ${found.name}` : found?.of;
}

describe('a worktree’s path', () => {
  it.each<[path: string, repository: string | undefined]>([
    ['/home/dev/pier/.claude/worktrees/tide', '/home/dev/pier'],
    ['/home/dev/pier/.claude/worktrees/tide/src/deep', '/home/dev/pier'],
    ['C:\\dev\\pier\\.claude\\worktrees\\tide', 'c:/dev/pier'],
    ['/home/dev/.claude/worktrees/tide', '/home/dev'],
    ['/home/dev/pier/.claude/worktrees', undefined],
    ['/home/dev/.codex/worktrees/4f5e/pier', 'called pier'],
    ['/home/dev/.codex/worktrees/4f5e/pier/src', 'called pier'],
    ['/home/dev/.codex/worktrees/4f5e', 'unknown'],
    ['/Users/dev/.cursor/worktrees/pier/abc12', 'called pier'],
    ['/Users/dev/.superset/worktrees/pier/azure-cloud-42/src', 'called pier'],
    ['/Users/dev/.some-squad/worktrees/tide_1882ffa', 'unknown'],
    ['/home/dev/pier/.cursor/worktrees/tide', '/home/dev/pier'],
    ['/Users/dev/conductor/workspaces/pier/lisbon', 'called pier'],
    ['/Users/dev/pier/.conductor/lisbon', '/Users/dev/pier'],
    ['/var/tmp/vibe-kanban/worktrees/a0de-tide/pier', 'called pier'],
    ['/var/tmp/vibe-kanban/worktrees/a0de-tide', 'unknown'],
    ['C:\\Users\\dev\\AppData\\Local\\Temp\\vibe-kanban\\worktrees\\4e64-tide', 'unknown'],
    ['/home/dev/pier/.worktrees/dev/tide', '/home/dev/pier'],
    ['/home/dev/.worktrees/pier/tide', 'called pier'],
    ['/home/dev/worktrees/pier/tide', 'called pier'],
    ['/home/dev/worktrees/github.com/harbour/pier/tide', 'called pier'],
    ['/home/dev/pier.worktrees/tide', '/home/dev/pier'],
    ['/home/dev/pier-worktrees/feature/tide', '/home/dev/pier'],
    ['/home/dev/Documents/Codex/2026-05-15/tide', 'unknown'],
    ['/home/dev/pier', undefined],
    ['/home/dev/worktrees', undefined],
  ])('%s', (path, repository) => {
    expect(told(path)).toBe(repository);
  });

  it('in a folder `worktrees` is of the repository that holds it, where that is one', () => {
    expect(told('/home/dev/pier/worktrees/tide/src')).toBe('called tide');
    expect(told('/home/dev/pier/worktrees/tide/src', ['/home/dev/pier'])).toBe('/home/dev/pier');
  });
});
