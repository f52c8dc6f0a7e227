import type { Archive } from '../../archive/archive.ts';
import { packChunk } from '../../archive/bodies.ts';
import { type Copy, compareWorth, copiesOf, type OutsideTurn, outsideTurns, setAsideOf } from '../../archive/copies.ts';
import { CopyKeeper, type OutsideDelta } from '../../archive/copy-keeper.ts';
import type { ChunkBody } from '../../archive/delta.ts';
import { Held } from '../../archive/held.ts';
import type { AppliedSession, Keeper } from '../../archive/keeper.ts';
import type { SessionRow, TurnRow } from '../../archive/rows.ts';
import { describeChunk } from '../../holdings/passages.ts';
import { hash53, type Part } from '../../transcript/index.ts';
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
  /** The sessions that are being read, by their units. */
  private readonly changed = new Map<number, Set<number>>();

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
  note(unit: number, applied: readonly AppliedSession[]): void {
    const changed = this.changed.get(unit) ?? new Set();
    for (const { id } of applied) changed.add(id);
    this.changed.set(unit, changed);
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
    for (const id of this.changed.get(unit) ?? []) {
      const session = this.archive.session(id);
      if (session) this.sync(session.source, session.nativeId);
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
      return known ? known.from === undefined : !isSame;
    });
    if (turns.length > 0 && (heir || !isSame)) {
      const held = this.heldBy(after);
      if (heir)
        for (const left of this.leftovers(before.id, turns, held, after))
          this.keepOutside(heir.id, before.id, left, outside.get(left.turn.turn)?.since ?? now);
      else if (this.keepAlone(before, turns, held, after, now)) return;
    }
    this.drop(before.id);
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
  sync(source: string, nativeId: string): void {
    const copies = copiesOf(this.archive, source, nativeId);
    const [best] = copies;
    if (!best) return;
    const leader = this.leaderOf(copies, `${source}:${nativeId}`, best);
    if (copies.length > 1 || this.hasCopied(leader.id)) this.gather(leader, copies);
  }

  private leaderOf(copies: readonly Copy[], key: string, best: Copy): Copy {
    const leader = copies.find((copy) => copy.key === key);
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

  private hasCopied(session: number): boolean {
    return outsideTurns(this.archive, session).some(({ from }) => from !== undefined);
  }

  /** Brings what the copies hold besides behind the leader's turns. */
  private gather(leader: Copy, copies: readonly Copy[]): void {
    const found = this.besides(leader, copies);
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

  private besides(leader: Copy, copies: readonly Copy[]) {
    const own = this.archive.session(leader.id)!;
    const found: { readonly left: Leftover; readonly copy: number; readonly since?: number }[] = [];
    const held = new Held();
    const copied = new Set(outsideTurns(this.archive, leader.id).flatMap(({ turn, from }) => (from ? [turn] : [])));
    for (const { turn } of this.archive.turns(leader.id))
      if (!copied.has(turn)) for (const { body } of this.archive.chunksOf(leader.id, turn)) held.add(body.parts);
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
      if (turn === undefined) return false;
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
    const clean = bodies.map((body) => protector.body(body).value);
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

  private drop(session: number): void {
    this.deriver.drop(session);
    this.keeper.drop(session);
  }
}

function markOf(copy: number, turn: number, since: number | undefined, bodies: readonly ChunkBody[]): string {
  const parts = bodies.reduce((sum, body) => sum + body.parts.length, 0);
  return `${copy} ${turn} ${since ?? ''} ${parts}`;
}
