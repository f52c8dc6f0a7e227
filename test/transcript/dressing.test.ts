import { describe, expect, it } from 'vitest';
import { undressed } from '../../src/transcript/dressing.ts';

describe('a text without what dresses it for a terminal', () => {
  it.each<[what: string, text: string, plain: string]>([
    ['a colour before a word', '\x1b[31mopens\x1b[39m drawbridge', 'opens drawbridge'],
    ['several attributes', '\x1b[1;38;5;208mloud\x1b[0m', 'loud'],
    ['a match that was marked inside a word', 'am\x1b[01;31m\x1b[Kber\x1b[m\x1b[Kword', 'amberword'],
    ['a hyperlink', '\x1b]8;;https://example.com/a b\x1b\\the page\x1b]8;;\x1b\\', 'the page'],
    ['a title that ends with a bell', '\x1b]0;make\x07done', 'done'],
    ['eight bits', '\x9b31mopens\x9b0m \x9d0;title\x9cdone', 'opens done'],
    ['a device control string', '\x1bPq#0;2;0\x1b\\after', 'after'],
    ['a character set', '\x1b(B\x1b[mplain', 'plain'],
    ['a cursor that moves on', 'left\x1b[10Gright\x1b[2;5Hbelow', 'left right below'],
    ['a line that is erased', 'step 1\x1b[2Kstep 2', 'step 1step 2'],
    ['a sequence that was cut off', 'harbor\x1b[38;5', 'harbor'],
    ['letters that are struck twice', 'N\bNA\bAM\bME\bE and _\bu_\bs_\be', 'NAME and use'],
    ['codes that are written out', String.raw`\u001b[31mopens\u001b[39m`, String.raw`\u001b[31m opens\u001b[39m`],
    ['codes that lost their beginning', '[32mgreen[0m', '[32m green[0m'],
    ['brackets of other texts', 'wait[30m] a[5min]', 'wait[30m] a[5min]'],
    ['nothing to undress', 'größe\n\ttabs 🚢', 'größe\n\ttabs 🚢'],
  ])('%s', (_, text, plain) => {
    expect(undressed(text)).toBe(plain);
  });
});
