import { describe, expect, test } from 'vitest';
import { type RenderableHit, renderHits } from '../../src/render/hits.ts';
import { progressBar } from '../../src/render/progress.ts';
import { renderSessionHeader, renderSessionList } from '../../src/render/session.ts';
import { displayWidth } from '../../src/render/width.ts';
import { aSession } from './samples.ts';

const STYLE = { color: false, width: 80 };
const NOW = new Date(2026, 10, 30, 12, 0).getTime();

const decision = aSession({
  title: 'SQLite instead of LevelDB',
  project: 'ledger-store',
  branch: 'main',
  startedAt: NOW - 3 * 3600_000 - 190_000,
  endedAt: NOW - 3 * 3600_000,
  activeAt: NOW - 3 * 3600_000,
});
const readme = aSession({
  id: 'codex:019e2f64-93f1-7d02-8a4e-7be1d0a5c1de',
  source: 'codex',
  title: 'Пожалуйста, добавь в README раздел на трёх языках: русский, 中文 и 日本語',
  project: 'Café Menü 2.0',
  activeAt: NOW - 10_000,
  gone: true,
});

describe('renderSessionHeader', () => {
  test('tells what is known and leaves out what is not', () => {
    const header = renderSessionHeader(
      {
        ...decision,
        cwd: '/home/dev/ledger-store',
        client: { version: '2.1.332', surface: 'cli' },
        parent: { id: 'claude-code:x', relation: 'fork', at: 'claude-code:x#2' },
        tokens: {
          input: 1234,
          cacheRead: 1_250_000,
          cacheWrite5m: 45_000,
          cacheWrite1h: 0,
          output: 23_400,
          reasoning: 8100,
        },
      },
      STYLE,
      { label: 'Claude Code', now: NOW, home: '/home/dev' },
    );
    expect(header).toBe(
      [
        'SQLite instead of LevelDB',
        'claude-code:957f326d-e59f-4b0e-9269-ba5a3a444e23',
        '',
        'agent     Claude Code 2.1.332 · cli',
        'project   ledger-store · ~/ledger-store · quay-two',
        'branch    main',
        'time      30 Nov 2026 08:56 – 09:00 · 3 min 10 s · 3 h ago',
        'size      3 turns · 14 messages · 11 tool calls · 1 error',
        'tokens    1.2k in · 1.3M cache read · 45k cache written · 23.4k out (8.1k',
        '          thought)',
        'parent    fork of claude-code:x, at claude-code:x#2',
        '─'.repeat(80),
      ].join('\n'),
    );
  });
});

describe('renderSessionList', () => {
  test('two aligned lines a session at 80 columns', () => {
    expect(
      renderSessionList([readme, decision], STYLE, NOW, {
        labelOf: (id) => (id === 'codex' ? 'Codex' : 'Claude Code'),
      }),
    ).toBe(
      [
        'just now  Café Menü 2.0  Пожалуйста, добавь в README раздел на т…  gone  3 turns',
        '          Codex · codex:019e2f64-93f1-7d02-8a4e-7be1d0a5c1de',
        '3 h ago   ledger-store   SQLite instead of LevelDB                       3 turns',
        '          Claude Code · claude-code:957f326d-e59f-4b0e-9269-ba5a3a444e23 · main',
      ].join('\n'),
    );
  });

  test('one line a session at 200 columns, and never wider than the terminal', () => {
    expect(renderSessionList([readme, decision], { ...STYLE, width: 200 }, NOW).split('\n')).toHaveLength(2);
    for (const width of [80, 100, 150, 200]) {
      for (const line of renderSessionList([readme, decision], { ...STYLE, width }, NOW).split('\n'))
        expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }
    expect(renderSessionList([], STYLE, NOW)).toBe('');
  });
});

describe('renderHits', () => {
  const snippet = 'I decided for SQLite instead of LevelDB';
  const hit: RenderableHit = {
    id: `${decision.id}#1`,
    session: decision.id,
    label: 'Claude Code',
    title: 'SQLite instead of LevelDB',
    project: 'ledger-store',
    timestamp: NOW - 3 * 3600_000,
    turn: 1,
    shortId: '957f326d#1',
    snippet,
    highlights: [[14, 20]],
    moreTurns: 2,
  };
  const result = {
    hits: [hit, { ...hit, id: `${decision.id}#2`, turn: 2, moreTurns: 0 }],
    total: { turns: 12, relation: 'eq' as const },
    tookMs: 3.24,
    index: { sessions: 991, turns: 20_411 },
    sources: {
      'claude-code': { state: 'searched' },
      devin: { state: 'unavailable', reason: 'no token: set DEVIN_API_KEY' },
    },
  };

  test('groups hits by session and says what was searched', () => {
    expect(renderHits(result, STYLE, NOW)).toBe(
      [
        '1  SQLite instead of LevelDB                                             3 h ago',
        '   ledger-store · Claude Code · 957f326d#1 · 2 more turns',
        '   I decided for SQLite instead of LevelDB',
        '   #2  I decided for SQLite instead of LevelDB',
        '',
        '12 turns, shown from 1 session · 3.2 ms · 20,411 turns of 991 sessions searched',
        'devin unavailable: no token: set DEVIN_API_KEY',
      ].join('\n'),
    );
  });

  test('marks the matches with colour', () => {
    expect(renderHits(result, { color: true, width: 80 }, NOW)).toContain('for \x1b[1;33mSQLite\x1b[22;39m instead');
  });

  test('says what it looked for in place of misspelt words, and what it left out', () => {
    const text = renderHits(
      {
        ...result,
        corrections: [
          { from: 'leveldbb', to: 'leveldb' },
          { from: 'decdied', to: 'decided' },
        ],
        filters: ['source codex', 'since 30 Nov 2026 00:00'],
      },
      STYLE,
      NOW,
    );
    expect(text.split('\n')[0]).toBe('Also searched for leveldb, decided; not found anywhere: leveldbb, decdied');
    expect(text).toContain('\nonly source codex · since 30 Nov 2026 00:00\n');
  });

  test('says so where nothing was found', () => {
    const none = { hits: [], total: { turns: 0, relation: 'eq' as const }, tookMs: 1, query: 'kraken' };
    expect(renderHits(none, STYLE, NOW)).toBe('Nothing found for kraken\n1 ms');
  });
});

describe('progressBar', () => {
  const run = (isTTY: boolean) => {
    const written: string[] = [];
    let clock = 0;
    const bar = progressBar(
      { isTTY, columns: 80, write: (text: string) => written.push(text) },
      { now: () => clock, style: { color: false, width: 80 } },
    );
    const at = (ms: number, done: number) => {
      clock = ms;
      bar.update({ done, total: 900, bytes: done * 1_000_000, sessions: done, turns: done * 20 });
    };
    return { written, bar, at };
  };

  test('redraws one line at most ten times a second, with rate and time left', () => {
    const { written, bar, at } = run(true);
    for (let i = 0; i <= 300; i++) at(i * 10, i);
    expect(written).toHaveLength(31);
    expect(written.at(-1)).toBe(
      `\r${'━'.repeat(6)}${'─'.repeat(13)}  33%  300/900 files  300 sessions  6,000 turns  100 MB/s…\x1b[K`,
    );
    bar.end();
    bar.end();
    expect(written.at(-1)).toBe('\n');
    expect(written.join('')).not.toContain('\x1b[?25l');
    for (const text of written) expect(displayWidth(text.replace('\r', '').replace('\x1b[K', ''))).toBeLessThan(80);
  });

  test('without a terminal prints a plain line every few seconds', () => {
    const { written, bar, at } = run(false);
    for (let i = 0; i <= 60; i++) at(i * 200, i * 10);
    bar.end();
    expect(written).toEqual([
      '250/900 files, 250 sessions, 5,000 turns, 50 MB/s, 13 s left\n',
      '500/900 files, 500 sessions, 10,000 turns, 50 MB/s, 8 s left\n',
    ]);
  });
});
