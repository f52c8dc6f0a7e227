import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';
import { type Line, LONGEST_LINE } from './lines.ts';

const MARK = 4096;

/**
 * The lines of a file that was compressed with zstd, as if it had not been: offsets are those of the plain bytes.
 * Nothing but the line that is read is held.
 */
export class CompressedLines {
  private readonly path: string;
  private head = Buffer.alloc(0);
  /** The last bytes before the end of the line that was given last. */
  private tail: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.path = path;
  }

  /** @throws the errors of the file system and of the decompression */
  async *lines(from = { offset: 0, line: 0 }): AsyncGenerator<Line> {
    let position = 0;
    let lineStart = 0;
    let number = 0;
    let before: Buffer = Buffer.alloc(0);
    let pending: Buffer[] = [];
    let pendingLength = 0;
    let tooLong = false;
    const file = createReadStream(this.path, { highWaterMark: 1 << 20 });
    const plain = createZstdDecompress();
    file.on('error', (error) => plain.destroy(error));
    try {
      for await (const piece of file.pipe(plain)) {
        const chunk: Buffer = piece;
        if (this.head.length < MARK) this.head = Buffer.concat([this.head, chunk]).subarray(0, MARK);
        let start = 0;
        for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, start)) {
          const rest = chunk.subarray(start, newline);
          const whole = pendingLength === 0 ? rest : Buffer.concat([...pending, rest]);
          number++;
          const end = position + newline + 1;
          const bytes = whole.at(-1) === 13 ? whole.subarray(0, -1) : whole;
          if (end > from.offset) {
            this.tail = tailOf(before, chunk, newline + 1);
            if (bytes.length > 0) yield { bytes, offset: lineStart, end, number, open: false, tooLong };
          }
          pending = [];
          pendingLength = 0;
          tooLong = false;
          start = newline + 1;
          lineStart = end;
        }
        const rest = chunk.subarray(start);
        if (rest.length > 0 && !tooLong) {
          tooLong = pendingLength + rest.length > LONGEST_LINE;
          pending = tooLong ? [Buffer.concat([...pending, rest]).subarray(0, MARK)] : [...pending, rest];
        }
        pendingLength += rest.length;
        before = chunk.length >= MARK ? chunk : Buffer.concat([before.subarray(-MARK), chunk]);
        position += chunk.length;
      }
      if (pendingLength > 0) {
        const bytes = Buffer.concat(pending);
        yield { bytes, offset: lineStart, end: position, number: number + 1, open: true, tooLong };
        this.tail = before.subarray(-MARK);
      }
    } finally {
      file.destroy();
      plain.destroy();
    }
  }

  /** What `marksOf` says of the plain bytes, where the offset is the end of the line that was given last. */
  marks(offset: number): { headHash: string; tailHash: string } {
    return { headHash: hash(this.head.subarray(0, Math.min(MARK, offset))), tailHash: hash(this.tail) };
  }
}

function tailOf(before: Buffer, chunk: Buffer, end: number): Buffer {
  if (end >= MARK || before.length === 0) return chunk.subarray(Math.max(0, end - MARK), end);
  return Buffer.concat([before.subarray(-(MARK - end)), chunk.subarray(0, end)]);
}

function hash(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('base64url');
}
