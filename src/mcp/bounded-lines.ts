import { Transform, type TransformCallback } from 'node:stream';

/** No request of ours needs a longer line; the SDK ends the server over one of 10 MB. */
const LONGEST_LINE = 1 << 20;
/** The id of a request stands in its beginning or its end. */
const LOOKED_AT = 4096;
const NEWLINE = 10;

/** Lets whole lines pass, and in place of one that is too long tells its id, if it has one, so that it can be refused. */
export class BoundedLines extends Transform {
  private readonly refuse: (id: string | number | null) => void;
  private held: Buffer[] = [];
  private length = 0;

  constructor(refuse: (id: string | number | null) => void) {
    super();
    this.refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.hold(chunk.subarray(from, end + 1));
      this.settle();
      from = end + 1;
    }
    this.hold(chunk.subarray(from));
    done();
  }

  private hold(piece: Buffer): void {
    this.length += piece.length;
    this.held.push(piece);
    if (this.length <= LONGEST_LINE) return;
    // Of what is refused its ends are enough.
    const all = Buffer.concat(this.held);
    this.held = [all.subarray(0, LOOKED_AT), all.subarray(-LOOKED_AT)].map((end) => Buffer.from(end));
  }

  private settle(): void {
    if (this.length > LONGEST_LINE) this.refuse(idIn(Buffer.concat(this.held).toString('utf8')));
    else this.push(Buffer.concat(this.held));
    this.held = [];
    this.length = 0;
  }
}

/** JSON-RPC's answer to a line that is too long. */
export function tooLong(id: string | number | null): string {
  const message = `The request is longer than ${LONGEST_LINE >> 20} MB: ask with fewer words.`;
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32600, message } })}\n`;
}

/** The request's own id: its first members or its last; what is asked for has ids too. */
const ID = /"id"\s*:\s*(\d{1,15}|"(?:[^"\\]|\\.){0,200}")/.source;
const VERSION = /"jsonrpc"\s*:\s*"2\.0"/.source;
const FIRST = new RegExp(`^\\s*\\{\\s*(?:${VERSION}\\s*,\\s*)?${ID}`);
const LAST = new RegExp(`${ID}\\s*(?:,\\s*${VERSION}\\s*)?\\}\\s*$`);

function idIn(ends: string): string | number | null {
  const [, written] = FIRST.exec(ends) ?? LAST.exec(ends) ?? [];
  return written === undefined ? null : JSON.parse(written);
}
