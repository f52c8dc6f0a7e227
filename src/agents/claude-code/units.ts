import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
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

function* unitsOfHome(home: string, layout: string): Generator<Unit> {
  for (const path of transcripts(join(home, 'projects'))) {
    const unit = unitAt(path, layout);
    if (unit) yield unit;
  }
  const history = unitAt(join(home, 'history.jsonl'), 'history');
  if (history) yield history;
}

function* transcripts(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isFile() || entry.isSymbolicLink()) {
      if (entry.name.endsWith('.jsonl') && !OTHER_FILES.has(entry.name)) yield path;
      else if (entry.isSymbolicLink() && !entry.name.includes('.') && isFolder(path)) yield* transcripts(path);
    } else if (entry.isDirectory() && !OTHER_FOLDERS.has(entry.name)) yield* transcripts(path);
  }
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
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  return {
    source: 'claude-code',
    path,
    layout,
    format: 'append',
    size: stat.size,
    modified: Math.floor(stat.mtimeMs),
    identity: `${stat.dev}:${stat.ino}`,
  };
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
