import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A line of a file, without its newline. `bytes` is valid until the next line is taken. */
export interface Line {
  readonly bytes: Buffer;
  readonly offset: number;
  /** Where the next line begins. */
  readonly end: number;
  /** From 1. */
  readonly number: number;
  /** A last line without a newline: it may still be being written. */
  readonly open: boolean;
  /** Longer than `LONGEST_LINE`: `bytes` holds only its beginning. */
  readonly tooLong: boolean;
}

const BLOCK = 1 << 20;

/** A line longer than this is streamed past, not parsed. */
export const LONGEST_LINE = 32 << 20;

const KEPT_OF_A_LONG_LINE = 4096;

/**
 * The lines of a file from a byte offset to its present end, empty ones left out, in blocks of 1 MB.
 * @throws the errors of the file system
 */
export function* linesOf(path: string, from = { offset: 0, line: 0 }): Generator<Line> {
  const file = openSync(path, 'r');
  try {
    // A file that grows while it is read is read to the size it had at the start; the rest is the next reading's.
    const end = fstatSync(file).size;
    let position = from.offset;
    let lineStart = from.offset;
    let number = from.line;
    let pending: Buffer[] = [];
    let pendingLength = 0;
    let tooLong = false;
    const block = Buffer.allocUnsafe(BLOCK);

    const hold = (piece: Buffer) => {
      if (pendingLength + piece.length > LONGEST_LINE && !tooLong) {
        tooLong = true;
        pending = [Buffer.from(Buffer.concat([...pending, piece]).subarray(0, KEPT_OF_A_LONG_LINE))];
      } else if (!tooLong) pending.push(Buffer.from(piece));
      pendingLength += piece.length;
    };
    const take = (piece: Buffer): Buffer => {
      if (pendingLength === 0) return piece;
      hold(piece);
      const whole = pending.length === 1 ? pending[0]! : Buffer.concat(pending);
      return whole;
    };

    while (position < end) {
      const got = readSync(file, block, 0, Math.min(BLOCK, end - position), position);
      if (got === 0) break;
      let start = 0;
      while (start < got) {
        const newline = block.subarray(0, got).indexOf(10, start);
        if (newline < 0) {
          hold(block.subarray(start, got));
          break;
        }
        number++;
        const bytes = withoutReturn(take(block.subarray(start, newline)));
        if (bytes.length > 0)
          yield { bytes, offset: lineStart, end: position + newline + 1, number, open: false, tooLong };
        pending = [];
        pendingLength = 0;
        tooLong = false;
        start = newline + 1;
        lineStart = position + start;
      }
      position += got;
    }
    if (pendingLength > 0) {
      const whole = pending.length === 1 ? pending[0]! : Buffer.concat(pending);
      yield { bytes: whole, offset: lineStart, end: position, number: number + 1, open: true, tooLong };
    }
  } finally {
    closeSync(file);
  }
}

function withoutReturn(line: Buffer): Buffer {
  return line.length > 0 && line[line.length - 1] === 13 ? line.subarray(0, -1) : line;
}
