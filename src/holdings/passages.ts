import type { ChunkBody, ChunkDelta, PassageDelta, ToolUse, Touch } from '../archive/delta.ts';
import { FIELDS, type Field } from '../lexical/fields.ts';
import { TokenWriter } from '../lexical/words/tokens.ts';
import { undressed } from '../transcript/dressing.ts';
import type { Part, ToolCall } from '../transcript/index.ts';

/** UTF-16 units of a passage, about. */
const PASSAGE = 2000;
/** Of a long output its beginning and its end are indexed. */
const INDEXED_HEAD = 6 * 1024;
const INDEXED_TAIL = 2 * 1024;

/** Bits of `PassageDelta.flags`: whether a tool failed here, and from bit 1 on which fields hold something. */
export const PassageFlag = { error: 1, field: (field: Field) => 2 << FIELDS.indexOf(field) } as const;

/** What a piece of a part gives to the index. */
export interface Piece {
  readonly field: Field;
  readonly text: string;
}

export type ChunkDescription = Pick<ChunkDelta, 'passages' | 'tokens' | 'touches' | 'tools' | 'counts'>;

/** What the catalog and the index hold of a chunk. `isOwn` leaves out parts that another session is to show. */
export function describeChunk(body: ChunkBody, isOwn: (part: number) => boolean = () => true): ChunkDescription {
  const builder = new PassageBuilder();
  const touches = new Map<string, Touch>();
  const tools = new Map<string, ToolUse>();
  let messages = 0;
  let toolCalls = 0;
  let errors = 0;
  body.parts.forEach((part, index) => {
    if (!isOwn(index)) return;
    if (part.type === 'text') messages++;
    if (part.type === 'tool_call') {
      toolCalls++;
      if (part.isError) errors++;
      const { name, kind, isError } = part;
      tools.set(`${name}\0${kind}\0${isError}`, { name, kind, isError });
      for (const path of part.paths) touches.set(`${part.kind}\0${path}`, { path, kind: part.kind });
    }
    builder.add(index, part);
  });
  return {
    ...builder.finish(),
    touches: [...touches.values()],
    tools: [...tools.values()],
    counts: { messages, toolCalls, errors },
  };
}

/** The texts of a part by field, as words are looked for in them. Offsets of a passage count over all of them joined. */
export function piecesOf(part: Part): Piece[] {
  return dressedPieces(part).map(({ field, text }) => ({ field, text: undressed(text) }));
}

function dressedPieces(part: Part): Piece[] {
  switch (part.type) {
    case 'text':
      return [{ field: part.role === 'user' ? 'prompt' : 'answer', text: part.text }];
    case 'thinking':
      return [{ field: 'thinking', text: part.text }];
    case 'notice':
      // What is lost is not found by the words that say so.
      if (part.kind === 'damage') return [];
      return [{ field: part.kind === 'command' ? 'tools' : 'output', text: part.text }];
    case 'attachment':
      return part.name === undefined ? [] : [{ field: 'paths', text: part.name }];
    case 'tool_call':
      return [
        { field: 'tools', text: toolText(part) },
        ...(part.paths.length > 0 ? [{ field: 'paths' as const, text: part.paths.join('\n') }] : []),
        ...(part.output === undefined ? [] : [{ field: 'output' as const, text: part.output }]),
      ];
  }
}

/** A call as text: its name, then its arguments, each on a line of its own. Paths have a field of their own. */
export function toolText(call: ToolCall): string {
  const lines = [call.name];
  collect(call.input, call.paths, lines, 0);
  return lines.join('\n');
}

function collect(value: unknown, paths: readonly string[], lines: string[], depth: number): void {
  if (typeof value === 'string') {
    if (value !== '' && !paths.includes(value)) lines.push(value);
  } else if (typeof value === 'number') lines.push(String(value));
  else if (value !== null && typeof value === 'object' && depth < 32)
    for (const item of Object.values(value)) collect(item, paths, lines, depth + 1);
}

/** The stretches of a text that are indexed: all of it, or beginning and end of an output. */
export function indexedStretches(piece: Piece): readonly (readonly [from: number, to: number])[] {
  const { length } = piece.text;
  if (piece.field !== 'output' || length <= INDEXED_HEAD + INDEXED_TAIL) return [[0, length]];
  return [
    [0, INDEXED_HEAD],
    [length - INDEXED_TAIL, length],
  ];
}

/** One writer a field, used again and again: a chunk is described at a time. */
const WRITERS = FIELDS.map(() => new TokenWriter());
/** The tokens of the chunk that is being described. */
let collected = new Uint8Array(65_536);

class PassageBuilder {
  private readonly passages: PassageDelta[] = [];
  private tokenCount = 0;
  private first = 0;
  private from = 0;
  private last = 0;
  private to = 0;
  private size = 0;
  private bytes = 0;
  private at: number | undefined;
  private flags = 0;

  add(index: number, part: Part): void {
    let base = 0;
    for (const piece of piecesOf(part)) {
      for (const [from, to] of indexedStretches(piece)) {
        let start = from;
        while (start < to) {
          const end = this.cutAfter(piece.text, start, to);
          this.take(index, part, piece.field, piece.text.slice(start, end), base + start, base + end);
          start = end;
        }
      }
      base += piece.text.length;
    }
  }

  /** Where a passage that begins at `start` is to end: at a line's end near the size, if there is one. */
  private cutAfter(text: string, start: number, to: number): number {
    const room = PASSAGE - this.size;
    if (to - start <= room + PASSAGE / 4) return to;
    if (room < PASSAGE / 4) {
      this.close();
      return this.cutAfter(text, start, to);
    }
    // Looked for in the half that may be cut: a search back through a long text without any would cost all of it.
    const half = Math.floor(room / 2);
    const latter = text.slice(start + half, start + room);
    for (const end of ['\n', ' ']) {
      const at = latter.lastIndexOf(end);
      if (at >= 0) return start + half + at + 1;
    }
    const last = text.charCodeAt(start + room - 1);
    return last >= 0xd800 && last <= 0xdbff ? start + room - 1 : start + room;
  }

  private take(index: number, part: Part, field: Field, text: string, from: number, to: number): void {
    if (this.size >= PASSAGE) this.close();
    if (this.size === 0) {
      this.first = index;
      this.from = from;
    }
    this.last = index;
    this.to = to;
    this.size += text.length;
    this.at ??= part.at;
    if (part.type === 'tool_call' && part.isError) this.flags |= PassageFlag.error;
    const column = FIELDS.indexOf(field);
    WRITERS[column]!.write(text);
    this.flags |= PassageFlag.field(field);
    this.bytes += Buffer.byteLength(text);
  }

  private close(): void {
    if (this.size === 0) return;
    this.passages.push({
      firstPart: this.first,
      from: this.from,
      lastPart: this.last,
      to: this.to,
      flags: this.flags,
      tokenStart: this.tokenCount,
      tokenLengths: WRITERS.map((writer) => this.collect(writer)),
      bytes: this.bytes,
      ...(this.at !== undefined && { at: this.at }),
    });
    this.size = this.bytes = this.flags = 0;
    this.at = undefined;
  }

  /** Takes over what a field's writer holds; gives how much. */
  private collect(writer: TokenWriter): number {
    const { length } = writer;
    if (this.tokenCount + length > collected.length) {
      const larger = new Uint8Array((this.tokenCount + length) * 2);
      larger.set(collected.subarray(0, this.tokenCount));
      collected = larger;
    }
    collected.set(writer.bytes.subarray(0, length), this.tokenCount);
    this.tokenCount += length;
    writer.clear();
    return length;
  }

  finish(): Pick<ChunkDelta, 'passages' | 'tokens'> {
    this.close();
    return { passages: this.passages, tokens: collected.slice(0, this.tokenCount) };
  }
}
