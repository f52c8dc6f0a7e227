import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { entriesOf, fileUnit, statOf } from '../folders.ts';
import type { Root, Unit } from '../source.ts';

/** Folders beside transcripts that hold none. */
const OTHER_FOLDERS = new Set(['tool-results', 'memory', 'node_modules', '.git', 'skills-plugin']);
const OTHER_FILES = new Set(['journal.jsonl']);

/** The transcripts and the prompt history under a root. Folders that cannot be read are left out. */
export async function* units(root: Root): AsyncIterable<Unit> {
  if (root.layout === 'desktop') {
    for (const home of desktopHomes(root.path, 4)) yield* unitsOfHome(home, 'desktop');
  } else yield* unitsOfHome(root.path, 'home');
}

/** What of a root is to be watched. */
export function places(root: Root): { folders: string[]; files: string[] } {
  if (root.layout === 'desktop') return { folders: [root.path], files: [] };
  return { folders: [join(root.path, 'projects')], files: [join(root.path, 'history.jsonl')] };
}

/** The unit that a path under a root is. */
export function unitUnder(root: Root, path: string): Unit | undefined {
  const [first, ...below] = relative(root.path, path).split(sep);
  if (first === 'history.jsonl' && below.length === 0) return unitAt(path, 'history');
  const names = root.layout === 'desktop' ? below.slice(below.indexOf('projects') + 1) : below;
  const isBelow = root.layout === 'desktop' ? below.includes('projects') : first === 'projects';
  const name = names.at(-1);
  if (!isBelow || !name?.endsWith('.jsonl') || !isTranscript(name)) return undefined;
  if (names.some((folder) => OTHER_FOLDERS.has(folder))) return undefined;
  return unitAt(path, root.layout);
}

function* unitsOfHome(home: string, layout: string): Generator<Unit> {
  for (const path of transcripts(join(home, 'projects'))) {
    const unit = unitAt(path, layout);
    if (unit) yield unit;
  }
  const history = unitAt(join(home, 'history.jsonl'), 'history');
  if (history) yield history;
}

/** `seen` holds the folders that links led to: a link may lead back to where it stands. */
function* transcripts(folder: string, seen = new Set<string>()): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (OTHER_FOLDERS.has(entry.name)) continue;
    if (entry.isDirectory()) yield* transcripts(path, seen);
    else if (entry.name.endsWith('.jsonl')) {
      if (isTranscript(entry.name)) yield path;
    } else if (entry.isSymbolicLink()) {
      const target = folderBehind(path);
      if (target === undefined || seen.has(target) || `${folder}/`.startsWith(`${target}/`)) continue;
      seen.add(target);
      yield* transcripts(path, seen);
    }
  }
}

/** Hidden files are none: macOS keeps what a foreign disk cannot hold of a file in `._` and its name. */
function isTranscript(name: string): boolean {
  return !OTHER_FILES.has(name) && !name.startsWith('.');
}

/** The homes that the desktop program makes, one a session: `…/local_<id>/.claude`. */
function* desktopHomes(folder: string, depth: number): Generator<string> {
  for (const entry of entriesOf(folder)) {
    if (!entry.isDirectory() || OTHER_FOLDERS.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.name.startsWith('local_')) yield join(path, '.claude');
    else if (depth > 1) yield* desktopHomes(path, depth - 1);
  }
}

function unitAt(path: string, layout: string): Unit | undefined {
  return fileUnit({ source: 'claude-code', path, layout, format: 'append', isOneSession: layout !== 'history' });
}

/** The folder that a link leads to. */
function folderBehind(path: string): string | undefined {
  try {
    return statOf(path)?.isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}
