import type { Archive } from '../../archive/archive.ts';
import { packChunk } from '../../archive/bodies.ts';
import {
  type Copy,
  compareWorth,
  copiesOf,
  holdsAll,
  isFollower,
  type OutsideTurn,
  outsideTurns,
  setAsideOf,
  standsBehind,
  supersededBefore,
} from '../../archive/copies.ts';
import { CopyKeeper, type OutsideDelta } from '../../archive/copy-keeper.ts';
import type { ChunkBody, SessionDelta } from '../../archive/delta.ts';
import { Held } from '../../archive/held.ts';
import type { AppliedSession, Keeper } from '../../archive/keeper.ts';
import type { SessionRow, TurnRow } from '../../archive/rows.ts';
import { hashesOf } from '../../archive/turns.ts';
import { describeChunk } from '../../holdings/passages.ts';
import { hash53, isBehind, type Part } from '../../transcript/index.ts';
import type { Deriver } from '../deriving/derive.ts';
import { Protector } from '../reading/protect.ts';

/** What of a turn stands nowhere else. */
interface Leftover {
  readonly turn: TurnRow;
  readonly bodies: readonly ChunkBody[];
  readonly since?: number;
}

/**
 * Keeps one session one, and whole, whatever its files do: what they hold is compared by what is said, not by the names
 * of records, since a later reader may name them otherwise.
 */
export class Copies {
  private readonly archive: Archive;
  private readonly keeper: Keeper;
  private readonly copies: CopyKeeper;
  private readonly deriver: Deriver;
  /** The sessions that are being read, by their units: whether each only grew, by what nothing else is to be compared with. */
  private readonly changed = new Map<number, Map<number, boolean>>();

  constructor(archive: Archive, keeper: Keeper, deriver: Deriver) {
    this.archive = archive;
    this.keeper = keeper;
    this.copies = new CopyKeeper(archive, keeper);
    this.deriver = deriver;
  }

  /** A unit is about to be read anew: what was kept of it stays until it is known what of that the file still holds. */
  setAside(unit: number, isSame: boolean): void {
    if (!isSame) this.copies.noteChanged(unit);
    const already = new Set(setAsideOf(this.archive, unit).map(({ session }) => session));
    for (const row of this.archive.sessionsOfUnit(unit)) {
      if (already.has(row.id)) continue;
      this.deriver.drop(row.id);
      this.copies.setAside(row, isSame);
    }
  }

  /** Sessions of a unit were read, at least in part. */
  follow(unit: number, applied: readonly AppliedSession[]): void {
    this.deriver.follow(applied);
    const changed = this.changed.get(unit) ?? new Map<number, boolean>();
    for (const { id, delta, fresh } of applied)
      changed.set(id, (changed.get(id) ?? true) && !fresh && this.hasOnlyGrown(id, delta));
    this.changed.set(unit, changed);
  }

  /** A unit was deleted, moved or came back. */
  touch(unit: number): void {
    for (const { id, source, nativeId } of this.archive.sessionsOfUnit(unit)) {
      this.deriver.touch(id);
      this.sync(source, nativeId);
    }
  }

  /** Whether what came is the leader's alone, or all known of it: the others, and what stands behind, need not be looked at. */
  private hasOnlyGrown(id: number, delta: SessionDelta): boolean {
    const row = this.archive.session(id);
    const records = delta.turns.flatMap((turn) => hashesOf(turn.records));
    if (!row || records.length === 0) return false;
    if (!isFollower(row)) return !standsBehind(this.archive, id, records);
    const leader = this.archive.sessionByKey(`${row.source}:${row.nativeId}`);
    return leader !== undefined && holdsAll(this.archive, leader.id, records);
  }

  /**
   * A unit is read to its end, or as far as it can be: what it held before and holds no more stays, marked, behind what it
   * holds now.
   */
  settle(unit: number, now: number): void {
    for (const { session, isSame } of setAsideOf(this.archive, unit)) {
      const before = this.archive.session(session);
      if (before) this.settleAside(before, isSame, now);
    }
    for (const [id, hasOnlyGrown] of this.changed.get(unit) ?? []) {
      const session = this.archive.session(id);
      if (session) this.sync(session.source, session.nativeId, hasOnlyGrown);
    }
    this.changed.delete(unit);
  }

  private settleAside(before: SessionRow, isSame: boolean, now: number): void {
    const outside = new Map(outsideTurns(this.archive, before.id).map((turn) => [turn.turn, turn]));
    const after = this.archive
      .sessionsOfUnit(before.unit)
      .filter((row) => row.id !== before.id && !this.isAside(row.id));
    const heir = after.find((row) => row.nativeId === before.nativeId);
    const turns = this.archive.turns(before.id).filter(({ turn }) => {
      const known = outside.get(turn);
      // What copies hold is asked of them again.
      return known ? known.from === undefined : !isSame || !heir;
    });
    if (turns.length > 0) {
      const held = this.heldBy(after);
      if (heir)
        for (const left of this.leftovers(before.id, turns, held, after))
          this.keepOutside(heir.id, before.id, left, outside.get(left.turn.turn)?.since ?? now);
      else if (this.keepAlone(before, turns, held, after, now)) return;
    }
    this.remove(before.id);
  }

  /** A session that its file tells nothing of any more stays as it was, but for what others of the file hold now. */
  private keepAlone(
    before: SessionRow,
    turns: readonly TurnRow[],
    held: Held,
    after: readonly SessionRow[],
    now: number,
  ): boolean {
    const left = new Set([...this.leftovers(before.id, turns, held, after)].map(({ turn }) => turn.turn));
    if (left.size === 0) return false;
    for (const { turn } of this.archive.turns(before.id))
      if (left.has(turn)) this.copies.markOutside(before.id, turn, now);
      else this.copies.dropTurn(before.id, turn);
    this.copies.bringBack(before.id);
    this.sync(before.source, before.nativeId);
    return true;
  }

  /** What several files hold of a session was changed: the one to lead leads, and has what the others have besides. */
  sync(source: string, nativeId: string, hasOnlyGrown = false): void {
    const copies = copiesOf(this.archive, source, nativeId);
    const [best] = copies;
    if (!best) return;
    const key = `${source}:${nativeId}`;
    const before = copies.find((copy) => copy.key === key);
    const leader = this.leaderOf(before, best);
    if (hasOnlyGrown && leader === before) return;
    if (copies.length > 1 || outsideTurns(this.archive, leader.id).length > 0) this.gather(leader, copies);
  }

  private leaderOf(leader: Copy | undefined, best: Copy): Copy {
    // Of two that are worth the same, the one that led goes on: they hold the same.
    if (leader && compareWorth(leader, best) === 0) return leader;
    if (leader) {
      for (const { turn, from } of outsideTurns(this.archive, leader.id))
        if (from) this.copies.dropTurn(leader.id, turn);
      this.deriver.drop(leader.id);
      this.copies.follow(this.archive.session(leader.id)!);
      this.deriver.touch(leader.id);
    }
    this.copies.lead(this.archive.session(best.id)!);
    this.deriver.rebuild(best.id);
    return best;
  }

  /** Brings what the copies hold besides behind the leader's turns; takes away from there what stands elsewhere again. */
  private gather(leader: Copy, copies: readonly Copy[]): void {
    const own = this.archive.session(leader.id)!;
    const outside = new Map(outsideTurns(this.archive, leader.id).map((turn) => [turn.turn, turn]));
    const turns = this.archive.turns(leader.id);
    const held = this.heldIn(
      leader.id,
      turns.filter(({ turn }) => !outside.has(turn)),
    );
    const found = this.besides(leader, copies, held);
    for (const { left } of found) for (const { parts } of left.bodies) held.add(parts);
    const superseded = turns.filter(({ turn }) => isBehind(turn) && outside.get(turn)?.from === undefined);
    const left = new Set([...this.leftovers(leader.id, superseded, held, [own])].map(({ turn }) => turn.turn));
    for (const { turn } of superseded)
      if (!left.has(turn)) {
        this.deriver.dropTurn(leader.id, turn);
        this.copies.giveBack(leader.id, turn);
      }
    const known = outsideTurns(this.archive, leader.id).filter(({ from }) => from !== undefined);
    const marks = found.map(({ left, copy, since }) => markOf(copy, left.turn.turn, since, left.bodies));
    const before = known.map(({ turn, from, since }) => {
      const bodies = this.archive.chunksOf(leader.id, turn).map(({ body }) => body);
      return markOf(from!.copy, from!.turn, since, bodies);
    });
    if (marks.join('\n') === before.join('\n')) return;
    for (const { turn } of known) {
      this.deriver.dropTurn(leader.id, turn);
      this.copies.dropTurn(leader.id, turn);
    }
    for (const { left, copy, since } of found)
      this.keepOutside(leader.id, copy, left, since, { copy, turn: left.turn.turn });
  }

  private besides(leader: Copy, copies: readonly Copy[], held: Held) {
    const own = this.archive.session(leader.id)!;
    const found: { readonly left: Leftover; readonly copy: number; readonly since?: number }[] = [];
    const told: Part[] = [];
    for (const copy of copies) {
      if (copy.id === leader.id) continue;
      const outside = new Map(outsideTurns(this.archive, copy.id).map((turn) => [turn.turn, turn]));
      const turns = this.archive.turns(copy.id).filter(({ turn }) => outside.get(turn)?.from === undefined);
      const mine = held.copy();
      mine.add(told);
      for (const left of this.leftovers(copy.id, turns, mine, [own])) {
        // What only a lost file holds is outside of the files that are there.
        const lost = copy.gone !== 0 && leader.gone === 0 ? copy.gone : undefined;
        const since = outside.get(left.turn.turn)?.since ?? lost;
        found.push({ left, copy: copy.id, ...(since !== undefined && { since }) });
        told.push(...left.bodies.flatMap(({ parts }) => parts));
      }
    }
    return found;
  }

  private isAside(session: number): boolean {
    return this.archive.db.row('SELECT 1 FROM aside WHERE session = ?', session) !== undefined;
  }

  private heldIn(session: number, turns: readonly TurnRow[]): Held {
    const held = new Held();
    for (const { turn } of turns) for (const { body } of this.archive.chunksOf(session, turn)) held.add(body.parts);
    return held;
  }

  private heldBy(sessions: readonly SessionRow[]): Held {
    const held = new Held();
    for (const { id } of sessions)
      for (const { turn } of this.archive.turns(id))
        for (const { body } of this.archive.chunksOf(id, turn)) held.add(body.parts);
    return held;
  }

  /** What of some turns is not held, turn by turn. */
  private *leftovers(
    session: number,
    turns: readonly TurnRow[],
    held: Held,
    after: readonly SessionRow[],
  ): Generator<Leftover> {
    for (const turn of turns) {
      const bodies = this.archive.chunksOf(session, turn.turn).flatMap(({ body }) => {
        if (body.isDamaged) return [];
        const isLeft = body.parts.map((part, i) => !held.take(part) && !this.hasGrown(part, body.records[i]!, after));
        const parts = body.parts.filter((_, i) => isLeft[i]);
        return parts.length === 0 ? [] : [{ parts, records: body.records.filter((_, i) => isLeft[i]) }];
      });
      if (bodies.length > 0) yield { turn, bodies };
    }
  }

  /** Whether a message was only written on: its record says all that it said, and more. */
  private hasGrown(part: Part, record: number, after: readonly SessionRow[]): boolean {
    if (record === 0 || (part.type !== 'text' && part.type !== 'thinking')) return false;
    return after.some(({ id }) => {
      const turn = this.archive.turnOfRecord(id, record);
      if (turn === undefined || isBehind(turn)) return false;
      return this.archive
        .chunksOf(id, turn)
        .some(({ body }) =>
          body.parts.some(
            (other, i) => body.records[i] === record && other.type === part.type && other.text.startsWith(part.text),
          ),
        );
    });
  }

  private keepOutside(
    session: number,
    source: number,
    { turn, bodies }: Leftover,
    since: number | undefined,
    from?: OutsideTurn['from'],
  ): void {
    // It may have been kept before the redactor knew what it knows now.
    const protector = new Protector();
    const path = from && this.archive.unit(this.archive.session(from.copy)?.unit ?? 0)?.path;
    const clean = bodies.map((body) => inFile(protector.body(body).value, path));
    const said = clean.flatMap(({ parts }) => parts).find((part) => part.type === 'text' && part.role === 'user');
    let first = 0;
    const chunks = clean.map((body, chunk) => {
      const { packed, kept } = packChunk(body);
      const delta = { chunk, first, body: packed, kept, ...describeChunk(body) };
      first += body.parts.length;
      return delta;
    });
    const delta: OutsideDelta = {
      turn: {
        begun: { anchor: turn.anchor, ...(said?.type === 'text' && { prompt: protector.preview(said.text) }) },
        records: this.recordsOf(source, turn.turn, clean),
        ...(turn.started !== undefined && { started: turn.started }),
        ...(turn.ended !== undefined && { ended: turn.ended }),
      },
      chunks,
      at: { session: source, turn: turn.turn },
      ...(since !== undefined && { since }),
      ...(from && { from }),
    };
    this.deriver.follow([this.copies.keepOutside(session, delta)]);
  }

  /** The records that the parts stand in, and the calls: hash and time by turns. */
  private recordsOf(session: number, turn: number, bodies: readonly ChunkBody[]): Float64Array {
    const stand = new Set(bodies.flatMap(({ records }) => records));
    for (const { key, turn: at } of this.archive.sightings(session)) if (at === turn) stand.add(hash53(`call ${key}`));
    return this.archive.recordsWithTimes(session, turn).filter((_, i, all) => stand.has(all[i - (i % 2)]!));
  }

  /** Drops what one file holds of a session; what others hold is shown. */
  drop(id: number): void {
    const row = this.archive.session(id);
    if (!row) return;
    this.remove(id);
    this.sync(row.source, row.nativeId);
  }

  /** Whether there are turns that no file has held since a time or longer. */
  haveSuperseded(before: number): boolean {
    return supersededBefore(this.archive, before).length > 0;
  }

  /** Drops those turns. */
  dropSuperseded(before: number): void {
    for (const { session, turn } of supersededBefore(this.archive, before)) {
      this.deriver.dropTurn(session, turn);
      this.copies.dropTurn(session, turn);
      if (this.archive.turns(session).length === 0) this.drop(session);
    }
  }

  private remove(session: number): void {
    this.deriver.drop(session);
    this.keeper.drop(session);
  }
}

function markOf(copy: number, turn: number, since: number | undefined, bodies: readonly ChunkBody[]): string {
  const parts = bodies.reduce((sum, body) => sum + body.parts.length, 0);
  return `${copy} ${turn} ${since ?? ''} ${parts}`;
}

/** A chunk whose parts stand in another file than their session's own. */
function inFile(body: ChunkBody, path: string | undefined): ChunkBody {
  if (path === undefined) return body;
  return { ...body, parts: body.parts.map((part) => ({ ...part, where: { path, ...part.where } })) };
}
