import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { sourceOf } from '../../agents/registry.ts';
import type { Resume } from '../../agents/source.ts';
import { Folders } from '../../archive/folders.ts';
import type { CatalogSession } from '../../catalog/listed.ts';
import type { Stores } from '../../holdings/stores.ts';

/** How to take a session up again, or why that cannot be done. */
export type Resumption =
  | {
      readonly can: true;
      readonly command: Resume;
      /** The command's folder is no more; it was a worktree of this repository, where that is known. */
      readonly gone?: { readonly repository?: string };
    }
  | { readonly can: false; readonly why: 'file gone' | 'parent gone' | 'inside' | 'prompts' | 'no command' };

/** Why a session cannot be taken up again, to be said behind “cannot be resumed:”. */
export const WHY_NOT = {
  'file gone': 'the agent’s own file is gone',
  'parent gone': 'it is a sub-agent’s, and the session that started it is gone',
  inside: 'its history lies inside a folder, where its agent does not look for it',
  prompts: 'only its prompts are left, the agent’s own file is gone',
  'no command': 'its agent has no command for that',
} as const satisfies Record<Extract<Resumption, { can: false }>['why'], string>;

/** The command that takes a session up again; a sub-agent's root is resumed. The disk is not looked at. */
export function resumptionOf(stores: Stores, session: CatalogSession, prompt?: string): Resumption {
  const root = rootOf(stores, session);
  if (root.kind === 'prompts') return { can: false, why: 'prompts' };
  if (root.parent?.relation === 'subagent') return { can: false, why: 'parent gone' };
  if (root.more.inside !== undefined) return { can: false, why: 'inside' };
  if (root.gone) return { can: false, why: 'file gone' };
  const resume = sourceOf(session.source)?.resume;
  // An id that looks like an option, or like more than one word, is none that an agent gave.
  const isId = ID.test(root.nativeId);
  const command = isId ? resume?.(resumable(root), prompt === undefined ? {} : { prompt }) : undefined;
  return command ? { can: true, command } : { can: false, why: 'no command' };
}

/** The same, and whether the command's folder is still there. */
export function resumptionHere(stores: Stores, session: CatalogSession, prompt?: string): Resumption {
  const found = resumptionOf(stores, session, prompt);
  const cwd = found.can ? found.command.cwd : undefined;
  if (!found.can || cwd === undefined || existsSync(cwd)) return found;
  const repository = new Folders(stores.archive.db).lastSeen(cwd)?.root;
  const isElsewhere = repository !== undefined && repository !== cwd && existsSync(repository);
  return { ...found, gone: isElsewhere ? { repository } : {} };
}

const ID = /^[A-Za-z0-9][\w.-]*$/;

/** A folder that is not named from the root is known to nobody but who told it. */
function resumable({ nativeId, cwd, more: { client } }: CatalogSession) {
  const isAbsolute = cwd !== undefined && (posix.isAbsolute(cwd) || win32.isAbsolute(cwd));
  return {
    nativeId,
    ...(isAbsolute && { cwd }),
    ...(client.surface !== undefined && { surface: client.surface }),
  };
}

/** The session at the top of a sub-agent's parents. */
export function rootOf(stores: Stores, session: CatalogSession): CatalogSession {
  let root = session;
  for (let depth = 0; depth < 16 && root.parent?.relation === 'subagent'; depth++) {
    const parent = stores.catalog.sessions('key = ?', [root.parent.key], 'id', 1)[0];
    if (!parent) break;
    root = parent;
  }
  return root;
}
