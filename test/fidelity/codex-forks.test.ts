import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { surveyCodex } from '../oracle/codex.ts';
import { rolloutName } from '../oracle/codex-homes.ts';
import { openProduct, type Product } from '../oracle/product.ts';
import { ORDERS } from '../support/orders.ts';

/**
 * Rollouts that go on from one another. Older ones copy their parent's records, with the times of the copying; today's
 * point into their parent. Whatever the order in which they are read, and whichever of them is deleted, the totals are the
 * same, and every turn is shown once, in the session that it was first said in.
 */

type Name = 'A' | 'B' | 'C';
const NAMES: readonly Name[] = ['A', 'B', 'C'];
const START = Date.parse('2026-11-20T10:00:00Z');
const CWD = '/home/dev/projects/lighthouse';

const uuid = (name: string) => {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
const idOf = (name: Name) => uuid(`rollout ${name}`);
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
const fileOf = (home: string, name: Name) => join(home, rolloutName(idOf(name)));

interface Line {
  readonly timestamp: string;
  readonly type: string;
  readonly payload: Record<string, unknown>;
  readonly ordinal?: number;
}

/** A prompt with its answer, and what that cost. */
interface Round {
  readonly id: string;
  readonly minute: number;
  readonly prompt: string;
  readonly answer: string;
  readonly output: number;
  readonly model?: string;
}

const round = (id: string, minute: number, prompt: string, answer: string, output: number, model?: string): Round => ({
  id,
  minute,
  prompt,
  answer,
  output,
  ...(model === undefined ? {} : { model }),
});

interface Usage {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_output_tokens: number;
  readonly total_tokens: number;
}

const usageOf = ({ output }: Round): Usage => ({
  input_tokens: 1000 + output,
  cached_input_tokens: 900,
  output_tokens: output,
  reasoning_output_tokens: 3,
  total_tokens: 1000 + 2 * output,
});

const NONE: Usage = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
  total_tokens: 0,
};

const sum = (usages: readonly Usage[]): Usage => {
  const total = { ...NONE };
  for (const usage of usages)
    for (const name of Object.keys(NONE) as (keyof Usage)[]) (total[name] as number) += usage[name];
  return total;
};

/** The turns of a rollout, the totals going on from what was before; told by events, or by completed items. */
function linesOf(rounds: readonly Round[], before: readonly Round[], style: Style = 'events'): Line[] {
  return rounds.flatMap((each, index) => {
    const { id, minute, prompt, answer, model = 'gpt-5.4' } = each;
    const turn_id = uuid(`turn ${id}`);
    const timestamp = at(minute);
    const usage = usageOf(each);
    const total = sum([...before, ...rounds.slice(0, index + 1)].map(usageOf));
    const event = (payload: Record<string, unknown>): Line => ({ timestamp, type: 'event_msg', payload });
    const item = (role: string, type: string, text: string): Line => ({
      timestamp,
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type, text }] },
    });
    const completed = (type: string, text: string) =>
      event({
        type: 'item_completed',
        turn_id,
        item: { type, id: uuid(`${type} ${id}`), content: [{ type: type === 'UserMessage' ? 'text' : 'Text', text }] },
      });
    const info = { total_token_usage: total, last_token_usage: usage, model_context_window: 258_400 };
    const record = { turn_id, response_id: `resp_${id}`, usage, turn_token_usage: usage, thread_token_usage: total };
    const isToday = style !== 'events';
    return [
      event({ type: 'task_started', turn_id, model_context_window: 258_400 }),
      {
        timestamp,
        type: 'turn_context',
        payload: { turn_id, cwd: CWD, model, approval_policy: 'never', summary: 'auto' },
      },
      item('user', 'input_text', prompt),
      isToday ? completed('UserMessage', prompt) : event({ type: 'user_message', message: prompt, images: [] }),
      isToday ? completed('AgentMessage', answer) : event({ type: 'agent_message', message: answer }),
      item('assistant', 'output_text', answer),
      ...(style === 'items with records' ? [{ timestamp, type: 'token_usage_record', payload: record }] : []),
      event({ type: 'token_count', info, rate_limits: null }),
      event({ type: 'task_complete', turn_id, last_agent_message: answer }),
    ];
  });
}

type Style = 'events' | 'items' | 'items with records';

const metaOf = (name: Name, minute: number, more: Record<string, unknown> = {}): Line => ({
  timestamp: at(minute),
  type: 'session_meta',
  payload: {
    id: idOf(name),
    timestamp: at(minute),
    cwd: CWD,
    originator: 'codex-tui',
    cli_version: '0.119.0',
    source: 'cli',
    model_provider: 'openai',
    ...more,
  },
});

const CONTEXT: Line = {
  timestamp: at(0),
  type: 'response_item',
  payload: {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: `<environment_context>\n  <cwd>${CWD}</cwd>\n</environment_context>` }],
  },
};

const restamp = (lines: readonly Line[], minute: number) => lines.map((line) => ({ ...line, timestamp: at(minute) }));

const write = (home: string, name: Name, lines: readonly Line[]): void => {
  const file = fileOf(home, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

const COMMON = [
  round('r1', 0, 'Why does the lantern flicker at noon?', 'The dimmer follows the clock, not the sun.', 11),
  round('r2', 2, 'Let it follow the sun.', 'It now reads the light sensor.', 13, 'gpt-5.4-mini'),
  round('r3', 4, 'And on cloudy days?', 'Then it keeps the last good reading.', 17),
];
const OF_B = [round('b1', 20, 'Try the other road: a fixed table.', 'A table of twelve months will do.', 19)];
const OF_C = [round('c1', 40, 'Make the table finer.', 'It has fifty-two weeks now.', 23)];
const later = (minute: number) => [round('a1', minute, 'Write the test for clouds.', 'Two tests, both pass.', 29)];

interface Variant {
  readonly rounds: Readonly<Record<Name, readonly Round[]>>;
  /** The lines of each rollout, with those that it copied. */
  readonly lines: Readonly<Record<Name, readonly Line[]>>;
  readonly own: Readonly<Record<Name, readonly Round[]>>;
  /** Whose the common turns are is not told here, only that they are one's. */
  readonly isOpen?: true;
}

/** A's rollout, B's that copied it behind the common rounds, and C's that copied B's, or A's too. */
function variant(ofA: readonly Round[], parentOfC: 'A' | 'B'): Variant {
  const begin = [metaOf('A', 0), CONTEXT, ...linesOf(COMMON, [])];
  const a = [...begin, ...linesOf(ofA, COMMON)];
  const b = [metaOf('B', 19, { forked_from_id: idOf('A') }), ...restamp(begin, 19), ...linesOf(OF_B, COMMON)];
  const fromB = parentOfC === 'B';
  const c = [
    metaOf('C', 39, { forked_from_id: idOf(parentOfC) }),
    ...restamp(fromB ? b : begin, 39),
    ...linesOf(OF_C, fromB ? [...COMMON, ...OF_B] : COMMON),
  ];
  return {
    rounds: { A: [...COMMON, ...ofA], B: [...COMMON, ...OF_B], C: [...COMMON, ...(fromB ? OF_B : []), ...OF_C] },
    lines: { A: a, B: b, C: c },
    own: { A: [...COMMON, ...ofA], B: OF_B, C: OF_C },
  };
}

const VARIANTS: Readonly<Record<string, Variant>> = {
  'the first ends where the second leaves it': variant([], 'B'),
  'the first goes on before the second begins': variant(later(10), 'B'),
  'the first goes on after the second began': { ...variant(later(60), 'B'), isOpen: true },
  'two forks of one session, and it goes on': variant(later(10), 'A'),
};

type Totals = Record<string, { input: number; cache_read: number; output: number; reasoning: number }>;

/** What some rounds cost, each counted once. */
function totalsOf(rounds: readonly Round[]): Totals {
  const totals: Totals = {};
  for (const each of new Map(rounds.map((one) => [one.id, one])).values()) {
    const usage = usageOf(each);
    const model = each.model ?? 'gpt-5.4';
    const before = totals[model] ?? { input: 0, cache_read: 0, output: 0, reasoning: 0 };
    totals[model] = {
      input: before.input + usage.input_tokens - usage.cached_input_tokens,
      cache_read: before.cache_read + usage.cached_input_tokens,
      output: before.output + usage.output_tokens,
      reasoning: before.reasoning + usage.reasoning_output_tokens,
    };
  }
  return totals;
}

async function totalsShown(product: Product): Promise<Totals> {
  const totals: Totals = {};
  for (const session of await product.sessions()) {
    for (const [model, { input, cache_read, output, reasoning }] of Object.entries(session.tokens_by_model)) {
      const before = totals[model] ?? { input: 0, cache_read: 0, output: 0, reasoning: 0 };
      if (input + cache_read + output === 0) continue;
      totals[model] = {
        input: before.input + input,
        cache_read: before.cache_read + cache_read,
        output: before.output + output,
        reasoning: before.reasoning + reasoning,
      };
    }
  }
  return totals;
}

const saidIn = (rounds: readonly Round[]) => rounds.map(({ prompt, answer }) => `${prompt} | ${answer}`);

/** The turns that a session shows, each by its text: what was asked and what was answered. */
async function turnsShown(product: Product, name: Name, withParent = false): Promise<string[]> {
  const { turns } = await product.show(`codex:${idOf(name)}`, withParent);
  return turns
    .map((turn) => turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' | '))
    .filter((text) => text !== '');
}

for (const [what, { rounds, lines, own, isOpen }] of Object.entries(VARIANTS)) {
  describe(`three rollouts that begin alike: ${what}`, () => {
    const everything = Object.values(rounds).flat();
    const expectTurns = async (product: Product, when: string) => {
      const shown = Object.fromEntries(
        await Promise.all(NAMES.map(async (name) => [name, await turnsShown(product, name)])),
      );
      if (isOpen) expect(Object.values(shown).flat().sort(), when).toEqual(saidIn(Object.values(own).flat()).sort());
      else expect(shown, when).toEqual(Object.fromEntries(NAMES.map((name) => [name, saidIn(own[name])])));
    };

    it('are seen so by the witness', () => {
      const product = openProduct();
      for (const name of NAMES) write(product.home, name, lines[name]);
      const survey = surveyCodex(product.home);
      product.remove();
      expect(survey.prompts).toBe(Object.values(own).flat().length);
      const outputs = (totals: Iterable<{ output: number }>) =>
        [...totals].reduce((all, { output }) => all + output, 0);
      expect(outputs(Object.values(survey.tokens))).toBe(outputs(Object.values(totalsOf(everything))));
    });

    it.each(ORDERS)(
      'read in the order %s %s %s, then deleted in it',
      async (...order) => {
        const product = openProduct();
        try {
          const read: Round[] = [];
          for (const name of order) {
            write(product.home, name, lines[name]);
            read.push(...rounds[name]);
            await product.index();
            expect(await totalsShown(product), `after ${name} was read`).toEqual(totalsOf(read));
          }
          await expectTurns(product, 'after all were read');
          const sessions = await product.sessions();
          const parentOf = (name: Name) => sessions.find((each) => each.native_id === idOf(name))?.parent;
          expect([parentOf('A'), parentOf('B')?.relation, parentOf('B')?.id]).toEqual([
            undefined,
            'fork',
            `codex:${idOf('A')}`,
          ]);
          for (const name of order) {
            rmSync(fileOf(product.home, name));
            await product.index();
            expect(await totalsShown(product), `after ${name} was deleted`).toEqual(totalsOf(everything));
            await expectTurns(product, `after ${name} was deleted`);
          }
        } finally {
          product.remove();
        }
      },
      300_000,
    );
  });
}

describe('a sub-agent that was given a part of its parent', () => {
  // What it is given leaves out the model's items: only events and the user's words are copied.
  const isGiven = ({ type, payload }: Line) => type !== 'response_item' || payload.role === 'user';
  const begin = [metaOf('A', 0), CONTEXT, ...linesOf(COMMON, [])];
  const source = { subagent: { thread_spawn: { parent_thread_id: idOf('A'), depth: 1, agent_nickname: 'Wren' } } };
  const agent = [
    metaOf('B', 19, { forked_from_id: idOf('A'), source }),
    ...restamp(begin.filter(isGiven), 19),
    ...linesOf(OF_B, COMMON),
  ];

  it.each([
    ['A', 'B'],
    ['B', 'A'],
  ] as const)(
    'shows its own turns alone, read in the order %s, %s',
    async (...order) => {
      const product = openProduct();
      try {
        for (const name of order) {
          write(product.home, name, name === 'A' ? [...begin, ...linesOf(later(60), COMMON)] : agent);
          await product.index();
        }
        expect(await totalsShown(product)).toEqual(totalsOf([...COMMON, ...later(60), ...OF_B]));
        expect(await turnsShown(product, 'A')).toEqual(saidIn([...COMMON, ...later(60)]));
        expect(await turnsShown(product, 'B')).toEqual(saidIn(OF_B));
        const child = (await product.sessions()).find((each) => each.native_id === idOf('B'));
        expect(child?.parent).toMatchObject({ id: `codex:${idOf('A')}`, relation: 'subagent' });
      } finally {
        product.remove();
      }
    },
    300_000,
  );
});

describe('sessions that only begin with the same instructions', () => {
  it('are no copies of one another', async () => {
    const product = openProduct();
    try {
      const twins = {
        A: round('t1', 0, 'Continue.', 'It is done.', 11),
        B: round('t2', 30, 'Continue.', 'It is done.', 11),
      };
      for (const name of ['A', 'B'] as const) {
        const instructions = { ...CONTEXT, timestamp: at(twins[name].minute) };
        write(product.home, name, [metaOf(name, twins[name].minute), instructions, ...linesOf([twins[name]], [])]);
      }
      await product.index();
      expect(await totalsShown(product)).toEqual(totalsOf(Object.values(twins)));
      for (const name of ['A', 'B'] as const) {
        expect(await turnsShown(product, name)).toEqual(['Continue. | It is done.']);
      }
    } finally {
      product.remove();
    }
  }, 300_000);
});

// ------------------------------------------------------------------------------------------------ paginated histories

describe.each(['items', 'items with records'] as const)('a fork that points into its parent: %s', (style) => {
  const number = (lines: readonly Line[], from: number) =>
    lines.map((line, index) => ({ ...line, ordinal: from + index }));
  const paginated = { history_mode: 'paginated', cli_version: '0.171.0' };
  const common = number([metaOf('A', 0, paginated), CONTEXT, ...linesOf(COMMON, [], style)], 0);
  const parent = [...common, ...number(linesOf(later(60), COMMON, style), common.length)];
  const end = common.map((line) => Buffer.byteLength(`${JSON.stringify(line)}\n`)).reduce((a, b) => a + b, 0);
  const base = { thread_id: idOf('A'), end_ordinal_exclusive: common.length, end_byte_offset: end };
  const meta = {
    ...paginated,
    forked_from_id: idOf('A'),
    forked_from_ordinal_exclusive: common.length,
    history_base: base,
  };
  const fork = number([metaOf('B', 19, meta), ...linesOf(OF_B, COMMON, style)], common.length);
  const lines = { A: parent, B: fork };
  const rounds = { A: [...COMMON, ...later(60)], B: OF_B };

  it.each([
    ['A', 'B'],
    ['B', 'A'],
  ] as const)(
    'has its own turns and its own tokens, read in the order %s, %s, then deleted in it',
    async (...order) => {
      const product = openProduct();
      try {
        const read: Round[] = [];
        for (const name of order) {
          write(product.home, name, lines[name]);
          read.push(...rounds[name]);
          await product.index();
          expect(await totalsShown(product), `after ${name} was read`).toEqual(totalsOf(read));
          expect(await turnsShown(product, name)).toEqual(saidIn(rounds[name]));
        }
        const child = (await product.sessions()).find((each) => each.native_id === idOf('B'));
        expect(child?.parent).toMatchObject({ id: `codex:${idOf('A')}`, relation: 'fork' });
        expect(await turnsShown(product, 'B', true)).toEqual(saidIn([...COMMON, ...OF_B]));
        for (const name of order) {
          rmSync(fileOf(product.home, name));
          await product.index();
          expect(await totalsShown(product), `after ${name} was deleted`).toEqual(totalsOf(read));
          for (const each of order) expect(await turnsShown(product, each)).toEqual(saidIn(rounds[each]));
          expect(await turnsShown(product, 'B', true)).toEqual(saidIn([...COMMON, ...OF_B]));
        }
      } finally {
        product.remove();
      }
    },
    300_000,
  );
});
