import type { Database } from '../store/database.ts';
import { BLOCK, writeBlock, writePositions } from './block.ts';
import { WEIGHTS } from './bm25f.ts';
import { ByteWriter } from './bytes.ts';
import { Impacts } from './impacts.ts';
import { LeafBuilder } from './leaf.ts';
import type { Postings } from './postings.ts';
import { StreamWriter } from './streams.ts';

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
  private readonly lengths: Uint8Array;
  private readonly postings: StreamWriter;
  private readonly positions: StreamWriter;
  private readonly leaf = new LeafBuilder();
  private readonly table = new ByteWriter(4096);
  private readonly blocks = new ByteWriter(16_384);
  private readonly head = new ByteWriter(64);
  private readonly positionTable = new ByteWriter(1024);
  private readonly positionBlocks = new ByteWriter(16_384);
  private readonly impacts = new Impacts();
  terms = 0;

  /** Begins a segment, or goes on with one whose streams have these lengths. */
  constructor(
    db: Database,
    segment: number,
    first: number,
    lengths: Uint8Array,
    from: { readonly postings: number; readonly positions: number } = { postings: 0, positions: 0 },
  ) {
    this.db = db;
    this.segment = segment;
    this.first = first;
    this.lengths = lengths;
    this.postings = new StreamWriter(db, segment, 'postings', from.postings);
    this.positions = new StreamWriter(db, segment, 'positions', from.positions);
  }

  get bytes(): { readonly postings: number; readonly positions: number } {
    return { postings: this.postings.length, positions: this.positions.length };
  }

  /** Writes a term, which comes after all that were written. */
  term(term: Uint8Array, postings: Postings): void {
    const postingsAt = this.postings.length;
    const positionsAt = this.positions.length;
    this.writeLists(postings);
    this.leaf.add({
      term,
      documents: postings.length,
      postingsAt,
      postingsLength: this.postings.length - postingsAt,
      positionsAt,
      positionsLength: this.positions.length - positionsAt,
    });
    this.terms++;
    if (this.leaf.isFull) this.writeLeaf();
  }

  /** Writes what is not written yet. The segment may be gone on with. */
  flush(): void {
    if (!this.leaf.isEmpty) this.writeLeaf();
    this.postings.flush();
    this.positions.flush();
  }

  private writeLists(postings: Postings): void {
    const { table, blocks, head, positionTable, positionBlocks } = this;
    for (const writer of [table, blocks, head, positionTable, positionBlocks]) writer.clear();
    if (postings.length <= BLOCK) {
      head.varint(postings.docs[0]! - this.first);
      writeBlock(blocks, postings, 0, postings.length);
      writePositions(positionBlocks, postings, 0, postings.length);
    } else {
      let last = this.first;
      for (let from = 0; from < postings.length; from += BLOCK) {
        const to = Math.min(postings.length, from + BLOCK);
        last = this.writeBlockOf(postings, from, to, last);
      }
      head.varint(table.length);
    }
    for (const part of [head, table, blocks]) this.postings.write(part.view());
    for (const part of [positionTable, positionBlocks]) this.positions.write(part.view());
  }

  private writeBlockOf(postings: Postings, from: number, to: number, before: number): number {
    const { table, blocks, positionTable, positionBlocks } = this;
    const first = postings.docs[from]!;
    const last = postings.docs[to - 1]!;
    const start = blocks.length;
    const positionStart = positionBlocks.length;
    writeBlock(blocks, postings, from, to);
    writePositions(positionBlocks, postings, from, to);
    table.byte(to - from);
    table.varint(first - before);
    table.varint(last - first);
    table.varint(blocks.length - start);
    this.noteImpacts(postings, from, to);
    this.impacts.write(table);
    positionTable.varint(positionBlocks.length - positionStart);
    return last;
  }

  private noteImpacts({ docs, masks, tfStarts, tfs }: Postings, from: number, to: number): void {
    this.impacts.clear();
    for (let i = from; i < to; i++) {
      let frequency = 0;
      let t = tfStarts[i]!;
      for (let mask = masks[i]!; mask !== 0; mask &= mask - 1)
        frequency += tfs[t++]! * WEIGHTS[31 - Math.clz32(mask & -mask)]!;
      this.impacts.add(frequency, this.lengths[docs[i]! - this.first]!);
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
