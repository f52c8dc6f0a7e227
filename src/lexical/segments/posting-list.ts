import { BLOCK, readBlock, readPositions } from './block.ts';
import { ByteReader } from './bytes.ts';
import { PAIR } from './impacts.ts';
import type { TermEntry } from './leaf.ts';
import type { Postings } from './postings.ts';
import type { StoredBlock } from './segment-writer.ts';
import type { StreamReader } from './streams.ts';

/** Bytes that are read to learn how long a list's table is: no varint of it is longer. */
const LONGEST_HEAD = 5;

/** Documents of a block, where most are not full. */
const FEW = BLOCK / 2;

/** Where the blocks of a list lie and what stands in each. Only the list's table is read, not its blocks. */
export class PostingList {
  readonly blocks: number;
  counts: Uint8Array;
  firsts: Int32Array;
  lasts: Int32Array;
  /** The table, and where each block's competitive pairs stand in it; absent where a list is one block alone. */
  readonly table: Uint8Array | undefined;
  pairs: Int32Array;
  private offsets: Float64Array;
  private lengths: Int32Array;
  private readonly postings: StreamReader;
  private readonly positions: StreamReader;
  private readonly entry: TermEntry;
  private positionOffsets: Float64Array | undefined;

  constructor(entry: TermEntry, first: number, postings: StreamReader, positions: StreamReader) {
    this.entry = entry;
    this.postings = postings;
    this.positions = positions;
    const { postingsAt, postingsLength, documents } = entry;
    const isLong = documents > BLOCK;
    const head = new ByteReader(postings.bytes(postingsAt, isLong ? LONGEST_HEAD : postingsLength));
    const room = isLong ? 4 + Math.ceil(documents / FEW) : 1;
    this.counts = new Uint8Array(room);
    this.firsts = new Int32Array(room);
    this.lasts = new Int32Array(room);
    this.pairs = new Int32Array(room);
    this.lengths = new Int32Array(room);
    this.offsets = new Float64Array(room);
    if (!isLong) {
      this.blocks = 1;
      this.counts[0] = documents;
      this.firsts[0] = first + head.varint();
      // Known once the block is read; until then it may reach to the end.
      this.lasts[0] = 0x7ffffffe;
      this.offsets[0] = postingsAt + head.at;
      this.lengths[0] = postingsLength - head.at;
      this.table = undefined;
      return;
    }
    const length = head.varint();
    const table = postings.bytes(postingsAt + head.at, length);
    let offset = postingsAt + head.at + length;
    const reader = new ByteReader(table);
    let last = first;
    let block = 0;
    for (; reader.at < length; block++) {
      if (block === this.counts.length) this.grow();
      this.counts[block] = reader.byte();
      last += reader.varint();
      this.firsts[block] = last;
      last += reader.varint();
      this.lasts[block] = last;
      this.offsets[block] = offset;
      this.lengths[block] = reader.varint();
      offset += this.lengths[block]!;
      this.pairs[block] = reader.at;
      reader.at += 1 + table[reader.at]! * PAIR;
    }
    this.blocks = block;
    this.table = table;
  }

  private grow(): void {
    const more = <Numbers extends Uint8Array | Int32Array | Float64Array>(numbers: Numbers, larger: Numbers) => {
      larger.set(numbers);
      return larger;
    };
    const room = 2 * this.counts.length;
    this.counts = more(this.counts, new Uint8Array(room));
    this.firsts = more(this.firsts, new Int32Array(room));
    this.lasts = more(this.lasts, new Int32Array(room));
    this.pairs = more(this.pairs, new Int32Array(room));
    this.lengths = more(this.lengths, new Int32Array(room));
    this.offsets = more(this.offsets, new Float64Array(room));
  }

  /** The bytes of a block. */
  block(index: number): Uint8Array {
    return this.postings.bytes(this.offsets[index]!, this.lengths[index]!);
  }

  /** A block with all that belongs to it. Only a list of several blocks keeps competitive pairs. */
  stored(index: number): StoredBlock {
    const at = this.pairs[index]!;
    return {
      count: this.counts[index]!,
      first: this.firsts[index]!,
      last: this.lasts[index]!,
      bytes: this.block(index),
      pairs: this.table!.subarray(at, at + 1 + this.table![at]! * PAIR),
      positions: this.positionsOf(index),
    };
  }

  /** Adds a block's postings to others. */
  read(index: number, into: Postings): void {
    const begin = into.positionStarts[into.length]!;
    readBlock(this.block(index), 0, this.firsts[index]!, this.counts[index]!, into);
    into.reservePositions();
    const count = into.positionStarts[into.length]! - begin;
    readPositions(this.positionsOf(index), 0, 0, count, into.positions, begin);
  }

  /** The bytes of a block's positions. */
  positionsOf(index: number): Uint8Array {
    const { positionsAt, positionsLength } = this.entry;
    if (this.table === undefined) return this.positions.bytes(positionsAt, positionsLength);
    this.positionOffsets ??= this.readPositionTable();
    const offsets = this.positionOffsets;
    return this.positions.bytes(offsets[index]!, offsets[index + 1]! - offsets[index]!);
  }

  private readPositionTable(): Float64Array {
    const { positionsAt, positionsLength } = this.entry;
    const reader = new ByteReader(
      this.positions.bytes(positionsAt, Math.min(positionsLength, this.blocks * LONGEST_HEAD)),
    );
    const offsets = new Float64Array(this.blocks + 1);
    for (let block = 0; block < this.blocks; block++) offsets[block + 1] = offsets[block]! + reader.varint();
    for (let block = 0; block <= this.blocks; block++) offsets[block]! += positionsAt + reader.at;
    return offsets;
  }
}

/** Adds the postings of a list of one block to others. */
export function readShortList(
  { documents, postingsAt, postingsLength, positionsAt, positionsLength }: TermEntry,
  first: number,
  postings: StreamReader,
  positions: StreamReader,
  into: Postings,
): void {
  const begin = into.positionStarts[into.length]!;
  const reader = new ByteReader(postings.bytes(postingsAt, postingsLength));
  const start = first + reader.varint();
  readBlock(reader.bytes, reader.at, start, documents, into);
  into.reservePositions();
  const count = into.positionStarts[into.length]! - begin;
  readPositions(positions.bytes(positionsAt, positionsLength), 0, 0, count, into.positions, begin);
}
