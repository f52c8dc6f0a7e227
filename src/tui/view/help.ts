import { type Line, span } from '../../render/spans.ts';
import { pad } from '../../render/width.ts';

type Entry = readonly [keys: string, does: string];

const PICKER: readonly (readonly [string, readonly Entry[]])[] = [
  [
    'Typing           In the list',
    [
      ['↑ ↓ PgUp PgDn    j k g G', 'choose'],
      ['Enter            l', 'read the session, at the turn'],
      ['Ctrl-R           r', 'resume the session in its agent'],
      ['Ctrl-Y           y', 'copy: then c command, i id, t text'],
      ['Ctrl-S           s', 'star, or no longer'],
      ['Ctrl-G           *', 'only what is starred'],
      ['Ctrl-T           t', 'only this folder’s project'],
      ['Ctrl-F           f', 'facets: agents, projects, months'],
      ['Alt-A            a', 'every match in this session'],
      ['Tab', 'complete the word, the filter, the value'],
      ['Ctrl-X           x', 'take all filters away'],
      ['Ctrl-O           v', 'preview on and off'],
      ['Alt-↑ Alt-↓      J K', 'move the preview'],
      ['Esc              / Esc', 'go to the list; back to typing'],
      ['Ctrl-C           q', 'quit'],
    ],
  ],
  [
    'A query',
    [
      ['two words', 'any of them; turns with all come first'],
      ['"in this order"', 'a phrase'],
      ['-word  begin*', 'without it; words that begin so'],
      ['project:x  last week', 'filters; also source: tool: path: role: is:'],
    ],
  ],
];

const READER: readonly (readonly [string, readonly Entry[]])[] = [
  [
    'Move',
    [
      ['j k  ↑ ↓', 'a line'],
      ['Space b  PgDn PgUp', 'a screen'],
      ['d u', 'half a screen'],
      ['g G', 'first, last line'],
      ['] [', 'next prompt, the one before'],
      ['e E', 'next failed call, the one before'],
      ['m', 'to the match it was opened for'],
      ['t', 'this turn alone, or the session'],
    ],
  ],
  [
    'Fold and find',
    [
      ['o  Enter', 'fold or unfold the call or thought here'],
      ['z', 'all: in a line each, in part, whole'],
      ['/  n N', 'find a text, next, the one before'],
      ['n N', 'without one: the next turn that matches'],
    ],
  ],
  [
    'Use',
    [
      ['y', 'copy: then c command, i id, t text'],
      ['s', 'star, or no longer'],
      ['r', 'resume the session in its agent'],
      ['q  Esc', 'back to the list'],
    ],
  ],
];

const KEYS = 28;

/** The keys of the picker, or of the reader. */
export function helpLines(isReader: boolean): Line[] {
  const groups = (isReader ? READER : PICKER).map(([heading, entries]): Line[] => [
    [span(`    ${heading}`, 'bold')],
    ...entries.map(([keys, does]): Line => [span(`    ${pad(keys, KEYS)}`, 'cyan'), span(does)]),
  ]);
  return groups.flatMap((group, i) => (i > 0 ? [[], ...group] : group));
}
