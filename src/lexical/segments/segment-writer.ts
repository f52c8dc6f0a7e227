import type { Database } from '../../store/database.ts';
import { WEIGHTS } from '../bm25f.ts';
import { BLOCK, writeBlock, writePositions } from './block.ts';
import { ByteWriter } from './bytes.ts';
import { Impacts } from './impacts.ts';
import { LeafBuilder } from './leaf.ts';
import { Postings } from './postings.ts';
import { StreamWriter } from './streams.ts';

/** A block as it lies in a segment. */
export interface StoredBlock {
  readonly count: number;
  readonly first: number;
  readonly last: number;
  readonly bytes: Uint8Array;
  /** The number of competitive pairs, and these. */
  readonly pairs: Uint8Array;
  readonly positions: Uint8Array;
}

/**
 * Writes a segment's terms in their order, with their lists:
 *
 *   a list of one block   the first document (from the segment's first on), the block
 *   a longer one          the bytes of its table, the table, the blocks
 *   the table             for each block: documents, first document after the last one before, span to its last,
 *                         bytes, competitive pairs
 *
 * and in the stream of positions: the block of positions; or the bytes of each, then all of them.
 */
export class SegmentWriter {
  private readonly db: Database;
  private readonly segment: number;
  private readonly first: number;
  private readonly lengthOf: (passage: number) => number;
  private readonly postings: StreamWriter;
  private readonly positions: StreamWriter;
  private readonly leaf = new LeafBuilder();
  private readonly table = new ByteWriter(4096);
  private readonly blocks = new ByteWriter(16_384);
  private readonly head = new ByteWriter(64);
  private readonly positionTable = new ByteWriter(1024);
  private readonly positionBlocks = new ByteWriter(16_384);
  private readonly impacts = new Impacts();
  private lastDoc = 0;
  /** Documents of the term's blocks that are made. */
  private documents = 0;
  /** Postings of the term to be written, after the blocks that are made. */
  readonly pending = new Postings();
  terms = 0;

  /**
   * Begins a segment, or goes on with one whose streams have these lengths.
   * @param lengthOf the code of a passage's length
   */
  constructor(
    db: Database,
    segment: number,
    first: number,
    lengthOf: (passage: number) => number,
    from: { readonly postings: number; readonly positions: number } = { postings: 0, positions: 0 },
  ) {
    this.db = db;
    this.segment = segment;
    this.first = first;
    this.lengthOf = lengthOf;
    this.postings = new StreamWriter(db, segment, 'postings', from.postings);
    this.positions = new StreamWriter(db, segment, 'positions', from.positions);
  }

  get bytes(): { readonly postings: number; readonly positions: number } {
    return { postings: this.postings.length, positions: this.positions.length };
  }

  /** Writes the full blocks of what is pending, but for the last one. */
  spill(): void {
    const { pending } = this;
    let from = 0;
    for (; pending.length - from > BLOCK; from += BLOCK) this.writeBlockOf(from, from + BLOCK);
    if (from > 0) pending.dropBefore(from);
  }

  /** Takes over a block as another segment has it, after what is pending. */
  copyBlock({ count, first, last, bytes, pairs, positions }: StoredBlock): void {
    this.spill();
    if (this.pending.length > 0) {
      this.writeBlockOf(0, this.pending.length);
      this.pending.clear();
    }
    this.noteBlock(count, first, last, bytes.length, positions.length);
    this.table.copy(pairs);
    this.blocks.copy(bytes);
    this.positionBlocks.copy(positions);
  }

  /** Writes the term that the blocks belong to: it comes after all that were written. Nothing, where there are none. */
  endTerm(term: Uint8Array): void {
    const { pending } = this;
    this.spill();
    this.documents += pending.length;
    if (this.documents > 0) {
      const postingsAt = this.postings.length;
      const positionsAt = this.positions.length;
      this.writeLists();
      this.leaf.add({
        term,
        documents: this.documents,
        postingsAt,
        postingsLength: this.postings.length - postingsAt,
        positionsAt,
        positionsLength: this.positions.length - positionsAt,
      });
      this.terms++;
      if (this.leaf.isFull) this.writeLeaf();
    }
    pending.clear();
    this.documents = 0;
    this.table.clear();
    this.blocks.clear();
    this.positionTable.clear();
    this.positionBlocks.clear();
  }

  /** Writes what is not written yet. The segment may be gone on with. */
  flush(): void {
    if (!this.leaf.isEmpty) this.writeLeaf();
    this.postings.flush();
    this.positions.flush();
  }

  private writeLists(): void {
    const { pending, table, blocks, head, positionTable, positionBlocks } = this;
    head.clear();
    if (table.length === 0) {
      head.varint(pending.docs[0]! - this.first);
      writeBlock(blocks, pending, 0, pending.length);
      writePositions(positionBlocks, pending, 0, pending.length);
    } else {
      if (pending.length > 0) {
        this.documents -= pending.length;
        this.writeBlockOf(0, pending.length);
      }
      head.varint(table.length);
    }
    this.postings.write(head);
    this.postings.write(table);
    this.postings.write(blocks);
    this.positions.write(positionTable);
    this.positions.write(positionBlocks);
  }

  /** Writes a block of what is pending. */
  private writeBlockOf(from: number, to: number): void {
    const { pending, blocks, positionBlocks } = this;
    const start = blocks.length;
    const positionStart = positionBlocks.length;
    writeBlock(blocks, pending, from, to);
    writePositions(positionBlocks, pending, from, to);
    this.noteBlock(
      to - from,
      pending.docs[from]!,
      pending.docs[to - 1]!,
      blocks.length - start,
      positionBlocks.length - positionStart,
    );
    this.noteImpacts(from, to);
    this.impacts.write(this.table);
  }

  /** Begins a block's row of the table; its competitive pairs follow. */
  private noteBlock(count: number, first: number, last: number, bytes: number, positionBytes: number): void {
    const { table } = this;
    const before = table.length === 0 ? this.first : this.lastDoc;
    table.byte(count);
    table.varint(first - before);
    table.varint(last - first);
    table.varint(bytes);
    this.positionTable.varint(positionBytes);
    this.lastDoc = last;
    this.documents += count;
  }

  private noteImpacts(from: number, to: number): void {
    const { docs, masks, tfStarts, tfs } = this.pending;
    this.impacts.clear();
    for (let i = from; i < to; i++) {
      let frequency = 0;
      let t = tfStarts[i]!;
      for (let mask = masks[i]!; mask !== 0; mask &= mask - 1)
        frequency += tfs[t++]! * WEIGHTS[31 - Math.clz32(mask & -mask)]!;
      this.impacts.add(frequency, this.lengthOf(docs[i]!));
    }
  }

  private writeLeaf(): void {
    this.db.run(
      'INSERT INTO lexical_terms (segment, first, leaf) VALUES (?, ?, ?)',
      this.segment,
      this.leaf.first,
      this.leaf.take(),
    );
  }
}
