import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeHome } from '../support/claude-home.ts';
import { jsonl, Script, uuid } from '../support/claude-records.ts';
import { writeAt } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';
import { ROLLOUT } from '../support/rollout.ts';
import { type Work, workOf } from '../support/work.ts';

const usage = { input_tokens: 3, output_tokens: 4 };

/** Writes a session of so many turns, or calls; gives what appends to it, a reading after the other. */
type Shape = (home: ClaudeHome, size: number) => readonly (() => void)[];

function turnsOf(script: Script, turns: number): unknown[] {
  return Array.from({ length: turns }, (_, n) => [
    script.user(`Paint plank ${n}.`),
    script.answer(`Plank ${n} is painted.`, { usage }),
  ]).flat();
}

function callsOf(script: Script, calls: number): unknown[] {
  return Array.from({ length: calls }, (_, n) => [
    script.call(`toolu_${n}`, 'Read', { file_path: `/srv/pier/${n}/plank.md` }, { usage }),
    script.result(`toolu_${n}`, `plank ${n}`),
  ]).flat();
}

/** A prompt, an answer with a call, its result; then a prompt that takes all of these back, and an answer. */
function lastLines(script: Script): (readonly unknown[])[] {
  const { leaf } = script;
  const lines = [
    [script.user('And the lamp?')],
    [script.answer('It burns.', { usage }), script.call('toolu_last', 'Edit', { file_path: '/srv/pier/lamp.md' })],
    [script.result('toolu_last', 'done')],
  ];
  script.goBackTo(leaf);
  return [...lines, [script.user('Rather the bell.')], [script.answer('It rings.', { usage })]];
}

const appending = (home: ClaudeHome, lines: readonly (readonly unknown[])[], name?: string) =>
  lines.map((records) => () => void home.append(records, name));

const SHAPES: Readonly<Record<string, Shape>> = {
  'has many turns': (home, size) => {
    const script = new Script();
    home.write(turnsOf(script, size));
    return appending(home, lastLines(script));
  },
  'is one long turn': (home, size) => {
    const script = new Script();
    home.write([script.user('Look at every plank.'), ...callsOf(script, size)]);
    return appending(
      home,
      callsOf(new Script({}, 'more'), 3).map((record) => [record]),
    );
  },
  'ran in a folder that says nothing': (home, size) => {
    const script = new Script({ cwd: '/tmp' });
    home.write([...callsOf(script, size), ...turnsOf(script, 1)]);
    return appending(home, lastLines(script));
  },
  'goes on from a copy of another': (home, size) => {
    const script = new Script();
    const shared = turnsOf(script, size);
    home.write(shared);
    const name = uuid('fork');
    home.write([...shared, ...turnsOf(script, 1)], name);
    return appending(home, lastLines(script), name);
  },
  'was gone on from by another': (home, size) => {
    const script = new Script();
    const shared = turnsOf(script, size);
    const own = new Script({}, 'own');
    own.goBackTo(script.leaf);
    home.write([...shared, ...turnsOf(own, 1)]);
    home.write([...shared, ...turnsOf(script, 1)], uuid('fork'));
    return appending(home, lastLines(own));
  },
  'is one of many whose prompts alone are left': (home, size) => {
    const path = join(home.claude, 'history.jsonl');
    const prompts = Array.from({ length: size }, (_, n) => ({
      display: `Paint plank ${n}.`,
      timestamp: Date.parse('2026-11-20T10:00:00Z') + n * 1000,
      project: '/srv/pier',
      sessionId: uuid(`left ${n}`),
    }));
    writeAt(path, jsonl(prompts));
    home.touch(path);
    return [0, 1, 2].map((n) => () => {
      appendFileSync(path, jsonl([{ ...prompts[n], display: 'And the lamp?' }]));
      home.touch(path);
    });
  },
  'is of an agent that names no records': (home, size) => {
    const path = join(
      home.path,
      '.codex',
      'sessions',
      '2026',
      '11',
      '30',
      `rollout-2026-11-30T08-57-42-${ROLLOUT}.jsonl`,
    );
    let clock = Date.parse('2026-11-30T08:57:42Z');
    const record = (type: string, payload: unknown) => {
      clock += 1000;
      return { timestamp: new Date(clock).toISOString(), type, payload };
    };
    const tokens = (n: number) => {
      const total_token_usage = { input_tokens: 3 * n, output_tokens: 4 * n, total_tokens: 7 * n };
      return record('event_msg', {
        type: 'token_count',
        info: { total_token_usage, last_token_usage: total_token_usage },
      });
    };
    const turn = (n: number) => [
      record('event_msg', { type: 'user_message', message: `Paint plank ${n}.` }),
      record('event_msg', { type: 'agent_message', message: `Plank ${n} is painted.` }),
      tokens(n),
    ];
    const lines: unknown[] = [record('session_meta', { id: ROLLOUT, cwd: '/srv/pier', originator: 'codex_cli_rs' })];
    for (let n = 1; n <= size; n++) lines.push(...turn(n));
    writeAt(path, jsonl(lines));
    home.touch(path);
    return [...turn(size + 1), ...turn(size + 2)].map((one) => () => {
      lines.push(one);
      writeAt(path, jsonl(lines));
      home.touch(path);
    });
  },
};

/** What each append costs, once the session was read. */
async function worksOf(shape: Shape, size: number): Promise<readonly Work[]> {
  const home = new ClaudeHome();
  const appends = shape(home, size);
  const portolan = new Portolan(home.env());
  await portolan.index();
  const works: Work[] = [];
  for (const append of appends) {
    append();
    works.push(await workOf(() => portolan.index()));
  }
  return works;
}

const SHORT = 200;
const LONG = 2000;
/** The last chunk of a turn may hold some calls more or less, and a long list is kept in pieces. */
const SPARE = { runs: 60, rows: 120 };

describe('a line appended to a session that', () => {
  it.each(Object.entries(SHAPES))('%s costs as much as in a short one', { timeout: 60_000 }, async (_, shape) => {
    const [short, long] = [await worksOf(shape, SHORT), await worksOf(shape, LONG)];
    expect(short.length).toBeGreaterThan(2);
    for (const [i, { runs, rows, scans }] of long.entries()) {
      expect({ append: i, scans }).toEqual({ append: i, scans: [] });
      expect(runs).toBeLessThanOrEqual(short[i]!.runs + SPARE.runs);
      expect(rows).toBeLessThanOrEqual(short[i]!.rows + SPARE.rows);
    }
  });
});
