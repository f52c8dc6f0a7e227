import { join } from 'node:path';
import { memberOf } from '../cline/family.ts';
import { userFolders } from '../vscode/user-folders.ts';

/** Roo Code, which keeps tasks as Cline does. */
export const rooCode = memberOf({
  id: 'roo-code',
  label: 'Roo Code',
  more: ['subagents'],
  unverified: 'built from public readers of its files and from those of Cline',
  roots: (env) =>
    userFolders(env).map((folder) => ({
      path: join(folder, 'globalStorage', 'rooveterinaryinc.roo-cline'),
      layout: 'extension',
    })),
});
