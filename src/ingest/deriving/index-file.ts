import type { Archive } from '../../archive/archive.ts';
import { rememberAll } from '../../archive/salvage/remember.ts';
import { Catalog } from '../../catalog/catalog.ts';
import { CATALOG_SCHEMA, CATALOG_VERSION } from '../../catalog/schema.ts';
import type { Home } from '../../home/paths.ts';
import { LEXICAL_SCHEMA } from '../../lexical/schema.ts';
import { SegmentedIndex } from '../../lexical/segmented-index.ts';
import { knownSessions, type Witness, witnessOf } from '../../repair/witness.ts';
import { isDamage } from '../../store/damage.ts';
import { Database } from '../../store/database.ts';
import { currentGeneration, nextGeneration, useGeneration } from '../../store/generations.ts';
import { breakSeal, sealState } from '../../store/seal.ts';
import { isAsClean, isUpToDate, projectSettings } from './currency.ts';
import { Deriver } from './derive.ts';
import { ProjectAssigner } from './projects.ts';

/** The derived half, open for writing. */
export interface Index {
  readonly path: string;
  readonly db: Database;
  readonly catalog: Catalog;
  readonly lexical: SegmentedIndex;
  readonly deriver: Deriver;
}

/** When the histories were last read to the end, epoch milliseconds: noted in the archive and in the index. */
export const LAST_INGEST = 'last_ingest';

export type OnRebuild = (done: number, total: number) => void;

/**
 * The index, as the archive is: the one in use, brought up to date, or a new one where there is none, where it is of
 * another version, or where it is damaged. It is derived, so it is made again rather than mended.
 */
export function openIndex(home: Home, archive: Archive, onRebuild: OnRebuild, wanted: 'kept' | 'anew'): Index {
  const current = wanted === 'anew' ? undefined : currentGeneration(home.index);
  return (
    (current === undefined ? undefined : keptIndex(home, current, archive, onRebuild)) ??
    newIndex(home, archive, onRebuild)
  );
}

const INDEX_SCHEMA = `${CATALOG_SCHEMA}${LEXICAL_SCHEMA}`;

/** The archive lost the end of its log, or is a backup from before: what only the index knows is not to be lost with it. */
function recall(archive: Archive, index: Pick<Witness, 'changes' | 'sessions'>): void {
  if (index.changes > archive.changes()) rememberAll(archive.db, index.sessions(), index.changes);
}

function newIndex(home: Home, archive: Archive, onRebuild: OnRebuild): Index {
  const witness = witnessOf(home);
  if (witness) recall(archive, witness);
  witness?.close();
  breakSeal(home.index);
  const path = nextGeneration(home.index);
  const db = Database.forWriting(path, INDEX_SCHEMA, CATALOG_VERSION);
  const index = indexOver(home, path, db, archive);
  try {
    catchUp(archive, index, onRebuild);
  } catch (error) {
    db.close();
    throw error;
  }
  index.catalog.note('redactor', archive.state('redactor') ?? 0);
  const lastIngest = archive.state(LAST_INGEST);
  if (lastIngest !== undefined) index.catalog.note(LAST_INGEST, lastIngest);
  useGeneration(home.index, path);
  return index;
}

function keptIndex(home: Home, path: string, archive: Archive, onRebuild: OnRebuild): Index | undefined {
  const state = sealState(home.index, path);
  if (state === 'changed') return undefined;
  let db: Database | undefined;
  try {
    db = Database.forWriting(path, INDEX_SCHEMA, CATALOG_VERSION);
    const isKnown = db.version === CATALOG_VERSION;
    // Its writer died: what SQLite makes good is good, but a look costs little against a wrong answer.
    // What an older redactor let through may still stand in pages that are no longer used.
    const isClean = isAsClean({ archive, catalog: new Catalog(db) });
    if (isKnown && isClean && (state === 'whole' || db.structureProblem() === undefined)) {
      const index = indexOver(home, path, db, archive);
      recall(archive, { changes: index.catalog.changes(), sessions: () => knownSessions(index.catalog) });
      // Another archive may have come in the place of the one that the index was made from.
      const isAnother = sealState(home.path, home.archive) === 'changed';
      if (isAnother || !isUpToDate({ archive, catalog: index.catalog }, projectSettings(home))) {
        breakSeal(home.index);
        catchUp(archive, index, onRebuild);
      }
      return index;
    }
  } catch (error) {
    // Of a damaged archive no better index can be made.
    if (!isDamage(error) || error.path !== path) {
      db?.close();
      throw error;
    }
  }
  db?.close();
  return undefined;
}

function indexOver(home: Home, path: string, db: Database, archive: Archive): Index {
  const catalog = new Catalog(db);
  const lexical = new SegmentedIndex(db);
  const projects = new ProjectAssigner(archive, catalog, projectSettings(home));
  return { path, db, catalog, lexical, deriver: new Deriver(archive, catalog, lexical, projects) };
}

/** Derives again what the index does not hold as the archive does. */
function catchUp(archive: Archive, { catalog, lexical, deriver }: Index, onRebuild: OnRebuild): void {
  const changes = archive.changes();
  const held = new Map(
    catalog.db
      .rows<{ id: number; revision: number; key: string }>('SELECT id, revision, key FROM sessions')
      .map((row) => [row.id, row]),
  );
  const lagging: number[] = [];
  for (const { id, revision, key } of archive.revisions()) {
    const before = held.get(id);
    if (before?.revision !== revision || before.key !== key) lagging.push(id);
    held.delete(id);
  }
  for (let start = 0; start < lagging.length || start === 0; start += 50) {
    catalog.db.transaction(() => {
      if (start === 0) for (const id of held.keys()) deriver.drop(id);
      for (const id of lagging.slice(start, start + 50)) deriver.rebuild(id);
      deriver.settle();
    });
    lexical.merge();
    if (lagging.length > 0) onRebuild(Math.min(start + 50, lagging.length), lagging.length);
  }
  catalog.db.transaction(() => {
    deriver.projects.assignAnew();
    catalog.noteChanges(changes);
  });
  lexical.settle();
  catalog.db.shrink();
}
