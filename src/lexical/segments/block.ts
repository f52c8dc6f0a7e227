import { FIELDS } from '../fields.ts';
import { ByteReader, type ByteWriter } from './bytes.ts';
import type { Postings } from './postings.ts';

/** Documents of a full block. */
export const BLOCK = 128;

/**
 * A block of postings, without its first document, which stands with what leads to the block; so a block can be copied
 * into another segment as it is.
 *
 *   gaps          a varint for each document but the first
 *   frequencies   half a byte a document: its field in the low three bits, bit 3 where it stands there more than
 *                 once; 7 where it stands in several fields
 *   the rest      a varint (frequency - 2) for each with bit 3; for each 7 the mask of fields and a varint a field
 */
export function writeBlock(out: ByteWriter, { docs, masks, tfStarts, tfs }: Postings, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) out.varint(docs[i]! - docs[i - 1]!);
  const kinds = out.length;
  out.reserve((to - from + 1) >> 1);
  out.length += (to - from + 1) >> 1;
  out.bytes.fill(0, kinds, out.length);
  for (let i = from; i < to; i++) {
    const mask = masks[i]!;
    const tf = tfs[tfStarts[i]!]!;
    let kind = SEVERAL;
    if ((mask & (mask - 1)) !== 0) {
      out.byte(mask);
      for (let t = tfStarts[i]!; t < tfStarts[i + 1]!; t++) out.varint(tfs[t]!);
    } else {
      kind = 31 - Math.clz32(mask);
      if (tf > 1) {
        kind |= OFTEN;
        out.varint(tf - 2);
      }
    }
    out.bytes[kinds + ((i - from) >> 1)]! |= ((i - from) & 1) === 0 ? kind : kind << 4;
  }
}

/** The kinds below it are fields in which a document has the term once. */
export const SEVERAL = 7;
const OFTEN = 8;

/** The kind of the frequency at an index, from where the frequencies of a block begin. */
export function kindAt(bytes: Uint8Array, kinds: number, index: number): number {
  return (bytes[kinds + (index >> 1)]! >> ((index & 1) * 4)) & 15;
}

/** Reads the documents of a block into an array; gives where the frequencies begin. */
export function readDocs(bytes: Uint8Array, start: number, first: number, count: number, docs: Int32Array): number {
  let at = start;
  let doc = first;
  docs[0] = first;
  for (let i = 1; i < count; i++) {
    let byte = bytes[at++]!;
    if (byte < 128) doc += byte;
    else {
      let gap = byte & 127;
      let shift = 7;
      do {
        byte = bytes[at++]!;
        gap |= (byte & 127) << shift;
        shift += 7;
      } while (byte > 127);
      doc += gap;
    }
    docs[i] = doc;
  }
  return at;
}

/**
 * Reads the weighed frequencies of a block, from where its documents end; a field with the weight 0 counts for
 * nothing.
 */
export function readWeighed(
  bytes: Uint8Array,
  kinds: number,
  count: number,
  weights: readonly number[],
  out: Int32Array,
): void {
  let at = kinds + ((count + 1) >> 1);
  for (let i = 0; i < count; i++) {
    const kind = kindAt(bytes, kinds, i);
    if (kind < SEVERAL) {
      out[i] = weights[kind]!;
      continue;
    }
    let byte: number;
    if (kind === SEVERAL) {
      let sum = 0;
      for (let mask = bytes[at++]!; mask !== 0; mask &= mask - 1) {
        let tf = 0;
        let shift = 0;
        do {
          byte = bytes[at++]!;
          tf |= (byte & 127) << shift;
          shift += 7;
        } while (byte > 127);
        sum += tf * weights[31 - Math.clz32(mask & -mask)]!;
      }
      out[i] = sum;
    } else {
      let tf = 2;
      let shift = 0;
      do {
        byte = bytes[at++]!;
        tf += (byte & 127) << shift;
        shift += 7;
      } while (byte > 127);
      out[i] = tf * weights[kind & 7]!;
    }
  }
}

/** Walks the frequencies of a block, document by document: which fields one has, and where its positions begin. */
export class FrequencyWalk {
  /** The fields of the document it stands on, and how often the term stands in each of these. */
  mask = 0;
  readonly counts = new Int32Array(FIELDS.length);
  /** Positions of the block before its own, and how many are its own. */
  before = 0;
  own = 0;
  private readonly rest = new ByteReader(new Uint8Array(0));
  private kinds = 0;
  private index = -1;

  /** @param kinds where the frequencies of the block begin */
  open(bytes: Uint8Array, kinds: number, documents: number): void {
    this.rest.bytes = bytes;
    this.kinds = kinds;
    this.rest.at = kinds + ((documents + 1) >> 1);
    this.index = -1;
    this.before = 0;
    this.own = 0;
  }

  /** Goes to a document by its index, which is not before the one it stands on. */
  to(index: number): void {
    while (this.index < index) {
      this.before += this.own;
      const kind = kindAt(this.rest.bytes, this.kinds, ++this.index);
      if (kind === SEVERAL) this.readSeveral();
      else {
        this.own = kind < SEVERAL ? 1 : 2 + this.rest.varint();
        this.mask = 1 << (kind & SEVERAL);
        this.counts[0] = this.own;
      }
    }
  }

  private readSeveral(): void {
    this.mask = this.rest.byte();
    this.own = 0;
    let fields = 0;
    for (let mask = this.mask; mask !== 0; mask &= mask - 1) {
      const count = this.rest.varint();
      this.counts[fields++] = count;
      this.own += count;
    }
  }
}

/** Reads a block whole, but for positions: each document of it is added to the postings. */
export function readBlock(bytes: Uint8Array, start: number, first: number, count: number, into: Postings): void {
  const begin = into.length;
  into.reserve(begin + count, into.tfStarts[begin]! + FIELDS.length * count);
  const { docs, masks, tfStarts, positionStarts, tfs } = into;
  let kinds = start;
  let doc = first;
  docs[begin] = first;
  for (let i = 1; i < count; i++) {
    let byte = bytes[kinds++]!;
    let gap = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[kinds++]!;
      gap |= (byte & 127) << shift;
    }
    doc += gap;
    docs[begin + i] = doc;
  }
  let at = kinds + ((count + 1) >> 1);
  let tfAt = tfStarts[begin]!;
  let position = positionStarts[begin]!;
  for (let i = 0; i < count; i++) {
    const kind = kindAt(bytes, kinds, i);
    let mask = 1 << (kind & 7);
    if (kind === SEVERAL) mask = bytes[at++]!;
    masks[begin + i] = mask;
    for (; mask !== 0; mask &= mask - 1) {
      let tf = 1;
      if (kind >= SEVERAL) {
        let byte = bytes[at++]!;
        tf = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[at++]!;
          tf |= (byte & 127) << shift;
        }
        if (kind !== SEVERAL) tf += 2;
      }
      tfs[tfAt++] = tf;
      position += tf;
    }
    tfStarts[begin + i + 1] = tfAt;
    positionStarts[begin + i + 1] = position;
  }
  into.length = begin + count;
}

/** The positions of a block: the bits each takes, then all of them, close together. */
export function writePositions(
  out: ByteWriter,
  { positionStarts, positions }: Postings,
  from: number,
  to: number,
): void {
  const start = positionStarts[from]!;
  const end = positionStarts[to]!;
  let all = 0;
  for (let i = start; i < end; i++) all |= positions[i]!;
  const width = 32 - Math.clz32(all);
  out.byte(width);
  out.reserve(((end - start) * width + 7) >> 3);
  let pending = 0;
  let bits = 0;
  for (let i = start; i < end; i++) {
    pending |= positions[i]! << bits;
    bits += width;
    while (bits >= 8) {
      out.bytes[out.length++] = pending & 255;
      pending >>>= 8;
      bits -= 8;
    }
  }
  if (bits > 0) out.bytes[out.length++] = pending & 255;
}

/** The positions from one index of a block on, so many of them, into an array. */
export function readPositions(
  bytes: Uint8Array,
  start: number,
  index: number,
  count: number,
  out: Int32Array,
  outAt = 0,
): void {
  const width = bytes[start]!;
  const mask = (1 << width) - 1;
  let bit = index * width;
  for (let i = 0; i < count; i++) {
    const at = start + 1 + (bit >> 3);
    const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    out[outAt + i] = (word >>> (bit & 7)) & mask;
    bit += width;
  }
}
