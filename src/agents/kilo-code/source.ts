import { join } from 'node:path';
import { memberOf } from '../cline/family.ts';
import { userFolders } from '../vscode/user-folders.ts';

/** Kilo Code in the editor, which kept tasks as Cline does. */
export const kiloCode = memberOf({
  id: 'kilo-code',
  label: 'Kilo Code',
  more: ['subagents'],
  unverified: 'built from public readers of its files and from those of Cline',
  roots: (env) =>
    userFolders(env).map((folder) => ({
      path: join(folder, 'globalStorage', 'kilocode.kilo-code'),
      layout: 'extension',
    })),
});
