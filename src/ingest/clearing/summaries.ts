import { packChunk, unpackChunk } from '../../archive/bodies.ts';
import type { ChunkBody, ChunkDelta } from '../../archive/delta.ts';
import { describeChunk } from '../../holdings/passages.ts';

/** What stands in the place of a summary whose session was forgotten: the part stays, since others are known by their place. */
const FORGOTTEN = '(forgotten)';

/** A chunk without what it says in summary of forgotten sessions; undefined where it says nothing of them. */
export function withoutSummaries(body: ChunkBody, texts: ReadonlySet<string>): ChunkBody | undefined {
  let isChanged = false;
  const parts = body.parts.map((part) => {
    if (part.type !== 'notice' || part.kind !== 'summary' || !texts.has(part.text)) return part;
    isChanged = true;
    return { ...part, text: FORGOTTEN };
  });
  return isChanged ? { ...body, parts } : undefined;
}

/** The same for a chunk that is about to be kept. */
export function chunkWithoutSummaries(chunk: ChunkDelta, texts: ReadonlySet<string>): ChunkDelta {
  const body = withoutSummaries(unpackChunk(chunk.body), texts);
  if (!body) return chunk;
  const { packed, kept } = packChunk(body);
  return { turn: chunk.turn, chunk: chunk.chunk, first: chunk.first, body: packed, kept, ...describeChunk(body) };
}
