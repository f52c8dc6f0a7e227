import { describe, expect, it } from 'vitest';
import { windowOf } from '../../src/mcp/window.ts';
import type { Part, Turn } from '../../src/transcript/index.ts';

const where = { offset: 0, line: 1 };
const turn = (parts: readonly Part[]): Turn => ({
  id: 'x:1#1',
  session: 'x:1',
  index: 1,
  anchor: 'a',
  rewound: false,
  parts,
});
const text = (said: string): Part => ({ type: 'text', role: 'assistant', text: said, where });
const call = (input: unknown, output: string): Part => ({
  type: 'tool_call',
  name: 'Bash',
  kind: 'shell',
  input,
  output,
  paths: [],
  isError: false,
  where,
});
const image: Part = { type: 'attachment', kind: 'image', where };

describe('windowOf', () => {
  it('gives a turn that fits as it is', () => {
    const parts = [text('abc'), image, call({ a: 1 }, 'out')];
    expect(windowOf(turn(parts), 0, 100)).toEqual({ parts, from: 0, total: 13 });
  });

  it.each([1, 2, 3, 5, 7, 11, 100])('in pieces of %i says everything once', (most) => {
    const parts = [text('abcdef'), call({ a: 'bc𝌆d' }, 'output of it'), image, text('𝌆𝌆𝌆𝌆'), text('')];
    const whole = `abcdef${JSON.stringify({ a: 'bc𝌆d' })}output of it𝌆𝌆𝌆𝌆`;
    let said = '';
    let from: number | undefined = 0;
    for (let rounds = 0; from !== undefined; rounds++) {
      expect(rounds).toBeLessThan(200);
      const window = windowOf(turn(parts), from, Math.max(2, most));
      expect(window.total).toBe(whole.length);
      for (const part of window.parts) {
        if (part.type === 'text') said += part.text;
        if (part.type === 'tool_call') said += (part.inputText ?? JSON.stringify(part.input)) + (part.output ?? '');
      }
      from = window.next;
    }
    expect(said).toBe(whole);
  });

  it('counts what is left out', () => {
    const window = windowOf(turn([text('abcdef'), text('ghi')]), 2, 3);
    expect(window).toMatchObject({ parts: [{ text: 'cde', leftOut: 3 }], next: 5, total: 9 });
  });

  it('is empty behind the end', () => {
    expect(windowOf(turn([text('abc')]), 3, 10)).toEqual({ parts: [], from: 3, total: 3 });
  });
});
