import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { type Fields, fields, list, text } from '../fields.ts';
import { fieldsAt } from '../json.ts';

/**
 * The folder that a chat belongs to. It lies in a folder of the program's that is called after that one: by a name that a
 * list gives it, or by the SHA-256 of its path. A file in it, and newer chats, say the path itself.
 */
export function projectOf(chat: string, head: Fields): { readonly cwd?: string; readonly roots: readonly string[] } {
  const names = chat.split(sep);
  const tmp = names.lastIndexOf('tmp');
  const folder = names.slice(0, tmp + 2).join(sep);
  const home = names.slice(0, tmp).join(sep);
  const roots = list(head.directories).flatMap((path) => text(path) ?? []);
  const cwd = roots[0] ?? lineOf(join(folder, '.project_root')) ?? pathNamed(home, basename(folder), head);
  return { roots, ...(cwd !== undefined && { cwd }) };
}

function lineOf(path: string): string | undefined {
  return text(contentOf(path)?.trim());
}

/** The path that the program's lists give a name, or whose hash it is. */
function pathNamed(home: string, name: string, { projectHash }: Fields): string | undefined {
  const known = Object.entries(fields(fieldsAt(join(home, 'projects.json')).projects));
  const named = known.find(([, given]) => given === name)?.[0];
  if (named !== undefined) return named;
  const trusted = Object.keys(fieldsAt(join(home, 'trustedFolders.json')));
  return [...known.map(([path]) => path), ...trusted].find((path) => [name, projectHash].includes(hashOf(path)));
}

const hashOf = (path: string) => createHash('sha256').update(path).digest('hex');

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
