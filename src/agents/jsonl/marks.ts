import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { Checkpoint } from '../source.ts';

const MARK = 4096;

/** Hashes of the first 4 kB (or fewer, before `offset`) and of the last 4 kB before `offset` of a file. */
export function marksOf(path: string, offset: number): { headHash: string; tailHash: string } {
  const file = openSync(path, 'r');
  try {
    const length = Math.min(MARK, offset);
    return { headHash: hashAt(file, 0, length), tailHash: hashAt(file, offset - length, length) };
  } finally {
    closeSync(file);
  }
}

/** Whether a file still begins with what the checkpoint was made from. Reads at most 8 kB. */
export function continues(path: string, checkpoint: Checkpoint): boolean {
  const marks = marksOf(path, checkpoint.offset);
  return marks.headHash === checkpoint.headHash && marks.tailHash === checkpoint.tailHash;
}

function hashAt(file: number, from: number, length: number): string {
  const bytes = Buffer.alloc(length);
  const got = readSync(file, bytes, 0, length, from);
  return createHash('sha1').update(bytes.subarray(0, got)).digest('base64url');
}
