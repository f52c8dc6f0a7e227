/** Where a field stands in a place, above the position: of so many bits a position fits into a word with what stands before it in its byte. */
export const FIELD_SHIFT = 24;
export const POSITION = (1 << FIELD_SHIFT) - 1;

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

  /**
   * Adds the occurrences from one index to another of two arrays, in the order of document, field and position: the
   * document of each, and its place (the field above `FIELD_SHIFT`, the position below).
   */
  addOccurrences(docs: Int32Array, places: Int32Array, from: number, to: number): void {
    this.reserve(this.length + to - from, this.tfStarts[this.length]! + to - from);
    let position = this.positionStarts[this.length]!;
    while (position + to - from > this.positions.length) this.positions = grown(this.positions);
    const { masks, tfs, tfStarts, positions, positionStarts } = this;
    let at = this.length - 1;
    let tf = tfStarts[this.length]! - 1;
    let doc = -1;
    let field = -1;
    for (let i = from; i < to; i++) {
      const place = places[i]!;
      if (docs[i] !== doc) {
        doc = docs[i]!;
        field = -1;
        this.docs[++at] = doc;
        masks[at] = 0;
      }
      if (place >> FIELD_SHIFT !== field) {
        field = place >> FIELD_SHIFT;
        masks[at]! |= 1 << field;
        tfs[++tf] = 0;
        tfStarts[at + 1] = tf + 1;
      }
      tfs[tf]!++;
      positions[position++] = place & POSITION;
      positionStarts[at + 1] = position;
    }
    this.length = at + 1;
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

  /** Forgets the documents before an index. */
  dropBefore(from: number): void {
    const { length } = this;
    const tf = this.tfStarts[from]!;
    const position = this.positionStarts[from]!;
    this.tfs.copyWithin(0, tf, this.tfStarts[length]);
    this.positions.copyWithin(0, position, this.positionStarts[length]);
    this.docs.copyWithin(0, from, length);
    this.masks.copyWithin(0, from, length);
    for (let i = from; i <= length; i++) {
      this.tfStarts[i - from] = this.tfStarts[i]! - tf;
      this.positionStarts[i - from] = this.positionStarts[i]! - position;
    }
    this.length = length - from;
  }

  /** Of the documents from an index on keeps those that pass. */
  keep(from: number, passes: (doc: number) => boolean): void {
    const end = this.length;
    let all = true;
    for (let i = from; i < end && all; i++) all = passes(this.docs[i]!);
    if (all) return;
    // What is kept moves towards the beginning, so nothing is overwritten before it was read.
    const { tfStarts, positionStarts } = this;
    let kept = from;
    let tf = tfStarts[from]!;
    let position = positionStarts[from]!;
    for (let i = from; i < end; i++) {
      const [tfFrom, tfTo] = [tfStarts[i]!, tfStarts[i + 1]!];
      const [positionFrom, positionTo] = [positionStarts[i]!, positionStarts[i + 1]!];
      if (!passes(this.docs[i]!)) continue;
      this.tfs.copyWithin(tf, tfFrom, tfTo);
      this.positions.copyWithin(position, positionFrom, positionTo);
      this.docs[kept] = this.docs[i]!;
      this.masks[kept] = this.masks[i]!;
      tfStarts[kept] = tf;
      positionStarts[kept] = position;
      tf += tfTo - tfFrom;
      position += positionTo - positionFrom;
      kept++;
    }
    tfStarts[kept] = tf;
    positionStarts[kept] = position;
    this.length = kept;
  }

  /** Makes room for so many documents and frequencies in all. */
  reserve(documents: number, frequencies: number): void {
    while (documents >= this.docs.length) this.growDocs();
    while (frequencies > this.tfs.length) this.tfs = grown(this.tfs);
  }

  /** Makes room for the positions that the documents are said to have. */
  reservePositions(): void {
    while (this.positionStarts[this.length]! > this.positions.length) this.positions = grown(this.positions);
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
