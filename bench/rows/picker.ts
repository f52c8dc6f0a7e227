import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noTerminal, OnTerminal } from '../../test/support/pty.ts';
import type { Group } from '../group.ts';
import { formatCount, formatMegabytes, formatMs, median, percentile } from '../measure.ts';
import { ownMemoryOf, residentOf } from '../programs.ts';
import set from '../queries.json' with { type: 'json' };
import { limited, type Row, told } from '../table.ts';
import type { History, Workshop } from '../workshop.ts';

const LIMIT_MS = 50;
/** Between two keys of someone who types fast. */
const KEY_MS = 80;
const PAUSE_MS = 200;
const SIZE = { columns: 120, rows: 40 };
const LETTERS = 'abcdefghijklmnoprstuw';
const LONG_TURNS = 10_000;
const LONG_TURN_LINES = 3;

/** Starts that are compared, by turns. */
const STARTS = 7;
const DRAWN = "process.stdout.write('\\x1b[1;1Hx\\x1b[?2026l')";

const FOUND = /^── (?:at least )?[1-9][\d,]* (?:title|turn)/;
const RANKED = /^── (?:at least )?[\d,]+ turns? · [\d.]+ m?s/;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The picker on a terminal of its own, waiting for keys. */
async function opened(workshop: Workshop, history: History): Promise<{ picker: OnTerminal; ms: number }> {
  const begin = performance.now();
  const options = { ...SIZE, env: { ...history.variables, LANG: 'C.UTF-8' }, cwd: workshop.cwd };
  const picker = new OnTerminal([process.execPath, workshop.cli], options);
  await picker.until(({ rows }) => /session/.test(rows[1]!));
  const ms = performance.now() - begin;
  // The thread that searches starts behind the first frame.
  await pause(2 * PAUSE_MS);
  return { picker, ms };
}

/** The same of a Node that does nothing but draw a sign. */
async function bareStart(workshop: Workshop): Promise<number> {
  const begin = performance.now();
  const options = { ...SIZE, env: { PATH: process.env.PATH }, cwd: workshop.cwd };
  const node = new OnTerminal([process.execPath, '-e', DRAWN], options);
  await node.until(({ frames }) => frames > 0);
  const ms = performance.now() - begin;
  await node.ended;
  return ms;
}

async function cleared(picker: OnTerminal): Promise<void> {
  picker.press('\x15');
  await picker.until(({ rows }) => /^── [\d,]+ sessions/.test(rows[1]!));
  await pause(PAUSE_MS);
}

/** Milliseconds from the first key on a line to a frame with something found for it. */
async function firstResult(picker: OnTerminal, letter: string): Promise<number> {
  picker.press(letter);
  const ms = await picker.until(({ rows }) => rows[0]!.includes(`› ${letter}`) && FOUND.test(rows[1]!));
  await cleared(picker);
  return ms;
}

/** Milliseconds from the last key of a query, typed fast, to its ranked turns. */
async function lastResult(picker: OnTerminal, text: string): Promise<number> {
  for (const letter of text.slice(0, -1)) {
    picker.press(letter);
    await pause(KEY_MS);
  }
  picker.press(text.at(-1)!);
  const ms = await picker.until(({ rows }) => rows[0]!.trimEnd().endsWith(text) && RANKED.test(rows[1]!));
  await cleared(picker);
  return ms;
}

/** A session of ten thousand turns, indexed. */
async function longSession(workshop: Workshop): Promise<History> {
  const home = workshop.folder('long-home');
  const folder = join(home, '.claude', 'projects', '-home-dev-projects-long');
  mkdirSync(folder, { recursive: true });
  const sessionId = '5f0c2f0e-7c1b-4c57-9d5e-0a4f6d1b2c3d';
  const lines: string[] = [];
  for (let turn = 0; turn < LONG_TURNS; turn++) {
    const id = (n: number) => `00000000-0000-4000-8000-${String(turn * 2 + n).padStart(12, '0')}`;
    const said = Array.from({ length: LONG_TURN_LINES }, (_, i) => `Line ${i} of answer ${turn}.`).join('\n\n');
    const common = { sessionId, cwd: '/home/dev/projects/long', version: '2.1.332' };
    const at = (n: number) => new Date(Date.parse('2026-11-21T10:00:00Z') + (turn * 2 + n) * 1000).toISOString();
    lines.push(
      JSON.stringify({
        ...common,
        type: 'user',
        uuid: id(0),
        parentUuid: turn > 0 ? id(-1) : null,
        timestamp: at(0),
        message: { role: 'user', content: `Ask number ${turn}` },
      }),
      JSON.stringify({
        ...common,
        type: 'assistant',
        uuid: id(1),
        parentUuid: id(0),
        timestamp: at(1),
        message: {
          id: `m${turn}`,
          role: 'assistant',
          model: 'claude-opus-5-5',
          content: [{ type: 'text', text: said }],
        },
      }),
    );
  }
  writeFileSync(join(folder, `${sessionId}.jsonl`), `${lines.join('\n')}\n`);
  const history = workshop.history(home);
  await workshop.index(history);
  return history;
}

async function longRow(workshop: Workshop): Promise<Row> {
  const { picker } = await opened(workshop, await longSession(workshop));
  picker.press('\r');
  const ms = await picker.until(({ text }) => new RegExp(`turn ${formatCount(LONG_TURNS)} of`).test(text));
  picker.press('g');
  const top = await picker.until(({ text }) => text.includes('turn 1 of'));
  const memory = residentOf(picker.pid);
  picker.press('\x03');
  await picker.ended;
  return told({
    what: 'a long session opened',
    measured: `${formatMs(ms)}; to its other end ${formatMs(top)}`,
    on: `${formatCount(LONG_TURNS)} turns, from the key to the frame; then ${formatMegabytes(memory)} resident`,
    figures: { ms, top, memory },
  });
}

export const pickerGroup: Group = {
  id: 'picker',
  async measure(workshop): Promise<Row[]> {
    const reason = noTerminal();
    if (reason !== undefined) {
      workshop.say(`the picker is not measured: ${reason}`);
      return [];
    }
    const history = await workshop.large();
    const stores = workshop.open(history);
    const passages = formatCount(stores.catalog.count('passages'));
    stores.close();
    workshop.say('the picker');
    const [starts, bare]: [number[], number[]] = [[], []];
    for (let i = 0; i < STARTS; i++) {
      bare.push(await bareStart(workshop));
      const { picker, ms } = await opened(workshop, history);
      starts.push(ms);
      picker.press('\x03');
      await picker.ended;
    }
    const { picker } = await opened(workshop, history);
    const first: number[] = [];
    for (const letter of LETTERS) first.push(await firstResult(picker, letter));
    const last: number[] = [];
    const typed = [...set.kinds.rare, ...set.kinds.ordinary, ...set.kinds.common].filter((_, i) => i % 3 === 0);
    for (const text of typed) last.push(await lastResult(picker, text));
    const memory = residentOf(picker.pid);
    const own = ownMemoryOf(picker.pid);
    picker.press('\x03');
    await picker.ended;
    const [start, node] = [median(starts), median(bare)];
    const p95 = percentile(first, 0.95);
    return [
      limited(
        {
          what: 'picker: first key to first result',
          goal: '50 ms at 100,000 passages',
          measured: `${formatMs(median(first))}; 95th ${formatMs(p95)}; worst ${formatMs(Math.max(...first))}`,
          on: `${passages} passages, ${first.length} letters, from the key on the terminal to the frame: titles`,
          figures: { median: median(first), p95, worst: Math.max(...first) },
        },
        p95,
        LIMIT_MS,
      ),
      told({
        what: '– last key to ranked turns',
        measured: `${formatMs(median(last))}; 95th ${formatMs(percentile(last, 0.95))}`,
        on: `${last.length} queries of bench/queries.json, a key every ${KEY_MS} ms; the last word as a beginning`,
        figures: { median: median(last), p95: percentile(last, 0.95) },
      }),
      told({
        what: '– opened',
        measured: `+ ${formatMs(start - node)}: ${formatMs(start)} to ${formatMs(node)}`,
        on: `from nothing to the first frame, beside a Node that draws one sign; median of ${STARTS}, by turns`,
        figures: { ms: start, node, difference: start - node },
      }),
      told({
        what: '– memory',
        measured: `${formatMegabytes(own)} (${formatMegabytes(memory)} with the mapped files)`,
        on: 'after all of these',
        figures: { own, resident: memory },
      }),
      await longRow(workshop),
    ];
  },
};
