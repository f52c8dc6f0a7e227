import { basename, join, relative, sep } from 'node:path';
import { entriesOf, filesBelow, fileUnit } from '../folders.ts';
import type { Encounters, Root, Unit } from '../source.ts';

/** Folders beside transcripts that hold none. */
const OTHER_FOLDERS = new Set(['tool-results', 'memory', 'node_modules', '.git', 'skills-plugin']);
const OTHER_FILES = new Set(['journal.jsonl']);
const HISTORY = 'history.jsonl';

/** The transcripts and the prompt history under a root. */
export async function* units(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  const homes = root.layout === 'desktop' ? desktopHomes(root.path, 4, met) : [root.path];
  for (const home of homes) {
    for (const path of filesBelow(join(home, 'projects'), home, { passes: isOther }, met)) {
      const unit = isTranscript(path) ? unitAt(root, path, root.layout, met) : undefined;
      if (unit) yield unit;
    }
    const history = unitAt(root, join(home, HISTORY), 'history', met);
    if (history) yield history;
  }
}

/** What of a root is to be watched. */
export function places(root: Root): { folders: string[]; files: string[] } {
  if (root.layout === 'desktop') return { folders: [root.path], files: [] };
  return { folders: [join(root.path, 'projects')], files: [join(root.path, HISTORY)] };
}

/** The unit that a path under a root is. */
export function unitUnder(root: Root, path: string): Unit | undefined {
  const names = relative(root.path, path).split(sep);
  // Of the desktop program's homes, each has such a folder and such a file.
  const below = root.layout === 'desktop' ? names.slice(names.indexOf('.claude') + 1) : names;
  if (below.length === 1 && below[0] === HISTORY) return unitAt(root, path, 'history');
  const isInside = below.length > 1 && below[0] === 'projects' && !below.some(isOther);
  return isInside && isTranscript(path) ? unitAt(root, path, root.layout) : undefined;
}

/** The homes that the desktop program makes, one a session: `…/local_<id>/.claude`. */
function* desktopHomes(folder: string, depth: number, met: Encounters): Generator<string> {
  met.listed?.(folder);
  for (const entry of entriesOf(folder, met)) {
    if (!entry.isDirectory() || isOther(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.name.startsWith('local_')) yield join(path, '.claude');
    else if (depth > 1) yield* desktopHomes(path, depth - 1, met);
  }
}

const isOther = (folder: string) => OTHER_FOLDERS.has(folder);

/** Hidden files are none: macOS keeps what a foreign disk cannot hold of a file in `._` and its name. */
function isTranscript(path: string): boolean {
  const name = basename(path);
  return name.endsWith('.jsonl') && !OTHER_FILES.has(name) && !name.startsWith('.');
}

function unitAt({ inside }: Root, path: string, layout: string, met?: Encounters): Unit | undefined {
  const isOneSession = layout !== 'history';
  const unit = fileUnit({ source: 'claude-code', path, layout, format: 'append', isOneSession }, met);
  return unit && inside !== undefined ? { ...unit, inside } : unit;
}
