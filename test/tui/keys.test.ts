import { describe, expect, it } from 'vitest';
import { KeyReader } from '../../src/tui/keys.ts';

const names = (...chunks: string[]) => {
  const reader = new KeyReader();
  return [...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.settle()].map(({ name }) => name);
};

describe('keys', () => {
  it.each([
    ['a', ['a']],
    ['Ö漢🧭', ['Ö', '漢', '🧭']],
    ['\r\n\t\x7f\b', ['enter', 'enter', 'tab', 'backspace', 'backspace']],
    ['\x03\x12\x1a', ['ctrl-c', 'ctrl-r', 'ctrl-z']],
    ['\x1b[A\x1bOB\x1b[C\x1b[D', ['up', 'down', 'right', 'left']],
    ['\x1b[H\x1b[F\x1b[1~\x1b[4~\x1bOH', ['home', 'end', 'home', 'end', 'home']],
    ['\x1b[5~\x1b[6~\x1b[3~\x1b[Z', ['pageup', 'pagedown', 'delete', 'backtab']],
    ['\x1bOP\x1b[11~', ['f1', 'f1']],
    ['\x1b[1;5C\x1b[1;3D\x1b[3;5~', ['ctrl-right', 'alt-left', 'ctrl-delete']],
    ['\x1bb\x1b\x7f', ['alt-b', 'alt-backspace']],
    ['\x1b', ['escape']],
    ['\x1b\x1b', ['escape', 'escape']],
    ['\x1b\x1b[A', ['escape', 'up']],
    ['\x1b[200~rm -rf\r\n\x1b[A x\x1b[201~z', ['paste', 'z']],
  ])('reads %j', (sent, expected) => {
    expect(names(sent)).toEqual(expected);
  });

  it('gives the same keys in whatever pieces they come', () => {
    const sent = '\x1b[1;5C\x1b[5~aé\x1bOA\x1b[200~two words\x1b[201~\x1bb';
    expect(names(...sent)).toEqual(names(sent));
  });

  it('passes over sequences that mean nothing here', () => {
    expect(names('\x1b[?1;2c\x1b[<0;3;4M\x1b[I\x1b[57441ux')).toEqual(['x']);
  });

  it('takes no control from a paste, and no more than a query holds', () => {
    const reader = new KeyReader();
    const [key] = reader.read(`\x1b[200~a\r\x03\x1b]52;c;x\x07b${'c'.repeat(10_000)}\x1b[201~`);
    expect(key!.text!.startsWith('a ]52;c;x b')).toBe(true);
    expect(key!.text!.length).toBeLessThanOrEqual(4000);
  });

  it('gives text only with keys that write something', () => {
    const reader = new KeyReader();
    expect(reader.read('a\x1b[A\x03')).toEqual([{ name: 'a', text: 'a' }, { name: 'up' }, { name: 'ctrl-c' }]);
  });
});
