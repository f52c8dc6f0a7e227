import { describe, expect, it } from 'vitest';
import { Pieces } from '../../src/redact/pieces.ts';
import { redactText } from '../../src/redact/redact.ts';
import { Maker } from './make.ts';

function through(parts: readonly string[]): { text: string; secrets: number } {
  const pieces = new Pieces();
  const out = parts.flatMap((part) => [...pieces.add(part)]);
  return { text: [...out, ...pieces.end('')].join(''), secrets: pieces.secrets };
}

describe('Pieces', () => {
  it('gives what the whole text would give, wherever it is broken', () => {
    const maker = new Maker(77);
    const line = () => `the tide ${maker.text(maker.below(60), 'abcdefg hij')}\n`;
    let text = '';
    // A key lies where the first stretch ends, on a line of its own and in the middle of one.
    while (text.length < (4 << 20) - 600) text += line();
    text += `${maker.key().text}\nAPI_KEY=${maker.text(40)}\n`;
    while (text.length < 9 << 20) text += maker.below(500) ? line() : `use gh${'p'}_${maker.text(36)} here\n`;
    const whole = redactText(text);
    expect(whole.count).toBeGreaterThan(50);
    const parts = [];
    for (let at = 0; at < text.length; at += 700_001) parts.push(text.slice(at, at + 700_001));
    expect(through(parts)).toEqual({ text: whole.text, secrets: whole.count });
  });

  it('holds little of a text without lines, and cuts no secret in it', () => {
    const maker = new Maker(78);
    const token = `gh${'p'}_${maker.text(36)}`;
    const text = `${' .'.repeat((4 << 20) / 2 - 10)}${token}${' .'.repeat(1 << 20)}`;
    expect(through([text])).toEqual({ text: text.replace(token, '[GH_TOKEN]'), secrets: 1 });
  });
});
