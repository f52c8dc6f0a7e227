import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Value } from './database.ts';
import { type PageLog, pageLogOf } from './page-log.ts';

/** A row as it stands in a page. */
export interface PageRow {
  /** In tables that have one; absent in tables without, and in indexes. */
  readonly rowid?: number;
  /** By its columns in the order in which they are stored; `undefined` where that part of the row is gone. */
  readonly values: readonly (Value | undefined)[];
}

/** What a walk through the pages of a file met. */
export interface PageCounts {
  readonly pages: number;
  /** Pages with rows of which some could not be read. */
  readonly broken: number;
}

/** Kinds of pages that hold rows, by their first byte. */
const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;
const INDEX_INTERIOR = 0x02;

const MAGIC = 'SQLite format 3\0';
/** Ours, where the file's own beginning is gone. */
const USUAL_PAGE = 4096;
const MOST_COLUMNS = 64;

/**
 * Reads an SQLite file page by page, without SQLite: what leads to a page may be gone, its rows are found all the same. With
 * the pages of its write-ahead log, as far as that is whole. The file format: https://sqlite.org/fileformat2.html
 */
export class PageFile {
  /** Absent where the log is all that is left. */
  private readonly file: number | undefined;
  private readonly pageSize: number;
  /** Bytes of a page that hold rows. */
  private readonly usable: number;
  private readonly log: PageLog;
  readonly count: number;
  /** The version that the file's makers gave its schema; absent where its first page is gone. */
  readonly version: number | undefined;

  /** @throws where the file cannot be read */
  constructor(path: string) {
    this.file = existsSync(path) ? openSync(path, 'r') : undefined;
    const head = Buffer.alloc(100);
    this.fill(head, 0);
    const size = this.file === undefined ? 0 : fstatSync(this.file).size;
    this.log = pageLogOf(`${path}-wal`);
    const first = this.log.read(1) ?? head;
    const hasHead = first.toString('latin1', 0, MAGIC.length) === MAGIC;
    const told = first.readUInt16BE(16) === 1 ? 65_536 : first.readUInt16BE(16);
    const isToldWell = hasHead && told >= 512 && (told & (told - 1)) === 0;
    this.pageSize = this.log.pageSize ?? (isToldWell ? told : USUAL_PAGE);
    this.usable = this.pageSize - (hasHead && first[20]! <= 64 ? first[20]! : 0);
    this.version = hasHead ? first.readUInt32BE(60) : undefined;
    this.count = Math.max(Math.ceil(size / this.pageSize), this.log.lastPage);
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.log.close();
  }

  /** All rows that stand in any page, those of indexes too: who asks knows which are whose. Gives what it met. */
  *rows(): Generator<PageRow, PageCounts> {
    let broken = 0;
    for (let number = 1; number <= this.count; number++) {
      const page = this.page(number);
      // The first page begins with the file's own head.
      const start = number === 1 ? 100 : 0;
      const kind = page[start];
      if (kind !== TABLE_LEAF && kind !== INDEX_LEAF && kind !== INDEX_INTERIOR) continue;
      let isBroken = false;
      for (const cell of this.cells(page, start)) {
        const row = cell === undefined ? undefined : this.row(page, kind, cell);
        if (row) yield row;
        else isBroken = true;
      }
      if (isBroken) broken++;
    }
    return { pages: this.count, broken };
  }

  private page(number: number): Buffer {
    const logged = this.log.read(number);
    if (logged) return logged;
    const page = Buffer.alloc(this.pageSize);
    this.fill(page, (number - 1) * this.pageSize);
    return page;
  }

  private fill(bytes: Buffer, at: number): void {
    try {
      if (this.file !== undefined) readSync(this.file, bytes, 0, bytes.length, at);
    } catch {
      // The disk itself is broken there: what stays empty holds no rows.
    }
  }

  /** Where the rows of a page begin; undefined for one that would lie outside. */
  private *cells(page: Buffer, start: number): Generator<number | undefined> {
    const pointers = start + (page[start] === INDEX_INTERIOR ? 12 : 8);
    const count = page.readUInt16BE(start + 3);
    for (let i = 0; i < count; i++) {
      const at = pointers + 2 * i;
      if (at + 2 > this.usable) return;
      const cell = page.readUInt16BE(at);
      yield cell >= pointers && cell <= this.usable - 4 ? cell : undefined;
    }
  }

  private row(page: Buffer, kind: number, cell: number): PageRow | undefined {
    const reader = new Reader(page, kind === INDEX_INTERIOR ? cell + 4 : cell);
    const length = reader.varint();
    const rowid = kind === TABLE_LEAF ? reader.varint() : undefined;
    // No row of ours is longer than all pages together.
    if (length === undefined || length === 0 || length > this.count * this.pageSize) return undefined;
    if (kind === TABLE_LEAF && rowid === undefined) return undefined;
    const values = valuesOf(this.payload(page, reader.at, length, kind === TABLE_LEAF));
    return values && { values, ...(rowid !== undefined && { rowid }) };
  }

  /** The bytes of a row, as far as they can be found: its beginning in the page, the rest in a chain of others. */
  private payload(page: Buffer, at: number, length: number, isTable: boolean): Buffer {
    const least = Math.floor(((this.usable - 12) * 32) / 255) - 23;
    const most = isTable ? this.usable - 35 : Math.floor(((this.usable - 12) * 64) / 255) - 23;
    const wanted = least + ((length - least) % (this.usable - 4));
    const local = length <= most ? length : wanted <= most ? wanted : least;
    const pieces = [page.subarray(at, Math.min(at + local, this.usable))];
    if (local === length || at + local + 4 > this.usable) return pieces[0]!;
    let next = page.readUInt32BE(at + local);
    for (let left = length - local; left > 0; left -= this.usable - 4) {
      if (next < 2 || next > this.count) break;
      const more = this.page(next);
      pieces.push(more.subarray(4, 4 + Math.min(left, this.usable - 4)));
      next = more.readUInt32BE(0);
    }
    return Buffer.concat(pieces);
  }
}

/** The values of a row; undefined where its own description makes no sense. */
function valuesOf(payload: Buffer): (Value | undefined)[] | undefined {
  const head = new Reader(payload, 0);
  const headLength = head.varint();
  if (headLength === undefined || headLength < 1 || headLength > payload.length) return undefined;
  const values: (Value | undefined)[] = [];
  let at = headLength;
  while (head.at < headLength) {
    const type = head.varint();
    if (type === undefined || values.length === MOST_COLUMNS) return undefined;
    const length = lengthOf(type);
    if (length === undefined) return undefined;
    if (at + length > payload.length) values.push(undefined);
    else {
      const value = valueIn(type, payload.subarray(at, at + length));
      if (value === undefined) return undefined;
      values.push(value);
    }
    at += length;
  }
  return values;
}

const INTEGER_LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function lengthOf(type: number): number | undefined {
  return type >= 12 ? (type - 12) >> 1 : INTEGER_LENGTHS[type];
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function valueIn(type: number, bytes: Buffer): Value | undefined {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 6) return safe(bytes.readBigInt64BE(0));
  if (type < 6) return bytes.readIntBE(0, bytes.length);
  if (type % 2 === 0) return new Uint8Array(bytes);
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** No number of ours is larger than JavaScript's can be. */
function safe(value: bigint): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

class Reader {
  private readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  /** A number of one to nine bytes, seven bits each but for the ninth; undefined at the end, and for one that is none of ours. */
  varint(): number | undefined {
    let value = 0n;
    for (let i = 0; i < 9; i++) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) return undefined;
      if (i === 8) return safe(BigInt.asIntN(64, (value << 8n) | BigInt(byte)));
      value = (value << 7n) | BigInt(byte & 0x7f);
      if (byte < 0x80) return safe(value);
    }
    return undefined;
  }
}
