/** Bytes that grow as they are written. */
export class ByteWriter {
  bytes: Uint8Array;
  length = 0;

  constructor(room = 256) {
    this.bytes = new Uint8Array(room);
  }

  clear(): void {
    this.length = 0;
  }

  /** Makes room for so many bytes more. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Seven bits a byte, the low ones first. For whole numbers from 0 to 2^53. */
  varint(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest % 128) | 128;
      rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  copy(from: Uint8Array, start = 0, end = from.length): void {
    this.reserve(end - start);
    const { bytes } = this;
    let { length } = this;
    for (let i = start; i < end; i++) bytes[length++] = from[i]!;
    this.length = length;
  }

  /** What was written; valid until more is. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}

/** Reads what a `ByteWriter` wrote. */
export class ByteReader {
  bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.bytes[this.at++]!;
  }

  varint(): number {
    let byte = this.bytes[this.at++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    do {
      byte = this.bytes[this.at++]!;
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }
}
