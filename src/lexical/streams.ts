import type { Database } from '../store/database.ts';
import type { ByteWriter } from './bytes.ts';

/**
 * A segment's postings, and apart from them its positions, are each a stream of bytes, cut into rows that fill a page
 * of the database. A list may begin anywhere in a row and run over many.
 */
export type StreamKind = 'postings' | 'positions';

/** Bytes of a row: with what SQLite writes beside them, a page. */
export const ROW = 4032;
const STREAMS: Readonly<Record<StreamKind, number>> = { postings: 0, positions: 2 ** 24 };
const ROWS_OF_A_SEGMENT = 2 ** 25;

/** The id of a stream's first row; the others follow. */
export function firstRow(segment: number, kind: StreamKind): number {
  return segment * ROWS_OF_A_SEGMENT + STREAMS[kind];
}

/** The ids of all rows of a segment: from the first one to before the second. */
export function rowsOf(segment: number): readonly [number, number] {
  return [segment * ROWS_OF_A_SEGMENT, (segment + 1) * ROWS_OF_A_SEGMENT];
}

/** So few bytes are copied faster one by one. */
const SHORT = 64;

export class StreamWriter {
  length: number;
  private readonly db: Database;
  private readonly first: number;
  private readonly row = new Uint8Array(ROW);
  private filled: number;

  /** Goes on with a stream of so many bytes. */
  constructor(db: Database, segment: number, kind: StreamKind, length: number) {
    this.db = db;
    this.first = firstRow(segment, kind);
    this.length = length;
    this.filled = length % ROW;
    if (this.filled > 0) this.row.set(rowAt(db, this.first + Math.floor(length / ROW)));
  }

  write({ bytes, length }: ByteWriter): void {
    let from = 0;
    while (from < length) {
      const part = Math.min(length - from, ROW - this.filled);
      if (part < SHORT) for (let i = 0; i < part; i++) this.row[this.filled + i] = bytes[from + i]!;
      else this.row.set(bytes.subarray(from, from + part), this.filled);
      this.filled += part;
      this.length += part;
      from += part;
      if (this.filled === ROW) {
        this.put(this.row);
        this.filled = 0;
      }
    }
  }

  /** Writes the last row, which may be filled on later. */
  flush(): void {
    if (this.filled > 0) this.put(this.row.subarray(0, this.filled));
  }

  private put(row: Uint8Array): void {
    const index = Math.floor((this.length - 1) / ROW);
    this.db.run('INSERT OR REPLACE INTO lexical_rows (id, data) VALUES (?, ?)', this.first + index, row);
  }
}

export class StreamReader {
  private readonly db: Database;
  private readonly first: number;
  private index = -1;
  private row = new Uint8Array(0);

  constructor(db: Database, segment: number, kind: StreamKind) {
    this.db = db;
    this.first = firstRow(segment, kind);
  }

  /** Bytes of the stream; valid for as long as they are held. */
  bytes(offset: number, length: number): Uint8Array {
    const index = Math.floor(offset / ROW);
    const start = offset - index * ROW;
    const first = this.rowAt(index);
    if (start + length <= first.length) return first.subarray(start, start + length);
    const out = new Uint8Array(length);
    let filled = first.length - start;
    out.set(first.subarray(start));
    for (let next = index + 1; filled < length; next++) {
      const row = this.rowAt(next);
      const part = Math.min(row.length, length - filled);
      out.set(part === row.length ? row : row.subarray(0, part), filled);
      filled += part;
    }
    return out;
  }

  private rowAt(index: number): Uint8Array {
    if (index !== this.index) {
      this.row = rowAt(this.db, this.first + index);
      this.index = index;
    }
    return this.row;
  }
}

function rowAt(db: Database, id: number): Uint8Array<ArrayBuffer> {
  const row = db.row<{ data: Uint8Array<ArrayBuffer> }>('SELECT data FROM lexical_rows WHERE id = ?', id);
  if (!row) throw new Error('database disk image is malformed: a row of the lexical index is missing');
  return row.data;
}
