import { basename, join, relative, sep } from 'node:path';
import { filesBelow, fileUnit, statOf } from '../folders.ts';
import type { Encounters, Root, Unit } from '../source.ts';
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
export async function* units(root: Root, met: Encounters = {}): AsyncIterable<Unit> {
  const seen = new Set<string>();
  const unseen = (path: string): Unit | undefined => {
    if (seen.has(path) || !ROLLOUT.test(basename(path))) return undefined;
    const unit = rolloutAt(root, path, met);
    if (unit) seen.add(path);
    return unit;
  };
  for (const folder of FOLDERS)
    for (const path of filesBelow(join(root.path, folder), root.path, { depth: DEPTH }, met)) {
      const unit = unseen(plainOf(path));
      if (unit) yield unit;
    }
  for (const path of cataloguedElsewhere(root.path, met)) {
    const unit = unseen(path);
    if (unit) yield unit;
  }
  const history = unitAt(root, join(root.path, HISTORY), 'history', met);
  if (history) yield history;
  for (const name of NOTES) {
    const path = newestDatabase(root.path, name, met);
    const notes = path === undefined ? undefined : notesAt(root, path, name, met);
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

/** The unit that a path under a root is. A compressed rollout is called by its plain name. */
export function unitUnder(root: Root, path: string): Unit | undefined {
  const [first = '', ...below] = relative(root.path, path).split(sep);
  if (first === HISTORY && below.length === 0) return unitAt(root, path, 'history');
  const database = databaseOf(path);
  if (database && database.name !== 'state')
    return newestDatabase(root.path, database.name) === database.path
      ? notesAt(root, database.path, database.name)
      : undefined;
  const plain = plainOf(path);
  if (!ROLLOUT.test(basename(plain))) return undefined;
  const isScanned = FOLDERS.includes(first) && below.length > 0 && below.length <= DEPTH;
  return isScanned || cataloguedElsewhere(root.path).includes(plain) ? rolloutAt(root, plain) : undefined;
}

/** A rollout's path without what is added to it where it is compressed. */
const plainOf = (path: string) => (path.endsWith(COMPRESSED) ? path.slice(0, -COMPRESSED.length) : path);

/** While a rollout is compressed both files stand there: the plain one is whole. */
function rolloutAt(root: Root, path: string, met?: Encounters): Unit | undefined {
  const plain = unitAt(root, path, path.endsWith('.json') ? 'json' : 'rollout', met);
  if (plain) return plain;
  const packed = unitAt(root, `${path}${COMPRESSED}`, 'compressed', met);
  return packed && { ...packed, path };
}

/** What is newest in a database may lie in the log beside it: both are its mark. */
function notesAt(root: Root, path: string, layout: string, met?: Encounters): Unit | undefined {
  const unit = unitAt(root, path, layout, met);
  const log = statOf(`${path}-wal`);
  if (!unit || !log) return unit;
  return { ...unit, size: unit.size + log.size, modified: Math.max(unit.modified, Math.floor(log.mtimeMs)) };
}

function unitAt({ inside }: Root, path: string, layout: string, met?: Encounters): Unit | undefined {
  const format = SNAPSHOTS.has(layout) ? 'snapshot' : 'append';
  const unit = fileUnit({ source: 'codex', path, layout, format, isOneSession: ROLLOUTS.has(layout) }, met);
  return unit && inside !== undefined ? { ...unit, inside } : unit;
}
