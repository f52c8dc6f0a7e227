import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeAt } from './folders.ts';

/** What makes a folder a repository, as git writes it. */
export function makeRepository(
  folder: string,
  { remote, log, git = join(folder, '.git') }: { remote?: string; log?: string; git?: string } = {},
): string {
  mkdirSync(join(git, 'objects'), { recursive: true });
  mkdirSync(folder, { recursive: true });
  writeAt(join(git, 'HEAD'), 'ref: refs/heads/main\n');
  const section = remote === undefined ? '' : `[remote "origin"]\n\turl = ${remote}\n\tfetch = +refs/heads/*:x\n`;
  writeAt(join(git, 'config'), `[core]\n\tbare = false\n${section}`);
  if (log !== undefined) writeAt(join(git, 'logs', 'HEAD'), `${log}\nlater lines\n`);
  return folder;
}

/** A worktree of the repository whose data lie in `common`, as `git worktree add` makes it. */
export function makeWorktree(folder: string, common: string, name: string): string {
  const git = join(common, 'worktrees', name);
  writeAt(join(git, 'HEAD'), 'ref: refs/heads/x\n');
  writeAt(join(git, 'commondir'), '../..\n');
  writeAt(join(folder, '.git'), `gitdir: ${git}\n`);
  return folder;
}

/** Runs git, with nothing of this machine’s settings. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Dev',
      GIT_AUTHOR_EMAIL: 'dev@example.org',
      GIT_COMMITTER_NAME: 'Dev',
      GIT_COMMITTER_EMAIL: 'dev@example.org',
    },
  }).trim();
}

export const HAS_GIT = (() => {
  try {
    git(process.cwd(), '--version');
    return true;
  } catch {
    return false;
  }
})();
