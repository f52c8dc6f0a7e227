import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
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

/** A body without its seal. @throws where the bytes are not a chunk's */
export function unpackChunk(packed: Uint8Array): ChunkBody {
  // Written by `packChunk` alone, so the shape is known.
  const json = packed[0] === OPENING_BRACE ? Buffer.from(packed) : zstdDecompressSync(packed);
  return JSON.parse(json.toString('utf8')) as ChunkBody;
}

/** Where a body belongs: a sum over this too tells a body that came into another's row. */
export interface BodyPlace {
  readonly session: number;
  readonly turn: number;
  readonly chunk: number;
  readonly first: number;
}

/** The first byte of a sealed body; of one that was kept before there were seals it is JSON's or that of zstd. */
const SEAL = 1;
const SEAL_LENGTH = 5;

/**
 * A chunk's stored form with a seal before it: the CRC32 of its bytes and of its place. Not the sum that zstd could write:
 * short bodies are not compressed, and what is broken is not to reach the decompressor.
 */
export function sealBody(packed: Uint8Array, place: BodyPlace): Uint8Array {
  const sealed = Buffer.allocUnsafe(SEAL_LENGTH + packed.length);
  sealed[0] = SEAL;
  sealed.writeUInt32LE(sumOf(packed, place), 1);
  sealed.set(packed, SEAL_LENGTH);
  return sealed;
}

/** A stored body; undefined where it is lost or not as it was written. */
export function openBody(stored: Uint8Array, place: BodyPlace): ChunkBody | undefined {
  if (stored[0] === SEAL) return isSealWhole(stored, place) ? unpackChunk(stored.subarray(SEAL_LENGTH)) : undefined;
  try {
    return unpackChunk(stored);
  } catch {
    return undefined;
  }
}

/** Whether a stored body is as it was written. */
export function isBodyWhole(stored: Uint8Array, place: BodyPlace): boolean {
  return stored[0] === SEAL ? isSealWhole(stored, place) : openBody(stored, place) !== undefined;
}

function isSealWhole(stored: Uint8Array, place: BodyPlace): boolean {
  if (stored.length <= SEAL_LENGTH) return false;
  const sum = Buffer.from(stored.buffer, stored.byteOffset, stored.length).readUInt32LE(1);
  return sum === sumOf(stored.subarray(SEAL_LENGTH), place);
}

/** Stands for a body that is damaged or lost. Never kept. */
export function damagedBody(): ChunkBody {
  const text =
    'A part of this turn is damaged in Portolan’s archive and cannot be shown. portolan doctor says what can be done.';
  return {
    parts: [{ type: 'notice', kind: 'damage', text, where: { offset: 0, line: 0 } }],
    records: [0],
    isDamaged: true,
  };
}

/** What is kept of a body that is lost: it never passes for a whole one. */
export const LOST = new Uint8Array(0);

function sumOf(packed: Uint8Array, { session, turn, chunk, first }: BodyPlace): number {
  return crc32(packed, crc32(`${session} ${turn} ${chunk} ${first}`));
}

/** The call with what its result says. */
export function withResult(call: ToolCall, result: ResultPatch['result']): ToolCall {
  const paths = result.paths ? [...new Set([...call.paths, ...result.paths])] : call.paths;
  return { ...call, ...result, paths };
}
