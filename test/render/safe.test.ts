import { describe, expect, test } from 'vitest';
import { renderHits } from '../../src/render/hits.ts';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { oneLine, safeText } from '../../src/render/safe.ts';
import { renderSessionHeader, renderSessionList } from '../../src/render/session.ts';
import { renderTurn } from '../../src/render/turn.ts';
import { aCall, aSession, aTurn } from './samples.ts';

const PLAIN = { color: false, width: 80 };
const COLOR = { color: true, width: 80 };
// biome-ignore lint/suspicious/noControlCharactersInRegex: what must never be printed
const RAW = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours that we print ourselves
const OURS = /\x1b\[[0-9;]+m/g;

const HOSTILE = [
  'plain \x1b[31mred\x1b[0m \x1b[2J\x1b[H cleared',
  '\x1b]0;owned\x07title \x1b]52;c;cm0gLXJm\x1b\\clip \x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\',
  'c1 \x9b31m \x90q\x9c \x85next',
  'lone \x1b and \x1b] open, \x1bP dcs',
  'over\rwritten\r\nline',
  'bidi \u202egnp.exe\u202c \u2066x\u2069 \u200f',
  'nul \x00 bell \x07 back \x08 del \x7f sep \u2028 end',
  'half \ud800 pair \udc00',
  '\x1b\x1b[[31m 1mnested',
].join('\n');

describe('text from a history', () => {
  test('loses its colours, titles, clipboard writes and links, and keeps its words', () => {
    expect(safeText('\x1b[1;31mFAIL\x1b[0m test')).toBe('FAIL test');
    expect(safeText('\x1b]0;owned\x07title')).toBe('title');
    expect(safeText('\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\')).toBe('link');
    expect(safeText('b\x08bold _\x08u x\x08y')).toBe('bold u x\u2408y');
  });

  test('shows controls and changes of direction instead of obeying them', () => {
    expect(safeText('a\x00b\x07c\x1bd\x7f')).toBe('a\u2400b\u2407c\u241bd\u2421');
    expect(safeText('\x9b31m')).toBe('<U+009B>31m');
    expect(safeText('\u202egnp.exe')).toBe('<U+202E>gnp.exe');
    expect(safeText('a\u200bb\ufeffc\ud800')).toBe('abc\ufffd');
  });

  test('keeps newlines, turns carriage returns into them and expands tabs to columns', () => {
    expect(safeText('10%\r20%\r\r\n30%\n')).toBe('10%\n20%\n30%\n');
    expect(safeText('1\tx\n12\ty\n日\tz')).toBe('1   x\n12  y\n日  z');
    expect(oneLine(' a\n\tb \x1b[31mc ')).toBe('a b c');
  });

  test('keeps joined emoji, accents and right-to-left words', () => {
    expect(safeText('👩‍👩‍👧 Café é שלום 🇩🇪')).toBe('👩‍👩‍👧 Café é שלום 🇩🇪');
  });

  const everywhere: Record<string, (style: typeof PLAIN) => string> = {
    markdown: (style) =>
      renderMarkdown(
        `# ${HOSTILE}\n- ${HOSTILE}\n| ${HOSTILE.replaceAll('\n', ' ')} | b |\n|---|---|\n\`\`\`${HOSTILE.replaceAll('\n', ' ')}\n${HOSTILE}`,
        style,
      ),
    turn: (style) =>
      renderTurn(
        aTurn(
          [
            { type: 'text', role: 'user', text: HOSTILE },
            { type: 'text', role: 'assistant', text: HOSTILE },
            { type: 'thinking', text: HOSTILE },
            aCall({ name: HOSTILE, kind: 'shell', command: HOSTILE, output: HOSTILE, child: HOSTILE }),
            aCall({
              name: 'Edit',
              kind: 'edit',
              input: { file_path: HOSTILE, old_string: HOSTILE, new_string: `${HOSTILE}x` },
            }),
            aCall({ name: 'Read', kind: 'read', paths: [HOSTILE], output: HOSTILE }),
            aCall({ name: 'x', kind: 'other', input: { [HOSTILE]: HOSTILE, list: [HOSTILE], deep: { a: HOSTILE } } }),
            aCall({ name: 'TodoWrite', kind: 'plan', input: { todos: [{ content: HOSTILE, status: HOSTILE }] } }),
            { type: 'notice', kind: 'system', text: HOSTILE },
            { type: 'attachment', kind: HOSTILE, name: HOSTILE, mime: HOSTILE },
          ],
          { replayOf: HOSTILE },
        ),
        style,
        { outputs: 'full', thinking: 'full' },
      ),
    session: (style) =>
      renderSessionHeader(
        aSession({
          title: HOSTILE,
          cwd: HOSTILE,
          branch: HOSTILE,
          models: [HOSTILE],
          children: [HOSTILE],
          id: HOSTILE,
          pullRequests: [{ url: HOSTILE }],
        }),
        style,
      ),
    list: (style) =>
      renderSessionList([aSession({ title: HOSTILE, project: HOSTILE, id: HOSTILE, branch: HOSTILE })], style, 0),
    'wide list': (style) =>
      renderSessionList([aSession({ title: HOSTILE, project: HOSTILE, id: HOSTILE })], { ...style, width: 200 }, 0),
    hits: (style) =>
      renderHits(
        {
          hits: [
            {
              id: HOSTILE,
              session: 's',
              label: HOSTILE,
              title: HOSTILE,
              project: HOSTILE,
              turn: 1,
              shortId: HOSTILE,
              inside: HOSTILE,
              snippet: HOSTILE,
              highlights: [
                [0, 8],
                [7, 30],
                [40, 4000],
                [9, 2],
              ],
            },
          ],
          total: { turns: 1, relation: 'eq' },
          tookMs: 1,
          query: HOSTILE,
          sources: { [HOSTILE]: { state: HOSTILE, reason: HOSTILE } },
          warnings: [HOSTILE],
        },
        style,
        0,
      ),
  };
  for (const [name, render] of Object.entries(everywhere)) {
    test(`reaches the terminal tame through: ${name}`, () => {
      expect(render(PLAIN)).not.toMatch(RAW);
      expect(render(COLOR).replace(OURS, '')).not.toMatch(RAW);
    });
  }
});
