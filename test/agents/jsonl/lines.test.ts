import { appendFileSync, closeSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Line, LONGEST_LINE, linesOf } from '../../../src/agents/jsonl/lines.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';

const BLOCK = 1 << 20;

const file = (content: string | Uint8Array) => writeAt(join(temporaryFolder(), 'lines.jsonl'), content);
/** The bytes of a line are valid until the next one is taken, so they are copied here. */
const taken = (path: string, from?: { offset: number; line: number }) => {
  const out: (Omit<Line, 'bytes'> & { text: string })[] = [];
  for (const { bytes, ...line } of linesOf(path, from)) out.push({ ...line, text: bytes.toString('utf8') });
  return out;
};
const texts = (path: string) => taken(path).map((line) => line.text);

describe('the lines of a file', () => {
  it('have their number, their offset, and the offset of the next', () => {
    expect(taken(file('one\nzwölf\n'))).toEqual([
      { text: 'one', number: 1, offset: 0, end: 4, open: false, tooLong: false },
      { text: 'zwölf', number: 2, offset: 4, end: 11, open: false, tooLong: false },
    ]);
  });

  it('lose the carriage return of CRLF', () => {
    expect(taken(file('one\r\ntwo\r\n')).map(({ text, end }) => [text, end])).toEqual([
      ['one', 5],
      ['two', 10],
    ]);
  });

  it('are counted where they are empty, but not given', () => {
    expect(taken(file('\n\none\n\r\n\ntwo\n')).map(({ text, number }) => [text, number])).toEqual([
      ['one', 3],
      ['two', 6],
    ]);
  });

  it('are open where no newline ends them', () => {
    expect(taken(file('one\ntwo')).map(({ text, open, end }) => [text, open, end])).toEqual([
      ['one', false, 4],
      ['two', true, 7],
    ]);
  });

  it('are none in an empty file', () => {
    expect(texts(file(''))).toEqual([]);
  });

  it('are given from an offset on, with the numbers they have in the whole file', () => {
    const path = file('one\ntwo\nthree\n');
    expect(taken(path, { offset: 4, line: 1 })).toEqual(taken(path).slice(1));
    expect(taken(path, { offset: 14, line: 3 })).toEqual([]);
  });

  it.each([-2, -1, 0, 1, 2])('are whole across the border of a block, %i bytes from it', (shift) => {
    const long = 'a'.repeat(BLOCK + shift);
    const path = file(`${long}\nb\n${'ü'.repeat(BLOCK)}\nc`);
    expect(texts(path)).toEqual([long, 'b', 'ü'.repeat(BLOCK), 'c']);
    expect(taken(path).map(({ offset }) => offset)).toEqual([
      0,
      BLOCK + shift + 1,
      BLOCK + shift + 3,
      3 * BLOCK + shift + 4,
    ]);
  });

  it('may be longer than several blocks', () => {
    const lengths = [3 * BLOCK, 5, 2 * BLOCK - 1, BLOCK - 1];
    expect(
      taken(file(lengths.map((length) => `${'x'.repeat(length)}\n`).join(''))).map(({ text }) => text.length),
    ).toEqual(lengths);
  });

  it('end where the file ended when the reading began', () => {
    const path = file('one\ntwo\n');
    const out: string[] = [];
    for (const { bytes } of linesOf(path)) {
      out.push(bytes.toString('utf8'));
      if (out.length < 10) appendFileSync(path, 'more\n');
    }
    expect(out).toEqual(['one', 'two']);
  });

  it('are not held where they are over the limit, and the next ones are still found', () => {
    const path = file('one\n');
    // A hole in the file: it costs no room.
    const handle = openSync(path, 'r+');
    ftruncateSync(handle, LONGEST_LINE + 8);
    closeSync(handle);
    appendFileSync(path, '\nthree\n');
    const lines = taken(path);
    expect(lines.map(({ number, tooLong }) => [number, tooLong])).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ]);
    expect(lines[1]!.text.length).toBeLessThan(BLOCK);
    expect(lines[2]).toMatchObject({ text: 'three', offset: LONGEST_LINE + 9 });
  });

  it('cannot be had of a file that is not there, or that is a folder', () => {
    expect(() => texts(join(temporaryFolder(), 'none.jsonl'))).toThrow(/ENOENT/);
    expect(() => texts(temporaryFolder())).toThrow(/EISDIR/);
  });
});
