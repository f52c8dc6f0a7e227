import { join, sep } from 'node:path';
import { withInside } from '../inside.ts';
import type { Environment, Root } from '../source.ts';

/**
 * Where Claude Code keeps histories: its configuration folder (`CLAUDE_CONFIG_DIR`, several parted by commas), the
 * two default ones, those inside projects, and the desktop program's folder of agent sessions.
 */
export function roots(env: Environment): Root[] {
  const folders = new Map<string, Root>();
  const add = (path: string, layout: string) => folders.set(path, folders.get(path) ?? { path, layout });
  for (const path of (env.variables.CLAUDE_CONFIG_DIR ?? '').split(',')) if (path.trim()) add(path.trim(), 'home');
  add(join(env.home, '.claude'), 'home');
  add(join(env.home, '.config', 'claude'), 'home');
  for (const support of desktopSupport(env)) add(join(support, 'local-agent-mode-sessions'), 'desktop');
  return withInside([...folders.values()], env.projects, '.claude', ['projects']);
}

/** Folders in which the desktop program keeps its data, per system. */
export function desktopSupport(env: Environment): string[] {
  if (env.platform === 'darwin') return [join(env.home, 'Library', 'Application Support', 'Claude')];
  if (env.platform === 'win32') {
    const roaming = env.variables.APPDATA ?? join(env.home, 'AppData', 'Roaming');
    const local = env.variables.LOCALAPPDATA ?? join(env.home, 'AppData', 'Local');
    return [
      join(roaming, 'Claude'),
      join(local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude'),
    ];
  }
  return [join(env.variables.XDG_CONFIG_HOME ?? join(env.home, '.config'), 'Claude')];
}

/**
 * What a transcript's path says: its name, its project folder, and the session whose folder it lies in. What a program
 * that copies files puts behind the name is no part of it.
 */
export function placeOf(path: string): {
  readonly stem: string;
  readonly parentFolder?: string;
  /** The folder below `projects`: named after the project's folder. */
  readonly projectFolder?: string;
  readonly isAgent: boolean;
} {
  const names = path.split(sep);
  const name = (names.at(-1) ?? '').replace(/\.jsonl$/, '');
  const stem = NAME.exec(name)?.[0] ?? name;
  const isAgent = stem.startsWith('agent-');
  const folder = names.lastIndexOf('subagents');
  const before = folder > 0 ? names[folder - 1] : undefined;
  const projects = names.lastIndexOf('projects');
  const projectFolder = projects < 0 ? undefined : names[projects + 1];
  return {
    stem,
    isAgent,
    ...(isAgent && before !== undefined && UUID.test(before) && { parentFolder: before }),
    ...(projectFolder !== undefined && projects + 2 < names.length && { projectFolder }),
  };
}

/**
 * Whether a project folder stands for a folder: every sign but letters and digits became a dash; of a long name the
 * first 200 signs are left, and a hash. A session is resumed only in the folder that its file lies under.
 */
export function isProjectFolderOf(projectFolder: string, folder: string): boolean {
  const name = folder.replace(/[^A-Za-z0-9]/g, '-');
  return name.length <= 200 ? projectFolder === name : projectFolder.startsWith(`${name.slice(0, 200)}-`);
}

/** A session's id, or a sub-agent's name: a copy of its file is called `… (1)`, `… copy`, `….sync-conflict-…`. */
const NAME = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])|agent-[^\s.()]+)/;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The native id of a sub-agent. The short ids of 2.0.x (7 or 8 hexadecimal digits) may meet again in another session,
 * so the session's id stands before them.
 */
export function agentId(agent: string, session: string | undefined): string {
  return agent.length <= 8 && session !== undefined ? `${session}/agent-${agent}` : `agent-${agent}`;
}
