/** Folders that tools make for worktrees inside a repository: what lies below them belongs to the repository. */
const WORKTREES = /^(.+?)[\\/]\.(?:claude[\\/]worktrees|worktrees)[\\/][^\\/]+/;

/** The name of the project that a folder belongs to: the last name of its path, that of the repository for a worktree. */
export function projectOf(cwd: string | undefined): string | undefined {
  if (cwd === undefined) return undefined;
  const folder = WORKTREES.exec(cwd)?.[1] ?? cwd;
  const names = folder.split(/[\\/]/).filter((name) => name !== '');
  return names.at(-1);
}
