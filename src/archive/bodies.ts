import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ToolCall } from '../transcript/index.ts';
import type { ChunkBody, ResultPatch } from './delta.ts';

/** Shorter ones gain little, and there are many: a prompt of a line each. */
const WORTH_PACKING = 400;
const OPENING_BRACE = 0x7b;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** The stored form of a chunk (zstd of its JSON, short ones the JSON itself), and its size before compression in bytes. */
export function packChunk(body: ChunkBody): { readonly packed: Uint8Array; readonly kept: number } {
  const json = Buffer.from(JSON.stringify(body));
  if (json.length < WORTH_PACKING) return { packed: new Uint8Array(json), kept: json.length };
  // A copy of just its size: zlib's result keeps a far larger buffer alive, and a message would carry all of it.
  return { packed: new Uint8Array(zstdCompressSync(json, LEVEL)), kept: json.length };
}

/** @throws where the bytes are not a chunk's */
export function unpackChunk(packed: Uint8Array): ChunkBody {
  // Written by `packChunk` alone, so the shape is known.
  const json = packed[0] === OPENING_BRACE ? Buffer.from(packed) : zstdDecompressSync(packed);
  return JSON.parse(json.toString('utf8')) as ChunkBody;
}

/** The call with what its result says. */
export function withResult(call: ToolCall, result: ResultPatch['result']): ToolCall {
  const paths = result.paths ? [...new Set([...call.paths, ...result.paths])] : call.paths;
  return { ...call, ...result, paths };
}
