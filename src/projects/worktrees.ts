import type { FolderLayout } from '../agents/source.ts';
import { type Folder, firstNames, homeDepth, withNames } from './folder.ts';

/** What a folder's path says of the repository that it is a worktree of. */
export type Worktree =
  /** The repository's folder. */
  | { readonly of: 'folder'; readonly repository: Folder }
  /** Its name alone. `beside` is the place where all worktrees of that name lie. */
  | { readonly of: 'name'; readonly name: string; readonly beside: Folder }
  /** A folder that was made for a worktree or a conversation, of what cannot be told. */
  | { readonly of: 'unknown' };

/** Programs that keep worktrees for any agent, and what people do by hand. */
const COMMON: readonly FolderLayout[] = [
  { below: ['vibe-kanban', 'worktrees'], holds: 'worktree/repository' },
  { below: ['conductor', 'workspaces'], holds: 'repository/worktree' },
  { below: ['.conductor'], holds: 'worktrees of the folder above' },
];

/**
 * Reads the layouts that worktrees are kept in, whether the folder is still there or not. Undefined for a path in none
 * of them. `isRepository` tells a repository with a folder `worktrees` from a folder of worktrees of many.
 */
export function worktreeOf(
  folder: Folder,
  layouts: readonly FolderLayout[],
  isRepository: (folder: Folder) => boolean,
): Worktree | undefined {
  const small = folder.names.map((name) => name.toLowerCase());
  for (const layout of [...layouts, ...COMMON]) {
    const at = placeOf(layout.below, small);
    if (at >= 0) return read(folder, at, layout.below.length, layout.holds);
  }
  const plain = small.findLastIndex((name) => name === 'worktrees' || name === '.worktrees');
  if (plain >= 0) return readWorktrees(folder, plain, isRepository);
  return beside(folder);
}

/** Folders called `worktrees`, after who made them. */
function readWorktrees(folder: Folder, at: number, isRepository: (folder: Folder) => boolean): Worktree | undefined {
  const { names } = folder;
  const holder = firstNames(folder, at);
  const depth = homeDepth(folder) ?? 0;
  const hasDot = names[at]!.startsWith('.');
  if (hasDot && at > depth) return read(folder, at, 1, 'worktrees of the folder above');
  const tool = at > 0 && names[at - 1]!.startsWith('.');
  // `<repository>/.tool/worktrees/x`, but `~/.tool/worktrees/<repository>/x`.
  if (tool && at - 1 > depth) return read(folder, at - 1, 2, 'worktrees of the folder above');
  if (!tool && isRepository(holder)) return read(folder, at, 1, 'worktrees of the folder above');
  // `worktrees/github.com/<owner>/<repository>/x`
  const hosted = /\.[a-z]{2,}$/i.test(names[at + 1] ?? '') && names.length >= at + 5;
  return read(folder, hosted ? at + 2 : at, 1, 'repository/worktree');
}

function read(folder: Folder, at: number, length: number, holds: FolderLayout['holds']): Worktree | undefined {
  const rest = folder.names.slice(at + length);
  const [first, second] = rest;
  // The folder of all worktrees is none of them.
  if (first === undefined) return undefined;
  const named = (name: string): Worktree => ({
    of: 'name',
    name,
    beside: withNames(folder, [...folder.names.slice(0, at + length), name]),
  });
  switch (holds) {
    case 'worktrees of the folder above':
      return { of: 'folder', repository: firstNames(folder, at) };
    case 'repository/worktree':
      return second === undefined ? { of: 'unknown' } : named(first);
    case 'worktree/repository':
      return second === undefined ? { of: 'unknown' } : named(second);
    case 'scratch':
      return { of: 'unknown' };
  }
}

/** `<repository>.worktrees/x` and `<repository>-worktrees/x`, beside the repository. */
function beside(folder: Folder): Worktree | undefined {
  for (let at = folder.names.length - 2; at >= 0; at--) {
    const repository = /^(.+)[.-]worktrees$/i.exec(folder.names[at]!)?.[1];
    if (repository !== undefined)
      return { of: 'folder', repository: withNames(folder, [...folder.names.slice(0, at), repository]) };
  }
  return undefined;
}

/** Where these names stand in a row; -1 where they do not. The last place: worktrees may hold worktrees. */
function placeOf(wanted: readonly string[], names: readonly string[]): number {
  for (let at = names.length - wanted.length; at >= 0; at--)
    if (wanted.every((name, i) => names[at + i] === name)) return at;
  return -1;
}
