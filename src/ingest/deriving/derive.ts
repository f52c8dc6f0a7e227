import { time } from '../../agents/fields.ts';
import type { Archive } from '../../archive/archive.ts';
import { copiesOf, isFollower, sinceOf } from '../../archive/copies.ts';
import type { ChunkBody, SessionDelta } from '../../archive/delta.ts';
import type { AppliedSession } from '../../archive/keeper.ts';
import { type Kin, kinOf, relatives } from '../../archive/lineage.ts';
import type { SessionRow, TurnRow } from '../../archive/rows.ts';
import { Branches } from '../../catalog/branches.ts';
import { type Catalog, TITLE_CHUNK } from '../../catalog/catalog.ts';
import { countsOf, isSuperseded } from '../../catalog/counts.ts';
import { Lineages } from '../../catalog/lineages.ts';
import type { CatalogSession, CatalogTurn } from '../../catalog/listed.ts';
import { type ChunkDescription, describeChunk } from '../../holdings/passages.ts';
import { FIELDS } from '../../lexical/fields.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import { TokenWriter } from '../../lexical/words/tokens.ts';
import { hash53 } from '../../transcript/index.ts';
import { type Growth, Growths } from './growth.ts';
import { Ownership } from './ownership.ts';
import { parentOf } from './parents.ts';
import type { ProjectAssigner } from './projects.ts';
import { spendingToAdd, tokensByModel } from './spending.ts';
import { titleOf } from './titles.ts';

/**
 * Derives the catalog and the index from the archive. `follow` takes over what a reading changed; `rebuild` derives a
 * session anew. Both inside the index's transaction, after the archive's. What a reading did not change of a session is
 * not looked at: a line costs the same, however long its session is.
 */
export class Deriver {
  private readonly archive: Archive;
  private readonly catalog: Catalog;
  private readonly lexical: LexicalIndex;
  readonly projects: ProjectAssigner;
  private readonly branches: Branches;
  private readonly lineages: Lineages;
  private readonly ownership: Ownership;
  /** What is to be settled before the transaction ends. */
  private readonly growths = new Growths();

  constructor(archive: Archive, catalog: Catalog, lexical: LexicalIndex, projects: ProjectAssigner) {
    this.archive = archive;
    this.catalog = catalog;
    this.lexical = lexical;
    this.projects = projects;
    this.branches = new Branches(catalog.db);
    this.lineages = new Lineages(catalog.db);
    this.ownership = new Ownership(archive, this.lineages, (session, turn, chunk, body, isForeign) =>
      this.putOwn(session, turn, chunk, body, isForeign),
    );
  }

  follow(applied: readonly AppliedSession[]): void {
    for (const { id, delta, fresh, patched, news } of applied) {
      if (this.isFollower(id)) {
        this.growths.of(id);
        continue;
      }
      if (fresh) this.lexical.remove(this.catalog.takeSession(id));
      for (const { turn } of delta.turns) this.growths.noteTurn(id, turn);
      for (const chunk of delta.chunks) this.putChunk(id, chunk.turn, chunk.chunk, chunk);
      for (const { turn, chunk, body } of patched) this.putChunk(id, turn, chunk, describeChunk(body));
      for (const { turn, chunk } of [...delta.chunks, ...patched]) this.growths.noteChunk(id, turn, chunk);
      const growth = this.growths.of(id);
      growth.lineage ||= fresh || news.shares || news.origin;
      growth.parent ||= fresh || news.origin;
      growth.titles ||= fresh || news.titles;
      this.noteRelated(id, delta, fresh);
    }
  }

  /** Sessions whose rows tell something of this one: they may have been read before it. */
  private noteRelated(id: number, delta: SessionDelta, fresh: boolean): void {
    const row = this.archive.session(id);
    if (row?.kind !== 'transcript') return;
    if (fresh) for (const child of this.catalog.childIds(row.key)) this.growths.of(child).parent = true;
    for (const { child, callId } of delta.spawns) {
      const named = this.archive.sessionByKey(`${row.source}:${child}`);
      for (const started of [...(named ? [named.id] : []), ...this.catalog.startedBy(row.source, callId)])
        this.growths.of(started).parent = true;
    }
    for (const { leaf } of delta.facts.flatMap((facts) => facts.titles?.summaries ?? []))
      for (const named of this.archive.sessionsWith(hash53(leaf))) this.growths.of(named).titles = true;
  }

  rebuild(session: number): void {
    this.lexical.remove(this.catalog.takeSession(session));
    if (this.isFollower(session)) {
      this.growths.of(session);
      return;
    }
    for (const { turn } of this.archive.eachTurn(session))
      for (const { chunk, body } of this.archive.chunksOf(session, turn))
        this.putChunk(session, turn, chunk, describeChunk(body));
    Object.assign(this.growths.of(session), { isWhole: true, lineage: true, parent: true, titles: true });
  }

  /** Drops a session, before the archive does: what it hid of others is theirs to show now. */
  drop(session: number): void {
    for (const other of relatives(this.archive, session)) this.growths.of(other).lineage = true;
    const row = this.archive.session(session);
    const prompts = row && this.archive.sessionByKey(`${row.source}:prompts/${row.nativeId}`);
    if (prompts) this.growths.of(prompts.id);
    this.lexical.remove(this.catalog.takeSession(session));
    this.catalog.dropSession(session);
    this.projects.drop(session);
    this.growths.drop(session);
  }

  /** Drops a turn, before the archive does. */
  dropTurn(session: number, turn: number): void {
    this.lexical.remove(this.catalog.takeTurn(session, turn));
    this.growths.of(session).titles = true;
  }

  /** Whether another file's session is shown in the place of this one. */
  private isFollower(session: number): boolean {
    const row = this.archive.session(session);
    return row !== undefined && isFollower(row);
  }

  /** A session's file was deleted, moved or came back. */
  touch(session: number): void {
    this.growths.of(session).lineage = true;
  }

  /** Something that a session's row tells may be another. */
  renew(session: number): void {
    this.growths.of(session);
  }

  /** What was to be settled was undone. */
  discard(): void {
    this.growths.clear();
  }

  /**
   * Brings the rows of all changed sessions up to date, and of those that share records with them where that changes what
   * these show; writes what was added to the index.
   */
  settle(): void {
    const done = new Set<number>();
    for (const session of this.growths.sessions()) {
      if (done.has(session)) continue;
      const kin = this.isLineageOpen(session) ? kinOf(this.archive, session) : undefined;
      for (const member of kin?.members ?? [session]) {
        done.add(member);
        this.settleSession(member, this.growths.of(member), kin);
      }
    }
    this.growths.clear();
    this.lexical.flush();
  }

  /** Whether it must be asked anew who shows the records that a session holds in common with others. */
  private isLineageOpen(session: number): boolean {
    const { lineage, parent, turns } = this.growths.of(session);
    const known = this.lineages.of(session);
    if (lineage || parent) return known !== undefined || this.archive.hasRelatives(session);
    return turns.size > 0 && this.archive.hasRelatives(session) && known?.isSettled !== true;
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

  private settleSession(session: number, growth: Growth, kin: Kin | undefined): void {
    const row = this.archive.session(session);
    if (!row) return;
    if (isFollower(row)) this.settleFollower(row);
    else this.settleLeader(row, growth, kin);
  }

  private settleLeader(row: SessionRow, growth: Growth, kin: Kin | undefined): void {
    const session = row.id;
    this.settleTurns(row, growth, kin);
    const before = this.catalog.session(session);
    const counts = countsOf(this.catalog.db, session);
    const isHidden = this.isCovered(row) || (row.facts.isEcho === true && counts.turns === 0);
    this.settlePrompts(row);
    const unit = this.archive.unit(row.unit);
    // Of copies that hold the same, whichever was read first leads: where they lie tells one from the other.
    const [best] = copiesOf(this.archive, row.source, row.nativeId);
    const isNamed = before && before.turns > 0 && !growth.titles && !kin && isHidden === before.hidden;
    const names = isNamed ? undefined : this.titlesOf(row);
    const title = names || before?.title === undefined ? titleOf(row, names ?? []) : titleBefore(before);
    const parent = !before || growth.parent || kin ? parentOf(this.archive, this.catalog, row, kin) : before.parent;
    const cwd = row.facts.cwd ?? row.facts.roots?.[0];
    const { roots, branch, remote } = row.facts;
    const told = { id: row.id, cwd, roots, branch, remote, isConfined: row.facts.inside !== undefined };
    const project = this.projects.note(told, before);
    const active = row.ended ?? row.facts.activeAt ?? time(unit?.modified);
    this.catalog.putSession({
      id: row.id,
      revision: row.revision,
      key: row.key,
      source: row.source,
      nativeId: row.nativeId,
      kind: row.kind,
      hidden: isHidden,
      gone: row.kind === 'prompts' || (unit?.gone ?? true) || isSuperseded(this.catalog.db, session),
      path: best?.path ?? unit?.path ?? '',
      ...counts,
      tokens: tokensByModel(this.archive, session, this.lineages.of(session)?.spending),
      more: {
        roots: row.facts.roots ?? (cwd === undefined ? [] : [cwd]),
        models: row.facts.models ?? [],
        client: row.facts.client ?? {},
        pullRequests: row.facts.pullRequests ?? [],
        pending: this.archive.isPending(session),
        ...(row.facts.startedBy !== undefined && { startedBy: row.facts.startedBy }),
        ...(row.facts.inside !== undefined && { inside: row.facts.inside }),
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
    if (names) this.settleTitle(row, isHidden ? [] : names);
    const wasHidden = before?.hidden ?? false;
    // What was put into the index just now was put as if it were to be seen.
    const isSame = isHidden === wasHidden && !(isHidden && growth.isWhole);
    const turns = isSame ? [...growth.turns.keys()] : this.catalog.turnsOf(row.id).map(({ turn }) => turn);
    if (isHidden || wasHidden) this.setHidden(row.id, turns, isHidden);
  }

  /** Of a session in whose place another file's is shown it is only noted that it is there. */
  private settleFollower({ id, revision, key, source, kind, unit }: SessionRow): void {
    this.catalog.putSession({
      id,
      revision,
      key,
      source,
      nativeId: key.slice(source.length + 1),
      kind,
      hidden: true,
      gone: true,
      path: this.archive.unit(unit)?.path ?? '',
      ...countsOf(this.catalog.db, id),
      tokens: {},
      more: { roots: [], models: [], client: {}, pullRequests: [], pending: false },
    });
  }

  /** The rows of a session's turns: which were left by a rewind, which another session shows. */
  private settleTurns(row: SessionRow, growth: Growth, kin: Kin | undefined): void {
    if (kin || growth.isWhole)
      for (const turn of this.archive.eachTurn(row.id)) this.settleTurn(row, turn, growth, kin);
    else
      for (const turn of [...growth.turns.keys()].sort((a, b) => a - b)) {
        const stored = this.archive.turn(row.id, turn);
        if (stored) this.settleTurn(row, stored, growth, kin);
      }
    if (kin) this.settleLineage(row.id, kin);
  }

  private settleTurn(row: SessionRow, stored: TurnRow, growth: Growth, kin: Kin | undefined): void {
    const { turn } = stored;
    const before = this.catalog.turn(row.id, turn);
    const at = { session: row.id, turn, before };
    const shown = kin ? this.ownership.judge(at, kin.owners, growth) : this.ownership.extend(at, growth);
    if (shown) {
      const now: CatalogTurn = {
        turn,
        anchor: stored.anchor,
        rewound: before?.rewound ?? false,
        superseded: sinceOf(this.archive, row.id, turn) !== undefined,
        ...(stored.started !== undefined && { started: stored.started }),
        ...(stored.ended !== undefined && { ended: stored.ended }),
        ...(stored.prompt !== undefined && { prompt: stored.prompt }),
        ...shown,
      };
      if (!before || !isSame(before, now)) this.catalog.putTurn(row.id, now);
    }
    if (!before) this.noteBranch(row.id, stored);
  }

  /** Notes where a turn, if it is the last one until now, follows an earlier one than that before it. */
  private noteBranch(session: number, { turn, after }: TurnRow): void {
    const follows = after === undefined ? undefined : this.archive.turnOfRecord(session, after);
    if (follows === undefined || follows >= turn - 1) return;
    if (follows === this.archive.previousTurn(session, turn) || (this.catalog.lastTurnOf(session) ?? 0) > turn) return;
    this.branches.begin(session, turn, follows);
  }

  private settleLineage(session: number, { members, owners, unsettled }: Kin): void {
    if (members.length === 1) this.lineages.drop(session);
    else
      this.lineages.put(session, {
        isSettled: !unsettled.has(session),
        spending: spendingToAdd(this.archive, session, owners),
      });
  }
  /** Indexes a chunk without the parts that another session is to show. */
  private putOwn(
    session: number,
    turn: number,
    chunk: number,
    body: ChunkBody,
    isForeign: (record: number) => boolean,
  ) {
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
    if (prompts && this.catalog.session(prompts.id)?.hidden === false)
      this.settleSession(prompts.id, this.growths.of(prompts.id), undefined);
  }

  private setHidden(session: number, turns: readonly number[], isHidden: boolean): void {
    for (const turn of turns)
      for (const { chunk, body } of this.archive.chunksOf(session, turn))
        this.putChunk(
          session,
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

  private settleTitle(row: SessionRow, titles: readonly string[]): void {
    const text = titles.join('\n');
    const turn = text === '' ? 0 : (this.catalog.shownOf(row.id, 'first') ?? 0);
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
}

/** The title that a session has. */
function titleBefore({ title, titleFrom = 'first-prompt' }: CatalogSession) {
  return title === undefined ? undefined : { text: title, from: titleFrom };
}

function isSame(a: CatalogTurn, b: CatalogTurn): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
