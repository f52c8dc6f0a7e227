import { describe, expect, it } from 'vitest';
import { edit, edited, type LineEditor, visiblePart } from '../../src/tui/line-editor.ts';

/** A line with its cursor as `|`. */
const line = (text: string): LineEditor => edited(text.replace('|', ''), text.indexOf('|'));
const shown = ({ text, cursor }: LineEditor) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe('editing', () => {
  it.each([
    ['ab|', 'left', 'a|b'],
    ['|ab', 'left', '|ab'],
    ['a|b', 'right', 'ab|'],
    ['👩‍🚀|x', 'backspace', '|x'],
    ['é|', 'left', '|é'],
    ['a|b', 'delete', 'a|'],
    ['one two|', 'ctrl-w', 'one |'],
    ['one two |three', 'ctrl-w', 'one |three'],
    ['one| two', 'ctrl-right', 'one two|'],
    ['one two|', 'ctrl-left', 'one |two'],
    ['one| two', 'ctrl-u', '| two'],
    ['one| two', 'ctrl-k', 'one|'],
    ['o|ne', 'home', '|one'],
    ['o|ne', 'end', 'one|'],
  ])('%s and %s give %s', (before, name, after) => {
    expect(shown(edit(line(before), { name })!)).toBe(after);
  });

  it('writes where the cursor is', () => {
    expect(shown(edit(line('a|c'), { name: 'b', text: 'b' })!)).toBe('ab|c');
    expect(shown(edit(line('a|'), { name: 'paste', text: ' long text' })!)).toBe('a long text|');
  });

  it('leaves other keys to others', () => {
    expect(edit(line('a|'), { name: 'f1' })).toBeUndefined();
  });
});

describe('a line that is wider than its place', () => {
  it('shows the part with the cursor in it', () => {
    expect(visiblePart(line('abcdefghij|'), 6)).toEqual({ text: 'fghij', column: 5 });
    expect(visiblePart(line('abc|defghij'), 6)).toEqual({ text: 'abcdef', column: 3 });
    expect(visiblePart(line('漢字漢字漢字|'), 6)).toEqual({ text: '漢字', column: 4 });
  });
});
