import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { continues, marksOf } from '../../../src/agents/jsonl/marks.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';

const letters = (length: number) => Array.from({ length }, (_, i) => 'abcdefghijklmno'[i % 15]).join('');
const file = (content: string) => writeAt(join(temporaryFolder(), 'marks.jsonl'), content);
const checkpointOf = (path: string, offset: number) => ({ offset, line: 1, state: null, ...marksOf(path, offset) });

describe('the marks of a checkpoint', () => {
  it.each([0, 1, 100, 4096, 5000, 20_000])('hold while a file of %i bytes only grows', (length) => {
    const path = file(letters(length));
    const checkpoint = checkpointOf(path, length);
    expect(continues(path, checkpoint)).toBe(true);
    appendFileSync(path, 'more');
    expect(continues(path, checkpoint)).toBe(true);
  });

  it.each([
    ['its first byte', 0],
    ['the last byte of its first 4 kB', 4095],
    ['the first of the 4 kB before the offset', 20_000 - 4096],
    ['the byte before the offset', 19_999],
  ])('do not hold where %s was changed', (_, at) => {
    const path = file(letters(20_000));
    const checkpoint = checkpointOf(path, 20_000);
    writeAt(path, `${letters(20_000).slice(0, at)}#${letters(20_000).slice(at + 1)}`);
    expect(continues(path, checkpoint)).toBe(false);
  });

  it('do not hold where the file became shorter than the offset', () => {
    const path = file(letters(20_000));
    const checkpoint = checkpointOf(path, 20_000);
    writeAt(path, letters(19_000));
    expect(continues(path, checkpoint)).toBe(false);
  });

  it('say nothing of what stands behind the offset', () => {
    const path = file(letters(9000));
    const checkpoint = checkpointOf(path, 8000);
    writeAt(path, `${letters(8000)}something else`);
    expect(continues(path, checkpoint)).toBe(true);
  });
});
