import { describe, expect, it } from 'vitest';
import { projectOf } from '../../src/projects/project.ts';

describe('the project of a folder', () => {
  it.each<[cwd: string | undefined, project: string | undefined]>([
    ['/home/dev/projects/harbor-api', 'harbor-api'],
    ['/home/dev/projects/harbor-api/', 'harbor-api'],
    ['/home/dev/projects/Café Menü 2.0', 'Café Menü 2.0'],
    ['C:\\Users\\dev\\lantern', 'lantern'],
    ['/home/dev/harbor-api/.claude/worktrees/tide-lines', 'harbor-api'],
    ['/home/dev/harbor-api/.claude/worktrees/tide-lines/src', 'harbor-api'],
    ['/home/dev/harbor-api/.worktrees/tide', 'harbor-api'],
    ['C:\\dev\\harbor\\.claude\\worktrees\\tide', 'harbor'],
    ['/', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s', (cwd, project) => {
    expect(projectOf(cwd)).toBe(project);
  });
});
