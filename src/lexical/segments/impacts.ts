import type { ByteWriter } from './bytes.ts';

/**
 * The competitive pairs of a block: no document of it has both a higher frequency and a shorter length than one of
 * them (the "impacts" of Lucene 8). The bound on a block's scores is made of them when a query comes, so it stays true
 * when the number of passages and their average length move. Ding and Suel, "Faster Top-k Document Retrieval Using
 * Block-Max Indexes", 2011, keep the bound itself.
 */
const MOST_PAIRS = 6;
/** Bytes of a pair: the frequency in two, the length's code in one. */
export const PAIR = 3;
export const MOST_FREQUENCY = 0xffff;

export class Impacts {
  private length = 0;
  private readonly frequencies = new Int32Array(256);
  private readonly lengths = new Uint8Array(256);

  clear(): void {
    this.length = 0;
  }

  add(frequency: number, length: number): void {
    const { frequencies, lengths } = this;
    let kept = 0;
    for (let i = 0; i < this.length; i++) {
      const f = frequencies[i]!;
      const l = lengths[i]!;
      if (f >= frequency && l <= length) return;
      if (f <= frequency && l >= length) continue;
      frequencies[kept] = f;
      lengths[kept++] = l;
    }
    frequencies[kept] = frequency;
    lengths[kept++] = length;
    this.length = kept;
  }

  /** Writes their number and the pairs; where there are many, the last stands for several and may promise too much. */
  write(out: ByteWriter): void {
    const count = Math.min(this.length, MOST_PAIRS);
    out.byte(count);
    for (let i = 0; i < count; i++) {
      let frequency = this.frequencies[i]!;
      let length = this.lengths[i]!;
      for (let j = i === count - 1 ? i + 1 : this.length; j < this.length; j++) {
        frequency = Math.max(frequency, this.frequencies[j]!);
        length = Math.min(length, this.lengths[j]!);
      }
      const capped = Math.min(frequency, MOST_FREQUENCY);
      out.byte(capped & 255);
      out.byte(capped >> 8);
      out.byte(length);
    }
  }
}

/** The most that f / (f + norm) can be in a block, from its pairs. */
export function boundOf(bytes: Uint8Array, at: number, norms: Float64Array): number {
  let bound = 0;
  const end = at + 1 + bytes[at]! * PAIR;
  for (let i = at + 1; i < end; i += PAIR) {
    const frequency = bytes[i]! | (bytes[i + 1]! << 8);
    if (frequency === MOST_FREQUENCY) return 1;
    bound = Math.max(bound, frequency / (frequency + norms[bytes[i + 2]!]!));
  }
  return bound;
}
