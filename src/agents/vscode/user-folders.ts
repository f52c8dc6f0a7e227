import { join } from 'node:path';
import type { Environment } from '../source.ts';

/** The editors that are built from VS Code, as their folders are named. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'] as const;
const SERVERS = ['.vscode-server', '.vscode-server-insiders', '.cursor-server'] as const;

/** The `User` folders of VS Code and its kin, those of its server on a remote machine among them. */
export function userFolders(env: Environment): string[] {
  const { home, variables } = env;
  const portable = variables.VSCODE_PORTABLE?.trim();
  return [
    ...(portable ? [join(portable, 'user-data', 'User')] : []),
    ...EDITORS.map((editor) => join(configurations(env), editor, 'User')),
    ...SERVERS.map((server) => join(home, server, 'data', 'User')),
  ];
}

/** Where programs keep what they are set to. */
function configurations({ home, platform, variables }: Environment): string {
  if (platform === 'win32') return variables.APPDATA?.trim() || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return variables.XDG_CONFIG_HOME?.trim() || join(home, '.config');
}
