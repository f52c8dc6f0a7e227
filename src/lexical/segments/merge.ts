import type { Database } from '../../store/database.ts';
import { LENGTHS } from '../bm25f.ts';
import { type SegmentRow, SegmentState } from '../schema.ts';
import { BLOCK } from './block.ts';
import { LengthReader, pagesOf, readLengths, writeLengths } from './lengths.ts';
import { PostingList, readShortList } from './posting-list.ts';
import { Postings } from './postings.ts';
import { SegmentWriter } from './segment-writer.ts';
import { eachSessionRun, writeSessions } from './sessions.ts';
import { rowsOf, StreamReader } from './streams.ts';
import { eachTerm, TermWalk } from './term-walk.ts';

/** Segments that are being made into one. */
export interface MergeRow extends SegmentRow {
  readonly done: Uint8Array | null;
}

/** Blocks of fewer documents are not copied but joined with others. */
const LEAST_COPIED = 64;
const LEAST_ALONE = 16;

/** Begins to make one segment of several. They stay in use until it is whole. */
export function beginMerge(db: Database, inputs: readonly SegmentRow[]): void {
  const first = Math.min(...inputs.map((input) => input.first));
  const last = Math.max(...inputs.map((input) => input.last));
  const lengths = new Uint8Array(last - first + 1);
  const owners = new Int32Array(lengths.length);
  for (const input of inputs) {
    const codes = readLengths(db, input.id, input.first, input.last);
    // A passage is alive in one segment at most.
    const start = input.first - first;
    for (let i = 0; i < codes.length; i++) if (codes[i] !== 0) lengths[start + i] = codes[i]!;
    eachSessionRun(db, input, (from, to, session) => {
      for (let i = from; i < to; i++) if (codes[i] !== 0) owners[start + i] = session;
    });
  }
  const documents = inputs.reduce((sum, input) => sum + input.documents, 0);
  const { id } = db.run(
    `INSERT INTO lexical_segments (state, first, last, documents, dead, length, terms, postings, positions)
     VALUES (?, ?, ?, ?, 0, 0, 0, 0, 0)`,
    SegmentState.making,
    first,
    last,
    documents,
  );
  writeLengths(db, id, lengths);
  writeSessions(db, id, owners);
  for (const input of inputs) db.run('UPDATE lexical_segments SET target = ? WHERE id = ?', id, input.id);
}

/**
 * Goes on with a merge for about so many bytes of postings; gives what is left of them. What was removed meanwhile is
 * left out from here on; what of it stands in the segment already is dead there too.
 */
export function stepMerge(db: Database, merge: MergeRow, budget: number): number {
  const inputs = db
    .rows<SegmentRow>('SELECT * FROM lexical_segments WHERE target = ? ORDER BY first, id', merge.id)
    .map((row) => new Input(db, row, merge.done))
    .sort((a, b) => a.first - b.first);
  const lengths = new LengthReader(db, merge.id, merge.first, merge.last);
  const writer = new SegmentWriter(db, merge.id, merge.first, (passage) => lengths.code(passage), merge);
  const areApart = inputs.every((input, i) => i === 0 || inputs[i - 1]!.last < input.first);
  let left = budget;
  let done = merge.done;
  let isDone = true;
  const byWalk = new Map(inputs.map((input) => [input.walk, input]));
  const holding: Input[] = [];
  eachTerm([...byWalk.keys()], (walks) => {
    if (left <= 0) {
      isDone = false;
      return false;
    }
    holding.length = 0;
    for (const walk of walks) {
      holding.push(byWalk.get(walk)!);
      left -= COST_OF_A_TERM + walk.postingsLength + walk.positionsLength;
    }
    if (areApart) for (const input of holding) input.moveTo(writer);
    else joinInto(writer, holding);
    const { term } = walks[0]!;
    writer.endTerm(term);
    if (left <= 0) done = term.slice();
    return true;
  });
  writer.flush();
  const { postings, positions } = writer.bytes;
  db.run(
    'UPDATE lexical_segments SET terms = terms + ?, postings = ?, positions = ?, done = ? WHERE id = ?',
    writer.terms,
    postings,
    positions,
    done,
    merge.id,
  );
  if (isDone) finish(db, merge);
  return left;
}

const NOTHING = new Uint8Array(0);
/** Bytes that a term costs beside its lists. */
const COST_OF_A_TERM = 16;

/** Puts the segment into use for those that it was made of. */
function finish(db: Database, merge: MergeRow): void {
  let documents = 0;
  let length = 0;
  for (const code of readLengths(db, merge.id, merge.first, merge.last)) {
    if (code !== 0) documents++;
    length += LENGTHS[code]!;
  }
  db.run('UPDATE lexical_segments SET state = ?, target = NULL WHERE target = ?', SegmentState.dropped, merge.id);
  db.run(
    'UPDATE lexical_segments SET state = ?, documents = ?, dead = ?, length = ?, done = NULL WHERE id = ?',
    documents > 0 ? SegmentState.used : SegmentState.dropped,
    documents,
    merge.documents - documents,
    length,
    merge.id,
  );
}

/** Removes rows of segments that are not used any more, about so many; gives how many more it might have. */
export function clearDropped(db: Database, most: number): number {
  let left = most;
  for (const { id } of db.rows<{ id: number }>(
    'SELECT id FROM lexical_segments WHERE state = ?',
    SegmentState.dropped,
  )) {
    const [from, to] = rowsOf(id);
    left -= db.run(
      'DELETE FROM lexical_rows WHERE id IN (SELECT id FROM lexical_rows WHERE id >= ? AND id < ? LIMIT ?)',
      from,
      to,
      left,
    ).changes;
    if (left <= 0) break;
    left -= db.run(
      `DELETE FROM lexical_terms WHERE segment = ?1 AND first IN
         (SELECT first FROM lexical_terms WHERE segment = ?1 ORDER BY first LIMIT ?2)`,
      id,
      left,
    ).changes;
    if (left <= 0) break;
    db.run('DELETE FROM lexical_lengths WHERE id >= ? AND id < ?', ...pagesOf(id));
    db.run('DELETE FROM lexical_sessions WHERE segment = ?', id);
    db.run('DELETE FROM lexical_segments WHERE id = ?', id);
  }
  return left;
}

/** A segment on its way into another. */
class Input {
  readonly row: SegmentRow;
  readonly walk: TermWalk;
  /** Those that are alive lie between. */
  readonly first: number;
  readonly last: number;
  private readonly lengths: LengthReader;
  private readonly postings: StreamReader;
  private readonly positions: StreamReader;
  private readonly isWhole: boolean;

  constructor(db: Database, row: SegmentRow, after: Uint8Array | null) {
    this.row = row;
    this.lengths = new LengthReader(db, row.id, row.first, row.last);
    this.first = row.first;
    this.last = row.last;
    while (this.first < this.last && !this.isAlive(this.first)) this.first++;
    while (this.first < this.last && !this.isAlive(this.last)) this.last--;
    this.postings = new StreamReader(db, row.id, 'postings');
    this.positions = new StreamReader(db, row.id, 'positions');
    this.isWhole = row.dead === 0;
    this.walk = new TermWalk(db, row.id, after ?? NOTHING);
    if (after && this.walk.isOpen && this.walk.compare(after) === 0) this.walk.advance();
  }

  /** Hands the postings of its term over, those of all inputs in order. */
  moveTo(writer: SegmentWriter): void {
    const { pending } = writer;
    const begin = pending.length;
    if (this.walk.documents <= BLOCK) {
      readShortList(this.walk, this.row.first, this.postings, this.positions, pending);
      this.dropDead(pending, begin);
      return;
    }
    const list = new PostingList(this.walk, this.row.first, this.postings, this.positions);
    for (let block = 0; block < list.blocks; block++) {
      const isFull = list.counts[block]! >= LEAST_COPIED;
      if (this.isWhole && isFull && (pending.length === 0 || pending.length >= LEAST_ALONE))
        writer.copyBlock(list.stored(block));
      else {
        const before = pending.length;
        list.read(block, pending);
        this.dropDead(pending, before);
        writer.spill();
      }
    }
  }

  /** Adds the postings of its term that are alive. */
  addTo(all: Postings): void {
    const begin = all.length;
    if (this.walk.documents <= BLOCK) readShortList(this.walk, this.row.first, this.postings, this.positions, all);
    else {
      const list = new PostingList(this.walk, this.row.first, this.postings, this.positions);
      for (let block = 0; block < list.blocks; block++) list.read(block, all);
    }
    this.dropDead(all, begin);
  }

  private dropDead(postings: Postings, from: number): void {
    if (!this.isWhole) postings.keep(from, (doc) => this.isAlive(doc));
  }

  private isAlive(passage: number): boolean {
    return this.lengths.code(passage) !== 0;
  }
}

/** Where passages of one segment stand between those of another, postings are sorted. */
function joinInto(writer: SegmentWriter, inputs: readonly Input[]): void {
  if (inputs.length === 1) {
    inputs[0]!.addTo(writer.pending);
    return;
  }
  const all = new Postings();
  for (const input of inputs) input.addTo(all);
  const order = Array.from({ length: all.length }, (_, i) => i).sort((a, b) => all.docs[a]! - all.docs[b]!);
  for (const i of order) writer.pending.take(all, i);
}
