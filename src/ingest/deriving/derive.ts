import type { SessionFacts } from '../../agents/source.ts';
import type { Archive } from '../../archive/archive.ts';
import type { ChunkBody, SessionDelta } from '../../archive/delta.ts';
import type { AppliedSession } from '../../archive/keeper.ts';
import { lineOf, ownersOf, relatives } from '../../archive/lineage.ts';
import type { SessionRow } from '../../archive/rows.ts';
import { type Catalog, TITLE_CHUNK } from '../../catalog/catalog.ts';
import type { CatalogTurn } from '../../catalog/listed.ts';
import { type ChunkDescription, describeChunk } from '../../holdings/passages.ts';
import { FIELDS } from '../../lexical/fields.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import { TokenWriter } from '../../lexical/words/tokens.ts';
import { hash53, type Relation } from '../../transcript/index.ts';
import { rewoundTurns } from './branches.ts';
import type { ProjectAssigner } from './projects.ts';
import { tokensByModel } from './spending.ts';
import { titleOf } from './titles.ts';

/** Record owners by hash, for the records that several sessions hold. */
type Owners = ReadonlyMap<number, number>;
const NO_OWNERS: Owners = new Map();

/**
 * Derives the catalog and the index from the archive. `follow` takes over what a reading changed; `rebuild` derives a
 * session anew. Both inside the index's transaction, after the archive's.
 */
export class Deriver {
  private readonly archive: Archive;
  private readonly catalog: Catalog;
  private readonly lexical: LexicalIndex;
  readonly projects: ProjectAssigner;
  /** Sessions whose rows are to be settled before the transaction ends. */
  private readonly unsettled = new Set<number>();

  constructor(archive: Archive, catalog: Catalog, lexical: LexicalIndex, projects: ProjectAssigner) {
    this.archive = archive;
    this.catalog = catalog;
    this.lexical = lexical;
    this.projects = projects;
  }

  follow(applied: readonly AppliedSession[]): void {
    for (const { id, delta, fresh, patched } of applied) {
      if (fresh) this.lexical.remove(this.catalog.takeSession(id));
      for (const chunk of delta.chunks) this.putChunk(id, chunk.turn, chunk.chunk, chunk);
      for (const { turn, chunk, body } of patched) this.putChunk(id, turn, chunk, describeChunk(body));
      // Put whole, though part of the turn may be another session's to show.
      for (const { turn } of [...delta.chunks, ...patched]) this.catalog.noteReplayedAgain(id, turn);
      this.unsettled.add(id);
      this.noteRelated(id, delta, fresh);
    }
  }

  /** Sessions whose rows tell something of this one: they may have been read before it. */
  private noteRelated(id: number, delta: SessionDelta, fresh: boolean): void {
    const row = this.archive.session(id);
    if (row?.kind !== 'transcript') return;
    if (fresh || delta.spawns.length > 0)
      for (const child of this.catalog.sessions('parent = ?', [row.key], 'id', 100_000)) this.unsettled.add(child.id);
    for (const { child } of delta.spawns) {
      const started = this.archive.sessionByKey(`${row.source}:${child}`);
      if (started) this.unsettled.add(started.id);
    }
    for (const { leaf } of delta.facts.flatMap((facts) => facts.titles?.summaries ?? []))
      for (const named of this.archive.sessionsWith(hash53(leaf))) this.unsettled.add(named);
  }

  rebuild(session: number): void {
    this.lexical.remove(this.catalog.takeSession(session));
    for (const { turn } of this.archive.db.rows<{ turn: number }>('SELECT turn FROM turns WHERE session = ?', session))
      for (const { chunk, body } of this.archive.chunksOf(session, turn))
        this.putChunk(session, turn, chunk, describeChunk(body));
    this.unsettled.add(session);
  }

  /** Drops a session, before the archive does: what it hid of others is theirs to show now. */
  drop(session: number): void {
    for (const other of relatives(this.archive, session)) this.unsettled.add(other);
    const row = this.archive.session(session);
    const prompts = row && this.archive.sessionByKey(`${row.source}:prompts/${row.nativeId}`);
    if (prompts) this.unsettled.add(prompts.id);
    this.lexical.remove(this.catalog.takeSession(session));
    this.catalog.dropSession(session);
    this.projects.drop(session);
    this.unsettled.delete(session);
  }

  /** A session's file was deleted, moved or came back. */
  touch(session: number): void {
    this.unsettled.add(session);
  }

  /**
   * Brings the rows of all changed sessions up to date, and of those that share records with them; writes what was added
   * to the index.
   */
  settle(): void {
    const done = new Set<number>();
    for (const session of this.unsettled) {
      if (done.has(session)) continue;
      const group = relatives(this.archive, session);
      const owners = group.length > 1 ? this.settleOwners(group) : NO_OWNERS;
      for (const member of group.length > 1 ? group : [session]) {
        done.add(member);
        this.settleSession(member, owners);
      }
    }
    this.unsettled.clear();
    this.lexical.flush();
  }

  private putChunk(session: number, turn: number, chunk: number, description: ChunkDescription): void {
    this.lexical.remove(this.catalog.takePassages(session, turn, chunk));
    this.catalog.putChunk(session, turn, chunk, description.counts);
    const db = this.catalog.db;
    for (const passage of description.passages) {
      const bytes = description.tokens.subarray(passage.tokenStart);
      const id = this.catalog.putPassage({ session, turn, chunk, ...passage });
      this.lexical.add(id, { bytes, lengths: passage.tokenLengths }, session);
    }
    for (const { path, kind } of description.touches)
      db.run(
        'INSERT OR IGNORE INTO touches (path, session, turn, chunk, kind) VALUES (?, ?, ?, ?, ?)',
        path,
        session,
        turn,
        chunk,
        kind,
      );
    for (const { name, kind, isError } of description.tools)
      db.run(
        'INSERT OR IGNORE INTO tools (session, turn, chunk, name, kind, is_error) VALUES (?, ?, ?, ?, ?, ?)',
        session,
        turn,
        chunk,
        name,
        kind,
        isError ? 1 : 0,
      );
  }

  private settleOwners(group: readonly number[]): Owners {
    const lines = group.flatMap((member) => lineOf(this.archive, member) ?? []);
    return ownersOf(lines);
  }

  private settleSession(session: number, owners: Owners): void {
    const row = this.archive.session(session);
    if (!row) return;
    const turns = this.settleTurns(row, owners);
    const visible = turns.filter((turn) => turn.ownParts !== 0);
    const isHidden = this.isCovered(row) || (row.facts.isEcho === true && visible.length === 0);
    this.settlePrompts(row);
    const unit = this.archive.unit(row.unit);
    const titles = this.titlesOf(row);
    const title = titleOf(row, titles);
    const before = this.catalog.session(session);
    const parent = this.parentOf(row, owners, turns);
    const cwd = row.facts.cwd ?? row.facts.roots?.[0];
    const { roots, branch, remote } = row.facts;
    const told = { id: row.id, cwd, roots, branch, remote };
    const project = this.projects.note(told, before);
    const active = row.ended ?? row.facts.activeAt ?? unit?.modified;
    this.catalog.putSession({
      id: row.id,
      revision: row.revision,
      key: row.key,
      source: row.source,
      nativeId: row.nativeId,
      kind: row.kind,
      hidden: isHidden,
      gone: row.kind === 'prompts' || (unit?.gone ?? true),
      path: unit?.path ?? '',
      turns: visible.length,
      ...this.catalog.countsOf(session),
      tokens: tokensByModel(this.archive, session, owners),
      more: {
        roots: row.facts.roots ?? (cwd === undefined ? [] : [cwd]),
        models: row.facts.models ?? [],
        client: row.facts.client ?? {},
        pullRequests: row.facts.pullRequests ?? [],
        pending: this.archive.isPending(session),
        ...(row.facts.startedBy !== undefined && { startedBy: row.facts.startedBy }),
      },
      ...(title && { title: title.text, titleFrom: title.from }),
      ...(cwd !== undefined && { cwd }),
      ...(project !== undefined && { project }),
      ...(row.facts.branch !== undefined && { branch: row.facts.branch }),
      ...(row.facts.remote !== undefined && { remote: row.facts.remote }),
      ...(row.started !== undefined && { started: row.started }),
      ...(row.ended !== undefined && { ended: row.ended }),
      ...(active !== undefined && { active }),
      ...(parent && { parent }),
    });
    this.settleTitle(row, isHidden ? [] : titles, visible[0]?.turn ?? 0);
    if (isHidden !== (before?.hidden ?? false)) this.setHidden(row, isHidden);
  }

  /** The rows of a session's turns: which were left by a rewind, which another session shows. */
  private settleTurns(row: SessionRow, owners: Owners): CatalogTurn[] {
    const stored = this.archive.turns(row.id);
    const before = new Map(this.catalog.turnsOf(row.id).map((turn) => [turn.turn, turn]));
    const rewound = rewoundTurns(stored, (record) => this.archive.turnOfRecord(row.id, record));
    const out: CatalogTurn[] = [];
    for (const turn of stored) {
      const old = before.get(turn.turn);
      const own = this.ownParts(row.id, turn.turn, owners, old);
      if (own === 'empty') continue;
      const now: CatalogTurn = {
        turn: turn.turn,
        anchor: turn.anchor,
        rewound: rewound.has(turn.turn),
        ...(turn.started !== undefined && { started: turn.started }),
        ...(turn.ended !== undefined && { ended: turn.ended }),
        ...(turn.prompt !== undefined && { prompt: turn.prompt }),
        ...own,
      };
      out.push(now);
      if (!old || !isSame(old, now)) this.catalog.putTurn(row.id, now);
    }
    return out;
  }

  /** Which of a turn's parts are the session's own; indexes the turn again where that changed. */
  private ownParts(
    session: number,
    turn: number,
    owners: Owners,
    before: CatalogTurn | undefined,
  ): Pick<CatalogTurn, 'replayOf' | 'ownParts'> | 'empty' {
    const isForeign = (hash: number) => {
      const owner = owners.get(hash);
      return owner !== undefined && owner !== session;
    };
    const foreign = owners.size === 0 ? undefined : this.archive.recordsIn(session, turn).find(isForeign);
    if (foreign === undefined && before?.ownParts === undefined)
      return before || this.archive.hasParts(session, turn) ? {} : 'empty';
    const chunks = this.archive.chunksOf(session, turn);
    if (chunks.length === 0) return 'empty';
    const records = chunks.flatMap(({ body }) => body.records);
    const own = records.filter((hash) => !isForeign(hash)).length;
    const isWhole = own === records.length;
    if ((before?.ownParts ?? records.length) !== own || (isWhole && before?.ownParts !== undefined))
      for (const { chunk, body } of chunks) this.putOwn(session, turn, chunk, body, isForeign);
    if (isWhole || foreign === undefined) return {};
    return { replayOf: owners.get(foreign)!, ownParts: own };
  }

  private putOwn(
    session: number,
    turn: number,
    chunk: number,
    body: ChunkBody,
    isForeign: (hash: number) => boolean,
  ): void {
    this.putChunk(
      session,
      turn,
      chunk,
      describeChunk(body, (part) => !isForeign(body.records[part]!)),
    );
  }

  /** Prompts are covered once the transcript that holds them is here. */
  private isCovered(row: SessionRow): boolean {
    const transcript = row.facts.transcript;
    return transcript !== undefined && this.archive.sessionByKey(`${row.source}:${transcript}`) !== undefined;
  }

  /** A transcript that came covers the prompts that were kept for it. */
  private settlePrompts(row: SessionRow): void {
    if (row.kind !== 'transcript') return;
    const prompts = this.archive.sessionByKey(`${row.source}:prompts/${row.nativeId}`);
    if (prompts && this.catalog.session(prompts.id)?.hidden === false) this.settleSession(prompts.id, NO_OWNERS);
  }

  private setHidden(row: SessionRow, isHidden: boolean): void {
    for (const { turn } of this.catalog.turnsOf(row.id))
      for (const { chunk, body } of this.archive.chunksOf(row.id, turn))
        this.putChunk(
          row.id,
          turn,
          chunk,
          describeChunk(body, () => !isHidden),
        );
  }

  /** All names of a session, its own first: every one of them finds it. */
  private titlesOf(row: SessionRow): string[] {
    const titles = row.facts.titles ?? {};
    const own = [titles.user, titles.agent, titles.generated].filter((title) => title !== undefined);
    return [...new Set([...own, ...this.archive.summariesOf(row.id)])];
  }

  private settleTitle(row: SessionRow, titles: readonly string[], turn: number): void {
    const text = titles.join('\n');
    const stored = this.catalog.titlePassage(row.id);
    if (stored?.turn === turn && stored.title === text) return;
    if (stored) this.lexical.remove(this.catalog.takePassages(row.id, stored.turn, TITLE_CHUNK));
    if (text === '') return;
    const passage = this.catalog.putTitlePassage(row.id, turn, text, row.ended);
    const writer = new TokenWriter();
    writer.write(text);
    const lengths = FIELDS.map((field) => (field === 'title' ? writer.length : 0));
    this.lexical.add(passage, { bytes: writer.bytes, lengths }, row.id);
  }

  private parentOf(row: SessionRow, owners: Owners, turns: readonly CatalogTurn[]) {
    const said = row.facts.parent;
    if (said?.relation === 'subagent') {
      const spawn = this.archive.spawnOf(row.source, row.nativeId, row.facts.startedBy, said.nativeId);
      return {
        key: spawn?.key ?? `${row.source}:${said.nativeId}`,
        relation: said.relation,
        ...(spawn && { turn: spawn.turn }),
      };
    }
    if (said) return this.saidParent(row, said, owners);
    const replayed = turns.find((turn) => turn.replayOf !== undefined);
    if (replayed?.replayOf !== undefined) {
      const parent = this.archive.session(replayed.replayOf);
      const last = this.lastShared(row.id, owners, replayed.replayOf);
      const turn = last === undefined ? undefined : this.archive.turnOfRecord(replayed.replayOf, last);
      const relation: Relation = row.facts.isHandedOver ? 'continuation' : 'fork';
      if (parent) return { key: parent.key, relation, ...(turn !== undefined && { turn }) };
    }
    return undefined;
  }

  /** The parent that the file names, and the turn at which this session leaves it: that of the last record they share, else the last one begun before. */
  private saidParent(row: SessionRow, said: NonNullable<SessionFacts['parent']>, owners: Owners) {
    const key = `${row.source}:${said.nativeId}`;
    const parent = this.archive.sessionByKey(key);
    if (!parent) return { key, relation: said.relation };
    const shared = this.lastShared(row.id, owners, parent.id);
    const turn =
      shared === undefined
        ? row.started === undefined
          ? undefined
          : this.archive.turnBefore(parent.id, row.started)
        : this.archive.turnOfRecord(parent.id, shared);
    return { key, relation: said.relation, ...(turn !== undefined && { turn }) };
  }

  private lastShared(session: number, owners: Owners, owner: number): number | undefined {
    return lineOf(this.archive, session)?.hashes.findLast((hash) => owners.get(hash) === owner);
  }
}

function isSame(a: CatalogTurn, b: CatalogTurn): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
