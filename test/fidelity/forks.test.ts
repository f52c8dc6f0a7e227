import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProduct, type Product } from '../oracle/product.ts';
import { ORDERS } from '../support/orders.ts';

/**
 * Three transcripts that begin alike. B was forked from A, C from B: each holds the other's records, with a session id of
 * its own. Whatever the order in which they are read, and whichever of them the agent deletes, the totals are the same,
 * and every turn is shown once, in the session that it was first said in.
 */

const uuid = (name: string) => {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
const START = Date.parse('2026-11-20T09:00:00Z');
const CWD = '/home/dev/projects/lighthouse';

type Name = 'A' | 'B' | 'C';
const NAMES: readonly Name[] = ['A', 'B', 'C'];
const SESSION: Readonly<Record<Name, string>> = { A: uuid('session A'), B: uuid('session B'), C: uuid('session C') };

interface Line {
  readonly id: string;
  readonly minute: number;
  readonly record: Record<string, unknown>;
}

const prompt = (id: string, minute: number, text: string): Line => ({
  id,
  minute,
  record: { type: 'user', message: { role: 'user', content: text } },
});

const answer = (id: string, minute: number, text: string, output: number, model = 'claude-opus-5-5'): Line => ({
  id,
  minute,
  record: {
    type: 'assistant',
    requestId: `req_${id}`,
    message: {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      usage: {
        input_tokens: 10,
        output_tokens: output,
        cache_read_input_tokens: 1000 + output,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
      },
    },
  },
});

/** The transcript of a session: its lines in one chain, all under its own id. */
function transcript(session: Name, lines: readonly Line[]): string {
  return lines
    .map(({ id, minute, record }, index) => ({
      parentUuid: index === 0 ? null : uuid(lines[index - 1]?.id ?? ''),
      isSidechain: false,
      userType: 'external',
      cwd: CWD,
      sessionId: SESSION[session],
      version: '2.1.332',
      gitBranch: 'main',
      ...record,
      uuid: uuid(id),
      timestamp: new Date(START + minute * 60_000).toISOString(),
    }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');
}

const COMMON = [
  prompt('r1', 0, 'Why does the lantern flicker at noon?'),
  answer('r2', 1, 'The dimmer follows the clock, not the sun.', 11),
  prompt('r3', 2, 'Let it follow the sun.'),
  answer('r4', 3, 'It now reads the light sensor.', 13, 'claude-haiku-4-5'),
  prompt('r5', 4, 'And on cloudy days?'),
  answer('r6', 5, 'Then it keeps the last good reading.', 17),
];
const OF_B = [
  prompt('b1', 20, 'Try the other road: a fixed table.'),
  answer('b2', 21, 'A table of twelve months will do.', 19),
];
const OF_C = [prompt('c1', 40, 'Make the table finer.'), answer('c2', 41, 'It has fifty-two weeks now.', 23)];
const later = (minute: number) => [
  prompt('a1', minute, 'Write the test for clouds.'),
  answer('a2', minute + 1, 'Two tests, both pass.', 29),
];

/** How the three histories lie; in each, the turns that each session shows as its own. */
const VARIANTS: Readonly<
  Record<string, { lines: Record<Name, readonly Line[]>; own: Record<Name, readonly string[]> }>
> = {
  'the first ends where the second leaves it': {
    lines: { A: COMMON, B: [...COMMON, ...OF_B], C: [...COMMON, ...OF_B, ...OF_C] },
    own: { A: ['r1', 'r3', 'r5'], B: ['b1'], C: ['c1'] },
  },
  'the first goes on before the second begins': {
    lines: { A: [...COMMON, ...later(10)], B: [...COMMON, ...OF_B], C: [...COMMON, ...OF_B, ...OF_C] },
    own: { A: ['r1', 'r3', 'r5', 'a1'], B: ['b1'], C: ['c1'] },
  },
  'the first goes on after the second began: the second has the earlier record of its own': {
    lines: { A: [...COMMON, ...later(60)], B: [...COMMON, ...OF_B], C: [...COMMON, ...OF_B, ...OF_C] },
    own: { A: ['a1'], B: ['r1', 'r3', 'r5', 'b1'], C: ['c1'] },
  },
  'two forks of one session, and it goes on': {
    lines: { A: [...COMMON, ...later(10)], B: [...COMMON, ...OF_B], C: [...COMMON, ...OF_C] },
    own: { A: ['r1', 'r3', 'r5', 'a1'], B: ['b1'], C: ['c1'] },
  },
};

const fileOf = (home: string, name: Name) =>
  join(home, '.claude', 'projects', CWD.replace(/[^A-Za-z0-9]/g, '-'), `${SESSION[name]}.jsonl`);

/** What the calls of some lines cost, each counted once. */
function totalsOf(lines: readonly Line[]) {
  const calls = new Map(
    lines.map(({ record }) => [record.requestId, record.message as { model: string; usage: Count }]),
  );
  calls.delete(undefined);
  const byModel: Record<string, Total> = {};
  for (const { model, usage } of calls.values()) {
    const sum = byModel[model] ?? { input: 0, output: 0, cache_read: 0, cache_write_5m: 0, cache_write_1h: 0 };
    byModel[model] = {
      input: sum.input + usage.input_tokens,
      output: sum.output + usage.output_tokens,
      cache_read: sum.cache_read + usage.cache_read_input_tokens,
      cache_write_5m: sum.cache_write_5m + 20,
      cache_write_1h: sum.cache_write_1h + 10,
    };
  }
  return byModel;
}

type Count = { input_tokens: number; output_tokens: number; cache_read_input_tokens: number };
type Total = { input: number; output: number; cache_read: number; cache_write_5m: number; cache_write_1h: number };

/** The same from what the product says: by model, and from the sessions' own sums. */
async function totalsShown(product: Product) {
  const sessions = await product.sessions();
  const byModel: Record<string, Total> = {};
  for (const [model, tokens] of sessions.flatMap((session) => Object.entries(session.tokens_by_model))) {
    const sum = byModel[model] ?? { input: 0, output: 0, cache_read: 0, cache_write_5m: 0, cache_write_1h: 0 };
    byModel[model] = {
      input: sum.input + tokens.input,
      output: sum.output + tokens.output,
      cache_read: sum.cache_read + tokens.cache_read,
      cache_write_5m: sum.cache_write_5m + tokens.cache_write_5m,
      cache_write_1h: sum.cache_write_1h + tokens.cache_write_1h,
    };
  }
  const outputs = sessions.reduce((sum, session) => sum + session.tokens.output, 0);
  return { byModel, outputs };
}

const outputsOf = (byModel: Readonly<Record<string, Total>>) =>
  Object.values(byModel).reduce((sum, total) => sum + total.output, 0);

/** The turns that each session shows, each by its text: what was asked and what was answered. */
async function turnsShown(product: Product): Promise<Record<string, string[]>> {
  const turns: Record<string, string[]> = {};
  for (const name of NAMES) {
    const shown = await product.show(`claude-code:${SESSION[name]}`);
    turns[name] = shown.turns
      .map((turn) => turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' | '))
      .filter((text) => text !== '');
  }
  return turns;
}

function turnsOf(lines: readonly Line[], own: readonly string[]): string[] {
  const texts = lines.map(({ record }) => {
    const { content } = record.message as { content: string | { text: string }[] };
    return typeof content === 'string' ? content : content.map((block) => block.text).join('');
  });
  return own.map((id) => {
    const at = lines.findIndex((line) => line.id === id);
    return texts.slice(at, at + 2).join(' | ');
  });
}

for (const [variant, { lines, own }] of Object.entries(VARIANTS)) {
  describe(`three files that share a beginning: ${variant}`, () => {
    const all = totalsOf(Object.values(lines).flat());
    const turns = Object.fromEntries(NAMES.map((name) => [name, turnsOf(lines[name], own[name])]));

    it.each(ORDERS)(
      'read in the order %s %s %s, then deleted in it',
      async (...order) => {
        const product = openProduct();
        try {
          const read: Line[] = [];
          for (const name of order) {
            const file = fileOf(product.home, name);
            mkdirSync(dirname(file), { recursive: true });
            writeFileSync(file, transcript(name, lines[name]));
            read.push(...lines[name]);
            await product.index();
            const expected = totalsOf(read);
            expect(await totalsShown(product)).toEqual({ byModel: expected, outputs: outputsOf(expected) });
          }
          expect(await turnsShown(product)).toEqual(turns);
          for (const name of order) {
            rmSync(fileOf(product.home, name));
            await product.index();
            expect(await totalsShown(product), `after ${name} was deleted`).toEqual({
              byModel: all,
              outputs: outputsOf(all),
            });
            expect(await turnsShown(product), `after ${name} was deleted`).toEqual(turns);
          }
        } finally {
          product.remove();
        }
      },
      300_000,
    );
  });
}

describe('a fork that was taken while an answer was still streamed', () => {
  const partial = answer('r6', 5, 'Then it keeps the last good reading.', 2);
  const files: Record<'A' | 'B', readonly Line[]> = {
    A: COMMON,
    B: [...COMMON.slice(0, -1), partial, ...OF_B],
  };

  it.each([
    ['A', 'B'],
    ['B', 'A'],
  ] as const)('counts the larger figures, read in the order %s %s', async (...order) => {
    const product = openProduct();
    try {
      for (const name of order) {
        const file = fileOf(product.home, name);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, transcript(name, files[name]));
        await product.index();
      }
      const expected = totalsOf([...COMMON, ...OF_B]);
      expect(await totalsShown(product)).toEqual({ byModel: expected, outputs: outputsOf(expected) });
      const sessions = await product.sessions();
      const outputOf = (name: Name) => sessions.find((each) => each.native_id === SESSION[name])?.tokens.output;
      expect([outputOf('A'), outputOf('B')]).toEqual([11 + 13 + 17, 19]);
    } finally {
      product.remove();
    }
  });
});

describe('a question aside', () => {
  // What the agent is asked beside its work is answered by a sub-agent that repeats the session so far. Its own record
  // is earlier than the session's next one, and still the common records are the session's.
  const aside = [
    ...COMMON,
    prompt('q1', 6, 'By the way, who built the lantern?'),
    answer('q2', 7, 'A keeper did.', 31),
  ];
  const main = [...COMMON, ...later(10)];

  it.each([
    ['session', 'aside'],
    ['aside', 'session'],
  ])('leaves the session its turns, read in the order %s, %s', async (...order) => {
    const product = openProduct();
    try {
      const session = fileOf(product.home, 'A');
      const agent = join(session.replace(/\.jsonl$/, ''), 'subagents', 'agent-aside_question-0123456789abcdef.jsonl');
      mkdirSync(dirname(agent), { recursive: true });
      for (const which of order) {
        const isAside = which === 'aside';
        const text = transcript('A', isAside ? aside : main);
        writeFileSync(
          isAside ? agent : session,
          isAside ? text.replaceAll('"isSidechain":false', '"isSidechain":true') : text,
        );
        await product.index();
      }
      const expected = totalsOf([...main, ...aside]);
      expect(await totalsShown(product)).toEqual({ byModel: expected, outputs: outputsOf(expected) });
      const textsOf = async (id: string) =>
        (await product.show(id)).turns.flatMap((turn) => (turn.prompt === undefined ? [] : [turn.prompt]));
      expect(await textsOf(`claude-code:${SESSION.A}`)).toEqual([
        'Why does the lantern flicker at noon?',
        'Let it follow the sun.',
        'And on cloudy days?',
        'Write the test for clouds.',
      ]);
      const child = (await product.sessions()).find((each) => each.path === agent);
      expect(child?.parent).toMatchObject({ id: `claude-code:${SESSION.A}`, relation: 'subagent' });
      expect(await textsOf(child?.id ?? '')).toEqual(['By the way, who built the lantern?']);
    } finally {
      product.remove();
    }
  });
});
