import { basename, join, relative, sep } from 'node:path';
import { entriesOf, fileUnit, statOf } from '../folders.ts';
import type { Root, Unit } from '../source.ts';
import { cataloguedElsewhere } from './catalogue.ts';
import { databaseOf, newestDatabase } from './databases.ts';

const FOLDERS = ['sessions', 'archived_sessions'];
const HISTORY = 'history.jsonl';
/** Databases that are histories too; the third is read for titles alone. */
const NOTES = ['memories', 'goals'] as const;

/** `sessions/YYYY/MM/DD` is three folders deep. */
const DEPTH = 4;

const ROLLOUT = /^rollout-.*\.jsonl?$/;
const COMPRESSED = '.zst';
const ROLLOUTS: ReadonlySet<string> = new Set(['rollout', 'compressed', 'json']);
const SNAPSHOTS: ReadonlySet<string> = new Set(['json', ...NOTES]);

/**
 * The rollouts, the prompt history and the databases of memories and goals of a home. A rollout that was compressed is still called by its plain name, so
 * that it stays the unit it was; its layout says where to look. Those that only the agent's catalogue knows come last.
 */
export async function* units(root: Root): AsyncIterable<Unit> {
  const seen = new Set<string>();
  for (const folder of FOLDERS)
    for (const path of rollouts(join(root.path, folder), DEPTH)) {
      const unit = rolloutAt(path);
      if (!unit) continue;
      seen.add(basename(path));
      yield unit;
    }
  for (const path of cataloguedElsewhere(root.path)) {
    const name = basename(path);
    if (seen.has(name) || !ROLLOUT.test(name)) continue;
    const unit = rolloutAt(path);
    if (!unit) continue;
    seen.add(name);
    yield unit;
  }
  const history = unitAt(join(root.path, HISTORY), 'history');
  if (history) yield history;
  for (const name of NOTES) {
    const path = newestDatabase(root.path, name);
    const notes = path === undefined ? undefined : notesAt(path, name);
    if (notes) yield notes;
  }
}

/** What of a root is to be watched. */
export function places(root: Root): { folders: string[]; files: string[] } {
  const databases = NOTES.flatMap((name) => newestDatabase(root.path, name) ?? []);
  return {
    folders: FOLDERS.map((folder) => join(root.path, folder)),
    files: [join(root.path, HISTORY), ...databases.flatMap((path) => [path, `${path}-wal`])],
  };
}

/** The unit that a path under a root is. A compressed rollout is met when its plain file goes. */
export function unitUnder(root: Root, path: string): Unit | undefined {
  const [first = '', ...below] = relative(root.path, path).split(sep);
  if (first === HISTORY && below.length === 0) return unitAt(path, 'history');
  const database = databaseOf(path);
  if (database && database.name !== 'state')
    return newestDatabase(root.path, database.name) === database.path
      ? notesAt(database.path, database.name)
      : undefined;
  const name = below.at(-1);
  if (!FOLDERS.includes(first) || name === undefined || below.length > DEPTH) return undefined;
  return ROLLOUT.test(name) ? rolloutAt(path) : undefined;
}

/** The plain paths of all rollouts below a folder. */
function* rollouts(folder: string, depth: number): Generator<string> {
  const found = new Set<string>();
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory()) {
      if (depth > 1) yield* rollouts(join(folder, entry.name), depth - 1);
      continue;
    }
    const name = entry.name.endsWith(COMPRESSED) ? entry.name.slice(0, -COMPRESSED.length) : entry.name;
    if (ROLLOUT.test(name)) found.add(name);
  }
  for (const name of found) yield join(folder, name);
}

/** While a rollout is compressed both files stand there: the plain one is whole. */
function rolloutAt(path: string): Unit | undefined {
  const plain = unitAt(path, path.endsWith('.json') ? 'json' : 'rollout');
  if (plain) return plain;
  const packed = unitAt(`${path}${COMPRESSED}`, 'compressed');
  return packed && { ...packed, path };
}

/** What is newest in a database may lie in the log beside it: both are its mark. */
function notesAt(path: string, layout: string): Unit | undefined {
  const unit = unitAt(path, layout);
  const log = statOf(`${path}-wal`);
  if (!unit || !log) return unit;
  return { ...unit, size: unit.size + log.size, modified: Math.max(unit.modified, Math.floor(log.mtimeMs)) };
}

function unitAt(path: string, layout: string): Unit | undefined {
  const format = SNAPSHOTS.has(layout) ? 'snapshot' : 'append';
  return fileUnit({ source: 'codex', path, layout, format, isOneSession: ROLLOUTS.has(layout) });
}
