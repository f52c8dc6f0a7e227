import { join } from 'node:path';
import { userFolders } from '../vscode/user-folders.ts';
import { memberOf } from './family.ts';

/** Cline: the extension's tasks, and the sessions of its program in the terminal. */
export const cline = memberOf({
  id: 'cline',
  label: 'Cline',
  more: ['subagents', 'resume'],
  roots: (env) => [
    { path: join(env.home, '.cline', 'data'), layout: 'program' },
    ...userFolders(env).map((folder) => ({
      path: join(folder, 'globalStorage', 'saoudrizwan.claude-dev'),
      layout: 'extension',
    })),
  ],
  resume({ nativeId, cwd, root }) {
    const id = root?.nativeId ?? nativeId;
    // A task of the extension is opened in the editor alone; its id is a time and nothing else.
    if (!id.includes('_')) return undefined;
    const folder = (root ?? { cwd }).cwd;
    return { argv: ['cline', '--id', id, '-i'], ...(folder !== undefined && { cwd: folder }) };
  },
});
