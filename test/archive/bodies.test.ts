import { describe, expect, it } from 'vitest';
import { type BodyPlace, isBodyWhole, LOST, openBody, packChunk, sealBody } from '../../src/archive/bodies.ts';
import type { ChunkBody } from '../../src/archive/delta.ts';

const PLACE: BodyPlace = { session: 7, turn: 3, chunk: 1, first: 12 };
const bodyOf = (text: string): ChunkBody => ({
  parts: [{ type: 'text', role: 'user', text, where: { offset: 0, line: 1 } }],
  records: [1],
});

describe.each([
  ['short', bodyOf('Paint the pier.')],
  ['long', bodyOf('Paint the pier with larch tar. '.repeat(200))],
])('a %s body', (_, body) => {
  const { packed } = packChunk(body);
  const sealed = sealBody(packed, PLACE);

  it('is read as it was written', () => {
    expect(openBody(sealed, PLACE)).toEqual(body);
    expect(isBodyWhole(sealed, PLACE)).toBe(true);
  });

  it('is not taken for whole when any bit of it changed', () => {
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1 << (at % 8);
      expect(openBody(changed, PLACE), `byte ${at}`).toBeUndefined();
      expect(isBodyWhole(changed, PLACE), `byte ${at}`).toBe(false);
    }
  });

  it('is not taken for another place’s, nor a beginning of it for all of it', () => {
    for (const key of ['session', 'turn', 'chunk', 'first'] as const)
      expect(openBody(sealed, { ...PLACE, [key]: 99 })).toBeUndefined();
    for (let length = 0; length < sealed.length; length++)
      expect(openBody(sealed.subarray(0, length), PLACE)).toBeUndefined();
  });

  it('of before there were seals is read too', () => {
    expect(openBody(packed, PLACE)).toEqual(body);
  });
});

it('a lost body never passes for a whole one', () => {
  expect(openBody(LOST, PLACE)).toBeUndefined();
  expect(isBodyWhole(LOST, PLACE)).toBe(false);
});
