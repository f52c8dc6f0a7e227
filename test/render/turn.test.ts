import { describe, expect, test } from 'vitest';
import { renderTurn, type TurnOptions } from '../../src/render/turn.ts';
import type { Turn } from '../../src/transcript/turn.ts';
import { aCall, aTurn } from './samples.ts';

const STYLE = { color: false, width: 80 };
const FOLDED: TurnOptions = { outputs: 'folded', thinking: 'folded' };
const FULL: TurnOptions = { outputs: 'full', thinking: 'full' };
const body = (turn: Turn, options = FOLDED) => renderTurn(turn, STYLE, options).split('\n').slice(2).join('\n');

describe('renderTurn', () => {
  test('a turn reads from its prompt to its answer', () => {
    const at = new Date(2026, 10, 30, 8, 51).getTime();
    const turn = aTurn(
      [
        { type: 'text', role: 'user', text: 'Our service grows by forty megabytes an hour. Chase the leak, please.' },
        { type: 'thinking', text: 'The graph first.' },
        aCall({
          name: 'Bash',
          kind: 'shell',
          command: 'node scripts/leak.js',
          output: 'Exit code 1\nlisteners left: 500',
          isError: true,
          exitCode: 1,
        }),
        aCall({
          name: 'Agent',
          kind: 'agent',
          input: { description: 'Find bus subscriptions', prompt: 'List…' },
          child: 'claude-code:agent-a2f02bb53ea843eba',
        }),
        aCall({ name: 'Read', kind: 'read', input: {}, paths: ['/home/dev/tide-cache/src/cache.js'] }),
        aCall({ name: 'mcp__harbour__tide_table', kind: 'mcp', input: { berth: 7, port: 'Quay' } }),
        { type: 'text', role: 'assistant', text: 'The leak is **fixed**.' },
      ],
      { startedAt: at, endedAt: at + 14_000, rewound: true, replayOf: 'claude-code:2b4b2619' },
    );
    expect(renderTurn(turn, STYLE, { ...FOLDED, now: at + 3 * 3600_000, cwd: '/home/dev/tide-cache' })).toBe(
      [
        '#3  30 Nov 2026 08:51 · 3 h ago · 14 s · rewound · replay of',
        `claude-code:2b4b2619 ${'─'.repeat(59)}`,
        '',
        '▌ Our service grows by forty megabytes an hour. Chase the leak, please.',
        '',
        '  thinking  The graph first.',
        '',
        '● Bash  node scripts/leak.js  ✗ exit 1',
        '  │ Exit code 1',
        '  │ listeners left: 500',
        '',
        '● Agent  Find bus subscriptions',
        '  → sub-agent claude-code:agent-a2f02bb53ea843eba',
        '',
        '● Read  src/cache.js',
        '● harbour · tide_table  berth: 7  port: Quay',
        '',
        '  The leak is fixed.',
      ].join('\n'),
    );
  });

  test('an output is folded to its first six and last two lines, and whole when asked', () => {
    const output = Array.from({ length: 220 }, (_, i) => `line ${i + 1}`).join('\n');
    const turn = aTurn([aCall({ kind: 'shell', command: 'npm test', output })]);
    expect(body(turn).split('\n').slice(5)).toEqual([
      '  │ line 5',
      '  │ line 6',
      '  │ … 212 lines more (--full)',
      '  │ line 219',
      '  │ line 220',
    ]);
    expect(body(turn, FULL).split('\n')).toHaveLength(221);
    expect(body(turn, FULL)).not.toContain('--full');
  });

  test('thinking is folded, whole or hidden', () => {
    const turn = aTurn([{ type: 'thinking', text: 'one\ntwo\nthree\nfour\nfive' }]);
    expect(body(turn)).toContain('… 2 lines more (--full)');
    expect(body(turn, FULL)).toContain('five');
    expect(renderTurn(turn, STYLE, { ...FOLDED, thinking: 'hidden' })).not.toContain('one');
  });

  test('an edit shows its counts and its diff instead of its output', () => {
    const edit = aCall({
      name: 'Edit',
      kind: 'edit',
      input: { file_path: 'src/index.js', old_string: "'./speisekarte.js'", new_string: "'./menu.js'" },
      output: 'The file has been updated',
    });
    expect(body(aTurn([edit]))).toBe("● Edit  src/index.js  +1 −1\n    - './speisekarte.js'\n    + './menu.js'");
    expect(body(aTurn([{ ...edit, isError: true }]))).toContain('✗ failed');
    expect(body(aTurn([{ ...edit, isError: true }]))).toContain('│ The file has been updated');
  });

  test('notices, attachments, tasks and cuts', () => {
    const turn = aTurn([
      { type: 'notice', kind: 'compaction', text: 'a\nb\nc\nd\ne\nf' },
      { type: 'notice', kind: 'interruption', text: '' },
      { type: 'attachment', kind: 'image', mime: 'image/png', bytes: 12_345, name: 'graph.png' },
      aCall({
        name: 'TodoWrite',
        kind: 'plan',
        input: {
          todos: [
            { content: 'Write migration 0002', status: 'completed' },
            { content: 'Test it', status: 'pending' },
          ],
        },
      }),
      { type: 'text', role: 'assistant', text: 'x', cut: { kept: 1, length: 1234 } },
    ]);
    expect(body(turn)).toBe(
      [
        '  compacted  a',
        '             b',
        '             c',
        '             … 3 lines more (--full)',
        '',
        '  interrupted',
        '',
        '  [image image/png 12 kB graph.png]',
        '',
        '● TodoWrite',
        '  ☑ Write migration 0002',
        '  ☐ Test it',
        '',
        '  x',
        '  cut: 1 of 1,234 characters were kept',
      ].join('\n'),
    );
  });

  test('a prompt that has no part of its own is shown from the turn', () => {
    expect(body(aTurn([], { prompt: 'Only this' }))).toBe('▌ Only this');
  });

  test('nothing is lost of a full output wider than the terminal', () => {
    const output = 'x'.repeat(300);
    const shown = renderTurn(aTurn([aCall({ kind: 'shell', command: 'c', output })]), STYLE, FULL);
    expect(shown.match(/x/g)).toHaveLength(300);
  });

  test('any arguments are shown somehow', () => {
    for (const input of [
      null,
      undefined,
      3,
      'text',
      [1, { a: 1 }],
      { a: null, b: undefined, c: [1, 2], d: { e: 'f' }, g: true },
    ]) {
      expect(renderTurn(aTurn([aCall({ name: 'odd', input })]), STYLE, FOLDED)).toContain('● odd');
    }
  });
});
