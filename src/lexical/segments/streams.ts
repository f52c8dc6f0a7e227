import type { Database } from '../../store/database.ts';
import type { ByteWriter } from './bytes.ts';

/**
 * A segment's postings, and apart from them its positions, are each a stream of bytes, cut into rows that fill a page
 * of the database. A list may begin anywhere in a row and run over many.
 */
export type StreamKind = 'postings' | 'positions';

/** Bytes of a row: with what SQLite writes beside them, a page. */
export const ROW = 4032;
const ROWS_OF_A_STREAM = 2 ** 24;
const STREAMS: Readonly<Record<StreamKind, number>> = { postings: 0, positions: ROWS_OF_A_STREAM };
const ROWS_OF_A_SEGMENT = 2 * ROWS_OF_A_STREAM;

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

/** Rows that were read last, of any segment: all words of a question, and of the next one, are looked for in them. */
export class RowCache {
  private readonly most: number;
  private readonly rows = new Map<number, Uint8Array>();

  constructor(most = MOST_CACHED) {
    this.most = most;
  }

  get(id: number): Uint8Array | undefined {
    return this.rows.get(id);
  }

  set(id: number, row: Uint8Array): void {
    const { rows } = this;
    if (rows.size >= this.most) for (const oldest of rows.keys()) if (rows.delete(oldest)) break;
    rows.set(id, row);
  }
}

/** Two megabytes. */
const MOST_CACHED = 512;

export class StreamReader {
  private readonly db: Database;
  private readonly first: number;
  /** The id after its last row. */
  private readonly end: number;
  private readonly cache: RowCache | undefined;
  private index = -2;
  private row: Uint8Array = new Uint8Array(0);
  private ahead: Uint8Array[] = [];
  private aheadFrom = 0;
  private step = 1;

  constructor(db: Database, segment: number, kind: StreamKind, cache?: RowCache) {
    this.db = db;
    this.cache = cache;
    this.first = firstRow(segment, kind);
    this.end = this.first + ROWS_OF_A_STREAM;
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
    if (index === this.index) return this.row;
    // Who reads row after row is given some at once, each time more: that takes half as long.
    const follows = index === this.index + 1;
    this.index = index;
    const at = index - this.aheadFrom;
    this.row = this.ahead[at] ?? this.cache?.get(this.first + index) ?? this.read(index, follows);
    return this.row;
  }

  private read(index: number, follows: boolean): Uint8Array {
    this.step = follows ? Math.min(2 * this.step, MOST_AHEAD) : 1;
    this.ahead = this.step === 1 ? [rowAt(this.db, this.first + index)] : this.rowsAt(index, this.step);
    this.aheadFrom = index;
    for (const [i, row] of this.ahead.entries()) this.cache?.set(this.first + index + i, row);
    return this.ahead[0]!;
  }

  private rowsAt(index: number, count: number): Uint8Array[] {
    const rows = this.db.rows<{ data: Uint8Array }>(
      'SELECT data FROM lexical_rows WHERE id >= ? AND id < ? ORDER BY id',
      this.first + index,
      Math.min(this.first + index + count, this.end),
    );
    if (rows.length === 0) throw new Error(MISSING);
    return rows.map((row) => row.data);
  }
}

const MOST_AHEAD = 8;
const MISSING = 'database disk image is malformed: a row of the lexical index is missing';

function rowAt(db: Database, id: number): Uint8Array<ArrayBuffer> {
  const row = db.row<{ data: Uint8Array<ArrayBuffer> }>('SELECT data FROM lexical_rows WHERE id = ?', id);
  if (!row) throw new Error(MISSING);
  return row.data;
}
