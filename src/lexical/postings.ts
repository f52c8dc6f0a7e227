/**
 * Postings of one term, uncompressed: what stands in each document, as flat arrays that are used again and again. The
 * fields of a document stand in the order of their bits; positions count the words of a field.
 */
export class Postings {
  length = 0;
  docs = new Int32Array(128);
  masks = new Uint8Array(128);
  /** Where the document's frequencies begin, one a field of its mask; and its positions. */
  tfStarts = new Int32Array(129);
  positionStarts = new Int32Array(129);
  tfs = new Int32Array(256);
  positions = new Int32Array(256);

  clear(): void {
    this.length = 0;
    this.tfStarts[0] = 0;
    this.positionStarts[0] = 0;
  }

  /** How often the term stands in the document at an index, over all fields. */
  countAt(i: number): number {
    return this.positionStarts[i + 1]! - this.positionStarts[i]!;
  }

  /** Notes an occurrence; they come in the order of document, field and position. */
  add(doc: number, field: number, position: number): void {
    let last = this.length - 1;
    if (last < 0 || this.docs[last] !== doc) {
      last = this.begin(doc, 0);
      this.masks[last] = 0;
    }
    const bit = 1 << field;
    let tf = this.tfStarts[last + 1]! - 1;
    if ((this.masks[last]! & bit) === 0) {
      this.masks[last]! |= bit;
      tf++;
      if (tf >= this.tfs.length) this.tfs = grown(this.tfs);
      this.tfs[tf] = 0;
      this.tfStarts[last + 1] = tf + 1;
    }
    this.tfs[tf]!++;
    this.addPosition(last, position);
  }

  /** A document without anything yet; gives its index. */
  begin(doc: number, mask: number): number {
    const i = this.length++;
    if (i === this.docs.length) this.growDocs();
    this.docs[i] = doc;
    this.masks[i] = mask;
    this.tfStarts[i + 1] = this.tfStarts[i]!;
    this.positionStarts[i + 1] = this.positionStarts[i]!;
    return i;
  }

  addFrequency(i: number, tf: number): void {
    const at = this.tfStarts[i + 1]!;
    if (at === this.tfs.length) this.tfs = grown(this.tfs);
    this.tfs[at] = tf;
    this.tfStarts[i + 1] = at + 1;
  }

  addPosition(i: number, position: number): void {
    const at = this.positionStarts[i + 1]!;
    if (at === this.positions.length) this.positions = grown(this.positions);
    this.positions[at] = position;
    this.positionStarts[i + 1] = at + 1;
  }

  /** Takes over the document at an index of other postings. */
  take(other: Postings, i: number): void {
    const at = this.begin(other.docs[i]!, other.masks[i]!);
    for (let t = other.tfStarts[i]!; t < other.tfStarts[i + 1]!; t++) this.addFrequency(at, other.tfs[t]!);
    for (let p = other.positionStarts[i]!; p < other.positionStarts[i + 1]!; p++)
      this.addPosition(at, other.positions[p]!);
  }

  private growDocs(): void {
    this.docs = grown(this.docs);
    const masks = new Uint8Array(this.masks.length * 2);
    masks.set(this.masks);
    this.masks = masks;
    this.tfStarts = grown(this.tfStarts);
    this.positionStarts = grown(this.positionStarts);
  }
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
