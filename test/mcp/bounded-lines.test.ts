import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { BoundedLines, tooLong } from '../../src/mcp/bounded-lines.ts';

const LONG = 'x'.repeat(12 << 20);

async function passed(text: string, size: number) {
  const refused: (string | number | null)[] = [];
  const lines = new BoundedLines((id) => void refused.push(id));
  let out = '';
  lines.on('data', (piece) => {
    out += piece;
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) lines.write(bytes.subarray(at, at + size));
  lines.end();
  await once(lines, 'end');
  return { out, refused };
}

describe('lines of requests', () => {
  it.each([1, 7, 4096, 1 << 20])('pass in pieces of %i bytes', async (size) => {
    const text = '{"id":1}\n\n{"id":2,"text":"ä𝌆"}\n';
    expect(await passed(text, size)).toEqual({ out: text, refused: [] });
  });

  it.each([
    [7, `{"jsonrpc":"2.0","id":7,"query":"${LONG}"}`],
    ['a"b', `{"query":"${LONG}","id":"a\\"b"}`],
    [3, `{"params":{"arguments":{"id":"claude-code:5e95","query":"${LONG}"}},"jsonrpc":"2.0","id":3}`],
    [4, `{"params":{"arguments":{"query":"${LONG}","id":"5e95"}},"id":4,"jsonrpc":"2.0"}`],
    [null, `{"params":{"arguments":{"query":"${LONG}","id":"5e95"}}}`],
    [null, LONG],
  ])('are refused with their id (%j) where they are too long, and the next one passes', async (id, line) => {
    expect(await passed(`${line}\n{"id":8}\n`, 65_536)).toEqual({ out: '{"id":8}\n', refused: [id] });
  });

  it('that are refused are answered in JSON-RPC', () => {
    expect(JSON.parse(tooLong('a'))).toMatchObject({ jsonrpc: '2.0', id: 'a', error: { code: -32600 } });
  });
});
