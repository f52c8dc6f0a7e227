import type { SessionFacts } from '../../agents/source.ts';
import type { Archive } from '../../archive/archive.ts';
import type { Kin } from '../../archive/lineage.ts';
import type { SessionRow } from '../../archive/rows.ts';
import { spawnOf } from '../../archive/spawns.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogSession } from '../../catalog/listed.ts';
import type { Relation } from '../../transcript/index.ts';

type Parent = NonNullable<CatalogSession['parent']>;

/** The session that one came from, and the turn of it at which it left; from what is shown of its turns. */
export function parentOf(
  archive: Archive,
  catalog: Catalog,
  row: SessionRow,
  kin: Kin | undefined,
): Parent | undefined {
  const said = row.facts.parent;
  if (said?.relation === 'subagent') {
    const spawn = spawnOf(archive, row.source, row.nativeId, row.facts.startedBy, said.nativeId);
    return {
      key: spawn?.key ?? `${row.source}:${said.nativeId}`,
      relation: said.relation,
      ...(spawn && { turn: spawn.turn }),
    };
  }
  if (said) return saidParent(archive, row, said, kin);
  const shownBy = catalog.firstReplayOf(row.id);
  const parent = shownBy === undefined ? undefined : archive.session(shownBy);
  if (!parent) return undefined;
  const relation: Relation = row.facts.isHandedOver ? 'continuation' : 'fork';
  const turn = turnShared(archive, row.id, parent.id, kin);
  return { key: parent.key, relation, ...(turn !== undefined && { turn }) };
}

/** The parent that the file names. It is left at the turn of the last record that both hold, else at the last one begun before. */
function saidParent(
  archive: Archive,
  row: SessionRow,
  said: NonNullable<SessionFacts['parent']>,
  kin: Kin | undefined,
): Parent {
  const key = `${row.source}:${said.nativeId}`;
  const parent = archive.sessionByKey(key);
  if (!parent) return { key, relation: said.relation };
  const turn =
    turnShared(archive, row.id, parent.id, kin) ??
    (row.started === undefined ? undefined : archive.turnBefore(parent.id, row.started));
  return { key, relation: said.relation, ...(turn !== undefined && { turn }) };
}

/** The turn of the owner in which the last record stands that a session holds in common with it. */
function turnShared(archive: Archive, session: number, owner: number, kin: Kin | undefined): number | undefined {
  const line = kin?.lines.find((one) => one.session === session);
  const last = line?.hashes.findLast((hash) => kin?.owners.get(hash) === owner);
  return last === undefined ? undefined : archive.turnOfRecord(owner, last);
}
