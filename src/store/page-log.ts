import { closeSync, openSync, readSync } from 'node:fs';

/** The pages of a write-ahead log, as far as it is whole. */
export interface PageLog {
  /** Absent where there is no log. */
  readonly pageSize: number | undefined;
  /** The highest number of a page that stands in it, 0 where none does. */
  readonly lastPage: number;
  /** The newest form of a page; undefined where the log has none. */
  read(page: number): Buffer | undefined;
  close(): void;
}

const NO_LOG: PageLog = { pageSize: undefined, lastPage: 0, read: () => undefined, close: () => {} };

const HEAD = 32;
const FRAME_HEAD = 24;
const MAGIC = 0x377f0682;

/**
 * The log beside a database, up to its first broken frame: each frame's checksum goes on from the one before it, so what follows
 * a broken one cannot be told from what an older log left there. What no commit ended does not count.
 */
export function pageLogOf(path: string): PageLog {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return NO_LOG;
  }
  const head = Buffer.alloc(HEAD);
  const isHead = readSync(file, head, 0, HEAD, 0) === HEAD && (head.readUInt32BE(0) & ~1) >>> 0 === MAGIC;
  const sum = new FrameSum((head[3]! & 1) === 1);
  sum.add(head.subarray(0, 24));
  const pageSize = head.readUInt32BE(8);
  if (!isHead || !sum.is(head, 24) || pageSize < 512 || pageSize > 65_536) {
    closeSync(file);
    return NO_LOG;
  }
  const places = new Map<number, number>();
  const uncommitted = new Map<number, number>();
  const frame = Buffer.alloc(FRAME_HEAD + pageSize);
  for (let at = HEAD; readSync(file, frame, 0, frame.length, at) === frame.length; at += frame.length) {
    const isOfThisLog = frame.compare(head, 16, 24, 8, 16) === 0;
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(FRAME_HEAD));
    if (!isOfThisLog || !sum.is(frame, 16)) break;
    uncommitted.set(frame.readUInt32BE(0), at + FRAME_HEAD);
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [page, place] of uncommitted) places.set(page, place);
    uncommitted.clear();
  }
  return {
    pageSize,
    lastPage: [...places.keys()].reduce((last, page) => Math.max(last, page), 0),
    read(number) {
      const place = places.get(number);
      if (place === undefined) return undefined;
      const page = Buffer.alloc(pageSize);
      readSync(file, page, 0, pageSize, place);
      return page;
    },
    close: () => closeSync(file),
  };
}

/** SQLite's running checksum over pairs of 32-bit words. */
class FrameSum {
  private readonly isBigEndian: boolean;
  private a = 0;
  private b = 0;

  constructor(isBigEndian: boolean) {
    this.isBigEndian = isBigEndian;
  }

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += 8) {
      this.a = (this.a + this.word(bytes, at) + this.b) >>> 0;
      this.b = (this.b + this.word(bytes, at + 4) + this.a) >>> 0;
    }
  }

  is(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.a && bytes.readUInt32BE(at + 4) === this.b;
  }

  private word(bytes: Buffer, at: number): number {
    return this.isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
  }
}
