import { isBehind } from '../transcript/index.ts';
import type { Archive } from './archive.ts';
import { outsideTurns } from './copies.ts';
import { recordsOfTurn } from './turns.ts';

/** One session's records in order, for settling whose they are. */
interface Line {
  readonly session: number;
  readonly path: string;
  readonly key: string;
  /** The session that this one says it came from. */
  readonly parent?: string;
  /** 0 for a session, 1 for a sub-agent, 2 for a sub-agent's records inside another file: the lowest shows the record. */
  readonly rank: number;
  readonly hashes: readonly number[];
  readonly times: readonly number[];
}

/** Who shows the records that several sessions hold. */
interface Kinship {
  /** The owner of each record that more than one session of the group holds. */
  readonly owners: ReadonlyMap<number, number>;
  /** Sessions of which a record of their own that comes later may change this. */
  readonly unsettled: ReadonlySet<number>;
}

/**
 * Which session shows a record that several hold: forks, resumed sessions and some sub-agents begin with another's
 * records.
 *
 * The rule is a function of the sessions' contents alone, so the order in which they were read does not matter. Of the
 * sessions that hold a record, take the run of records that all of them hold; the owner is
 * 1. the session before its sub-agents and the forks that name it, a sub-agent's own file before its echo in the parent's;
 * 2. the copy that ends inside the run: it is what the others went on from;
 * 3. else the one whose first record of its own is the earliest;
 * 4. else the shorter one, else the first by path.
 */
export function kinshipOf(lines: readonly Line[]): Kinship {
  const keys = new Set(lines.map((line) => line.key));
  const holders = new Map<number, number[]>();
  lines.forEach((line, index) => {
    for (const hash of new Set(line.hashes)) {
      const known = holders.get(hash);
      if (known) known.push(index);
      else holders.set(hash, [index]);
    }
  });
  const groups = new Map<string, { members: number[]; hashes: number[] }>();
  for (const [hash, members] of holders) {
    if (members.length < 2) continue;
    const key = members.join(' ');
    const group = groups.get(key);
    if (group) group.hashes.push(hash);
    else groups.set(key, { members, hashes: [hash] });
  }
  const owners = new Map<number, number>();
  const unsettled = new Set<number>();
  for (const { members, hashes } of groups.values()) {
    const isShared = (hash: number) => {
      const holding = holders.get(hash) ?? [];
      return members.every((member) => holding.includes(member));
    };
    const candidates = members.map((member) => candidate(lines[member]!, isShared, keys));
    candidates.sort(compare);
    const owner = candidates[0]!.line.session;
    for (const hash of hashes) owners.set(hash, owner);
    for (const { line } of candidates.filter((one) => !isSettled(one, candidates))) unsettled.add(line.session);
  }
  return { owners, unsettled };
}

/** Whether it stays as it is when its session grows by records of its own: it is known, and no length decides. */
function isSettled({ line, ownFrom }: Candidate, all: readonly Candidate[]): boolean {
  return Number.isFinite(ownFrom) && all.every((other) => other.line === line || other.ownFrom !== ownFrom);
}

interface Candidate {
  readonly line: Line;
  readonly rank: number;
  /** Time of the first record after the shared run; -Infinity where the session ends inside it. */
  readonly ownFrom: number;
}

function candidate(line: Line, isShared: (hash: number) => boolean, keys: ReadonlySet<string>): Candidate {
  const rank = line.rank + (line.parent !== undefined && keys.has(line.parent) ? 1 : 0);
  // Bookkeeping between shared records may differ from copy to copy: only what follows the run is the session's own.
  const after = line.hashes.findLastIndex(isShared) + 1;
  if (after === line.hashes.length) return { line, rank, ownFrom: Number.NEGATIVE_INFINITY };
  const known = line.times.slice(after).find((time) => !Number.isNaN(time));
  return { line, rank, ownFrom: known ?? Number.POSITIVE_INFINITY };
}

function compare(a: Candidate, b: Candidate): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.ownFrom !== b.ownFrom) return a.ownFrom < b.ownFrom ? -1 : 1;
  if (a.line.hashes.length !== b.line.hashes.length) return a.line.hashes.length - b.line.hashes.length;
  return a.line.path < b.line.path ? -1 : a.line.path > b.line.path ? 1 : a.line.session - b.line.session;
}

/** The sessions that hold records in common with one, and who of them shows these. */
export interface Kin extends Kinship {
  readonly members: readonly number[];
  readonly lines: readonly Line[];
}

/** The kin of a session: all its records are read, and those of its relatives. */
export function kinOf(archive: Archive, session: number): Kin {
  const members = relatives(archive, session);
  const lines = members.length === 1 ? [] : members.flatMap((member) => lineOf(archive, member) ?? []);
  return { members, lines, ...kinshipOf(lines) };
}

/** The sessions that hold records in common with one, over any number of steps, itself included. */
export function relatives(archive: Archive, session: number): number[] {
  const found = new Set([session]);
  for (const member of found)
    for (const { other } of archive.db.rows<{ other: number }>('SELECT other FROM shares WHERE session = ?', member))
      found.add(other);
  return [...found];
}

/** A session's records as `kinshipOf` wants them. */
function lineOf(archive: Archive, session: number): Line | undefined {
  const row = archive.session(session);
  if (!row) return undefined;
  const hashes: number[] = [];
  const times: number[] = [];
  // What the file held before it was written anew comes first: the session ends with what its file ends with.
  for (const turn of turnsByAge(archive, session)) {
    const records = recordsOfTurn(archive.db, session, turn);
    for (let i = 0; i < records.length; i += 2) {
      hashes.push(records[i]!);
      times.push(records[i + 1]!);
    }
  }
  const path = archive.unit(row.unit)?.path ?? '';
  const rank = row.facts.isEcho ? 2 : row.facts.parent?.relation === 'subagent' ? 1 : 0;
  const parent = row.facts.parent && `${row.source}:${row.facts.parent.nativeId}`;
  return { session, key: row.key, path, rank, hashes, times, ...(parent !== undefined && { parent }) };
}

/** What a file held before it was written anew comes first: the session ends with what its file ends with. */
function* turnsByAge(archive: Archive, session: number): Iterable<number> {
  for (const { turn } of outsideTurns(archive, session)) if (isBehind(turn)) yield turn;
  for (const { turn } of archive.eachTurn(session)) if (!isBehind(turn)) yield turn;
}
