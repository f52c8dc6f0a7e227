import { basename, dirname, join, relative, sep } from 'node:path';
import { databaseUnit, filesBelow, fileUnit } from '../folders.ts';
import type { Encounters, Environment, Root, Unit } from '../source.ts';
import { userFolders } from '../vscode/user-folders.ts';

/** Where a conversation was held: as a root's layout, and as a client's surface. */
export const EDITOR = 'editor';
const PROJECTS = 'projects';
const TRANSCRIPTS = 'agent-transcripts';
/** `projects/<folder>/agent-transcripts/<session>/subagents/<id>.jsonl`. */
const DEPTH = 5;

/** Where the editor keeps conversations, and where its agent writes transcripts. */
export function roots(env: Environment): Root[] {
  const editors = userFolders(env).filter((folder) => /[\\/](?:Cursor|\.cursor-server)[\\/]/.test(folder));
  return [...editors.map((path) => ({ path, layout: EDITOR })), { path: join(env.home, '.cursor'), layout: 'agent' }];
}

export async function* units(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  if (root.layout === EDITOR) {
    const unit = unitUnder(root, databaseIn(root), met);
    if (unit) yield unit;
    return;
  }
  const passes = (name: string) => OTHER_FOLDERS.has(name);
  for (const path of filesBelow(join(root.path, PROJECTS), root.path, { depth: DEPTH, passes }, met)) {
    const unit = unitUnder(root, path, met);
    if (unit) yield unit;
  }
}

export function places(root: Root): { folders: string[]; files: string[] } {
  if (root.layout === 'agent') return { folders: [join(root.path, PROJECTS)], files: [] };
  const path = databaseIn(root);
  return { folders: [], files: [path, `${path}-wal`] };
}

/** The editor's database, for itself and for the log beside it; or a transcript. */
export function unitUnder(root: Root, path: string, met?: Encounters): Unit | undefined {
  if (root.layout === EDITOR) {
    const own = databaseIn(root);
    const isOwn = path === own || path === `${own}-wal`;
    return isOwn ? databaseUnit({ source: 'cursor', path: own, layout: EDITOR }, met) : undefined;
  }
  const [projects, folder, transcripts, ...below] = relative(root.path, path).split(sep);
  const isTranscript = projects === PROJECTS && folder !== undefined && transcripts === TRANSCRIPTS;
  if (!isTranscript || below.length === 0 || !/^[^.].*\.jsonl$/.test(basename(path))) return undefined;
  return fileUnit({ source: 'cursor', path, layout: 'transcript', format: 'append', isOneSession: true }, met);
}

/** How the folder that was worked in is written in a transcript's path. */
export function projectOf(path: string): string {
  const names = path.split(/[\\/]/);
  return names[names.lastIndexOf(TRANSCRIPTS) - 1] ?? '';
}

/** The session that a sub-agent's transcript lies beneath. */
export function parentOf(path: string): string | undefined {
  return basename(dirname(path)) === 'subagents' ? basename(dirname(dirname(path))) : undefined;
}

const databaseIn = ({ path }: Root) => join(path, 'globalStorage', 'state.vscdb');

const OTHER_FOLDERS: ReadonlySet<string> = new Set(['terminals', 'mcps', 'assets', 'canvases', 'agent-notes', 'rules']);
