import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTokens, type CodexSurvey, type Kind, sumByModel, surveyCodex, type Tokens } from '../oracle/codex.ts';
import { type CodexPart, compareCodex } from '../oracle/codex-compare.ts';
import { copyOfCodexHome, homeOfRollout } from '../oracle/codex-homes.ts';
import type { Verdict } from '../oracle/compare.ts';
import {
  type IndexReport,
  openProduct,
  type Product,
  SHARED,
  type Shown,
  type ShownSession,
  type ShownTokens,
  shared,
} from '../oracle/product.ts';
import { historyFiles, kindsOfCodex, sampleOf, silentTexts } from '../oracle/silent.ts';

const SOURCE = 'codex';
const SLOW = 600_000;

interface Held {
  readonly product: Product;
  readonly survey: CodexSurvey;
  readonly reports: readonly IndexReport[];
  readonly sessions: readonly ShownSession[];
  readonly shown: readonly Shown[];
  readonly verdict: Verdict;
}

/** Reads a home with the product, twice, and with the witness, and holds the one against the other. */
async function hold(home: string): Promise<Held> {
  const product = openProduct(home);
  const reports = [await product.index(), await product.index()];
  const sessions = (await product.sessions()).filter((session) => session.source === SOURCE);
  const shown = await product.showAll(sessions);
  const survey = surveyCodex(home);
  return { product, survey, reports, sessions, shown, verdict: compareCodex(survey, shown) };
}

const isSubagent = (session: ShownSession) => session.parent?.relation === 'subagent';

/** The first faults say what is wrong; all of them would not be read. */
function expectNoFaults({ faults }: Verdict): void {
  expect(faults.length, `${faults.length} faults:\n${faults.slice(0, 25).join('\n')}`).toBe(0);
}

const asTokens = (tokens: ShownTokens): Tokens => ({
  input: tokens.input,
  cacheRead: tokens.cache_read,
  output: tokens.output,
  reasoning: tokens.reasoning,
});

const byModelOf = (session: ShownSession) =>
  Object.fromEntries(Object.entries(session.tokens_by_model).map(([model, tokens]) => [model, asTokens(tokens)]));

const reportOf = (report: IndexReport | undefined) => {
  const source = report?.sources[SOURCE];
  if (source === undefined) throw new Error(`the report has no ${SOURCE}`);
  return source;
};

// ------------------------------------------------------------------------------------------------ real histories

const LIVE: Partial<Record<Kind, number>> = {
  'MCP call made in code mode': 1,
  'change made in code mode': 6,
  'command run in code mode': 9,
  'compaction, in a notice': 2,
  'history repeated by a compaction': 11,
  image: 1,
  'injected for the model alone': 77,
  'interruption, in a notice': 1,
  'message of another agent, in a notice': 1,
  'shell command typed by the user': 1,
  'summary before its compaction': 2,
  'task of a sub-agent': 1,
  'the same words in the other family': 97,
};

/** What each home holds beside what is found word for word, counted by the witness. */
const KINDS: Readonly<Record<string, Partial<Record<Kind, number>>>> = {
  'homes/codex': {
    'blank text': 1,
    'compaction, in a notice': 2,
    'developer instructions': 2,
    'editor context before a prompt, in a notice': 15,
    'encrypted reasoning': 675,
    'error, in a notice': 2,
    'history repeated by a compaction': 42,
    'injected for the model alone': 420,
    'interruption, in a notice': 14,
    'shell command typed by the user': 1,
    'the same words in the other family': 3062,
  },
  'natural/agentic-neurodata-conversion': {
    'editor context before a prompt, in a notice': 19,
    'injected for the model alone': 16,
    'interruption, in a notice': 9,
    'the same words in the other family': 129,
  },
  'live/codex/home': LIVE,
  'live/codex/home-migrated': LIVE,
};

const LIVE_WAYS: Readonly<Record<string, number>> = {
  'a call of its own': 16,
  'arguments parsed': 20,
  'command spelled anew': 1,
  'header apart': 31,
  'told by the calls of its script': 9,
  'with a word before it': 1,
};

/** How many items are shown otherwise than letter by letter. */
const WAYS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'homes/codex': {
    'arguments parsed': 2174,
    'command spelled anew': 1,
    'header apart': 2054,
    'read out of its JSON': 416,
    redacted: 1,
    'tags apart': 1,
  },
  'natural/agentic-neurodata-conversion': {
    'arguments parsed': 56,
    'header apart': 3,
    'read out of its JSON': 37,
  },
  'live/codex/home': LIVE_WAYS,
  'live/codex/home-migrated': LIVE_WAYS,
};

/** Sessions, sub-agents, prompts, tool calls. */
const COUNTS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  'homes/codex': [114, 2, 499, 2524],
  'natural/agentic-neurodata-conversion': [11, 0, 24, 56],
  'live/codex/home': [15, 1, 25, 43],
  'live/codex/home-migrated': [15, 1, 25, 43],
};

for (const name of Object.keys(COUNTS)) {
  describe.skipIf(SHARED === undefined)(`the history ${name}`, () => {
    let held: Held;
    beforeAll(async () => {
      held = await hold(copyOfCodexHome(shared('corpus', name)));
    }, SLOW);
    afterAll(() => held?.product.remove());

    it('has its sessions, sub-agents, prompts and calls', () => {
      const { sessions, verdict, survey } = held;
      expect([
        sessions.length,
        sessions.filter(isSubagent).length,
        verdict.prompts,
        Object.values(survey.toolCalls).reduce((a, b) => a + b, 0),
      ]).toEqual(COUNTS[name]);
    });

    it('shows every text, argument and output, in order, once', () => {
      expectNoFaults(held.verdict);
    });

    it(
      'shows, repeats or counts every text, whatever its field',
      async () => {
        const root = join(held.product.home, '.codex');
        const files = sampleOf(historyFiles(root));
        const counted = await held.product.notShown(SOURCE);
        expect(silentTexts({ root, files, shown: held.shown, counted, kindsOf: kindsOfCodex })).toEqual([]);
      },
      SLOW,
    );

    it('has what is not shown word for word under its name', () => {
      const { 'word for word': found, ...kinds } = held.survey.kinds;
      expect(found).toBeGreaterThan(100);
      expect(kinds).toEqual(KINDS[name]);
      expect(held.verdict.ways).toEqual(WAYS[name]);
    });

    it('has the tokens of the home, by model and by session', () => {
      expect(sumByModel(held.sessions.map(byModelOf))).toEqual(held.survey.tokens);
      for (const { id, tokens } of held.survey.rollouts) {
        const session = held.sessions.find((each) => each.native_id === id);
        const shown = session === undefined ? {} : sumByModel([byModelOf(session)]);
        expect({ id, ...shown }).toEqual({ id, ...sumByModel([tokens]) });
        expect(session && asTokens(session.tokens)).toEqual(addTokens(Object.values(tokens)));
      }
    });

    it('links each session to the one that it came from, and that one to it', () => {
      const byId = new Map(held.sessions.map((session) => [session.id, session]));
      for (const rollout of held.survey.rollouts) {
        const session = byId.get(`${SOURCE}:${rollout.id}`);
        const { parent } = rollout;
        const link = session?.parent && { id: session.parent.id, relation: session.parent.relation };
        expect(link, rollout.name).toEqual(parent && { id: `${SOURCE}:${parent.id}`, relation: parent.relation });
        const other = byId.get(session?.parent?.id ?? '');
        if (other !== undefined) expect(other.children).toContain(session?.id);
      }
    });

    it('is read whole, or it is said what was not; and not read again', async () => {
      const [first, second] = held.reports.map(reportOf);
      const { rollouts } = held.survey;
      expect(rollouts.flatMap(({ broken }) => broken)).toEqual([]);
      expect(first?.failed).toEqual([]);
      expect(first?.sessions).toBe(rollouts.length);
      // The prompt history, the index of titles and the databases may be units too.
      expect(first?.units).toBeGreaterThanOrEqual(rollouts.length);
      expect(first?.read).toBe(first?.units);
      const bytes = rollouts.reduce((sum, { path }) => sum + statSync(path).size, 0);
      expect(first?.bytes_read).toBeGreaterThanOrEqual(bytes);
      expect(first?.bytes_read).toBeLessThan(bytes * 1.1 + 8_000_000);
      expect({ read: second?.read, bytes_read: second?.bytes_read }).toEqual({ read: 0, bytes_read: 0 });
      expect(second?.unchanged).toBe(first?.units);
    });

    it('has its unknown records counted, and no known ones', () => {
      const counts: Record<string, number> = {};
      for (const { types } of held.survey.rollouts)
        for (const [type, count] of Object.entries(types)) counts[type] = (counts[type] ?? 0) + count;
      for (const [type, count] of Object.entries(reportOf(held.reports[0]).unknown_records)) {
        const holding = Object.keys(counts).filter((each) => each.includes(type) || type.includes(each.split('/')[0]!));
        expect(holding.length, type).toBeGreaterThan(0);
        expect(count).toBeLessThanOrEqual(holding.reduce((sum, each) => sum + counts[each]!, 0));
        expect(type).not.toMatch(
          /^(session_meta|turn_context|compacted|token_usage_record)|message$|reasoning$|_call(_output)?$|token_count$/,
        );
      }
    });
  });
}

// ------------------------------------------------------------------------------------------------ fixtures

const ID = '0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f';
const AGENTSVIEW = ['corpus', 'fixtures', 'agentsview', 'codex'] as const;
const AGENT_SESSIONS = ['corpus', 'fixtures', 'agent-sessions'] as const;
const GIT_AI = ['corpus', 'natural', 'git-ai'] as const;

const FIXTURES: Readonly<Record<string, readonly string[]>> = {
  'agentsview quotes': [...AGENTSVIEW, 'blockquotes_session.jsonl'],
  'agentsview arguments as text': [...AGENTSVIEW, 'fc_args_1.jsonl'],
  'agentsview arguments as an object': [...AGENTSVIEW, 'fc_args_2.jsonl'],
  'agentsview written to a process': [...AGENTSVIEW, 'fc_stdin.jsonl'],
  'agentsview standard session': [...AGENTSVIEW, 'standard_session.jsonl'],
  'agent-sessions rate limit': [...AGENT_SESSIONS, 'codex_053_rate_limit.jsonl'],
  'git-ai simple': [...GIT_AI, 'codex-session-simple.jsonl'],
  'git-ai updated': [...GIT_AI, 'codex-session-updated.jsonl'],
};

/** Collages and shapes that no program wrote. */
const ODDITIES: Readonly<Record<string, readonly string[]>> = {
  'agentsview one call id twice': [...AGENTSVIEW, 'function_calls.jsonl'],
  'agent-sessions 0.50': [...AGENT_SESSIONS, 'codex_050_legacy.jsonl'],
  'agent-sessions 0.51': [...AGENT_SESSIONS, 'codex_051_usage.jsonl'],
  'agent-sessions 0.52': [...AGENT_SESSIONS, 'codex_052_raw.jsonl'],
  'agent-sessions large': [...AGENT_SESSIONS, 'stage0', 'agents', 'codex', 'large.jsonl'],
  'agent-sessions small, a collage of all shapes': [...AGENT_SESSIONS, 'stage0', 'agents', 'codex', 'small.jsonl'],
  'agent-sessions schema drift': [...AGENT_SESSIONS, 'stage0', 'agents', 'codex', 'schema_drift.jsonl'],
};

describe.skipIf(SHARED === undefined)('fixtures of other tools', () => {
  it.each(Object.keys(FIXTURES))(
    '%s: is shown whole',
    async (name) => {
      const { product, verdict, survey } = await hold(homeOfRollout(shared(...FIXTURES[name]!), ID));
      product.remove();
      expectNoFaults(verdict);
      expect(verdict.prompts).toBe(survey.prompts);
    },
    SLOW,
  );
  it.each(Object.keys(ODDITIES))(
    '%s: fails nothing',
    async (name) => {
      const { product, reports, sessions } = await hold(homeOfRollout(shared(...ODDITIES[name]!), ID));
      product.remove();
      expect(reportOf(reports[0]).failed).toEqual([]);
      expect(sessions.map(({ native_id }) => native_id)).toEqual([ID]);
    },
    SLOW,
  );
});

// ------------------------------------------------------------------------------------------------ recorded stories

interface Sum {
  readonly input_tokens: number;
  readonly 'input_tokens_details.cached_tokens': number;
  readonly output_tokens: number;
  readonly 'output_tokens_details.reasoning_tokens': number;
}

interface Story {
  readonly id: string;
  readonly story: string;
  readonly title: string;
  readonly prompts: readonly string[];
  readonly planted: readonly { readonly phrase: string; readonly in: string; readonly found: boolean }[];
  /** `sum` is of the answers; those that the program asked for to compact stand beside it. */
  readonly tokens: { readonly sum: Sum; readonly compaction?: Sum; readonly subAgent?: Sum };
}

const stories = (): Story[] =>
  SHARED === undefined
    ? []
    : JSON.parse(readFileSync(shared('corpus', 'live', 'codex', 'expected.json'), 'utf8')).sessions;

const tokensOfSum = (sum: Sum): Tokens => ({
  input: sum.input_tokens - sum['input_tokens_details.cached_tokens'],
  cacheRead: sum['input_tokens_details.cached_tokens'],
  output: sum.output_tokens,
  reasoning: sum['output_tokens_details.reasoning_tokens'],
});

/** Whether a phrase stands in a part of the sort that the recording says. */
function isIn(part: CodexPart, place: string, phrase: string): boolean {
  const says = (text: string | undefined) => text?.includes(phrase) === true;
  if (place.includes('thinking')) return part.type === 'thinking' && says(part.text);
  if (place.includes('answer')) return part.role === 'assistant' && says(part.text);
  if (place.includes('prompt')) return part.role === 'user' && says(part.text);
  if (place === 'compaction summary') return part.type === 'notice' && says(part.text);
  if (place === 'tool output') return part.type === 'tool_call' && says(part.output);
  return part.type === 'tool_call' && says(`${JSON.stringify(part.input)} ${part.command}`);
}

const partsOf = (shown: readonly Shown[]): CodexPart[] =>
  shown.flatMap(({ turns }) => turns.flatMap((turn) => turn.parts));

describe.skipIf(SHARED === undefined).each(['home', 'home-migrated'])('the recorded stories: %s', (home) => {
  let held: Held;
  beforeAll(async () => {
    held = await hold(copyOfCodexHome(shared('corpus', 'live', 'codex', home)));
  }, SLOW);
  afterAll(() => held?.product.remove());

  it('are all there', () => {
    const ids = held.sessions.filter((session) => !isSubagent(session)).map(({ native_id }) => native_id);
    expect(ids.sort()).toEqual(
      stories()
        .map(({ id }) => id)
        .sort(),
    );
  });

  for (const story of stories()) {
    describe(`${story.story} (${story.id.slice(-8)})`, () => {
      const id = `${SOURCE}:${story.id}`;
      const own = () => held.shown.filter(({ session }) => session.id === id);
      const agents = () => held.shown.filter(({ session }) => isSubagent(session) && session.parent?.id === id);

      it('has its title', () => {
        const session = own()[0]?.session;
        // Where nobody gave one, the program takes the first prompt, and so do we.
        if (story.title !== story.prompts[0]) expect(session?.title).toBe(story.title);
        else if (session?.title !== story.title) {
          expect(session?.title_from).toBe('first-prompt');
          expect(story.title.startsWith(session?.title?.replace(/…$/, '') ?? '?')).toBe(true);
        }
      });

      it('has its prompts', () => {
        const turns = own().flatMap(({ turns }) => turns);
        expect(turns.flatMap((turn) => turn.prompt ?? [])).toEqual(story.prompts);
      });

      it('has its tokens', () => {
        const { sum, compaction, subAgent } = story.tokens;
        const expected = [sum, ...(compaction === undefined ? [] : [compaction])].map(tokensOfSum);
        expect(own().map(({ session }) => asTokens(session.tokens))).toEqual([addTokens(expected)]);
        expect(agents().map(({ session }) => asTokens(session.tokens))).toEqual(
          subAgent === undefined ? [] : [tokensOfSum(subAgent)],
        );
      });

      it.each(story.planted.map((plant) => [plant.in, plant.phrase, plant.found] as const))(
        '%s: %s',
        (place, phrase, found) => {
          const shown = place === 'sub-agent prompt' || place.startsWith('sub-agent') ? agents() : own();
          expect(partsOf(shown).some((part) => isIn(part, place, phrase))).toBe(found);
        },
      );
    });
  }

  it('shows the picture of its prompt', () => {
    const image = stories().find(({ story }) => story === 'image');
    const parts = partsOf(held.shown.filter(({ session }) => session.native_id === image?.id));
    expect(parts.filter(({ type }) => type === 'attachment').length).toBe(1);
  });

  it('links the call that started a sub-agent to it', () => {
    const agent = held.sessions.find(isSubagent);
    const starting = partsOf(held.shown).filter((part) => part.child !== undefined);
    expect(starting.map((part) => part.child)).toEqual([agent?.id]);
    expect(starting[0]?.name).toContain('spawn_agent');
  });
});

describe.skipIf(SHARED === undefined)('a home whose older rollouts the program rewrote', () => {
  it(
    'says the same as before',
    async () => {
      const said = [];
      for (const home of ['home', 'home-migrated']) {
        const { product, shown } = await hold(copyOfCodexHome(shared('corpus', 'live', 'codex', home)));
        product.remove();
        const turns = shown.map(({ session, turns }) => [
          session.id,
          session.title,
          session.tokens,
          turns.map(({ prompt, parts }) => [
            prompt,
            parts.map(({ type, text, name, input, output }) => ({ type, text, name, input, output })),
          ]),
        ]);
        said.push(Object.fromEntries(turns.map(([id, ...rest]) => [id, rest])));
      }
      expect(said[1]).toEqual(said[0]);
    },
    SLOW,
  );

  it(
    'is not told twice where it was read before that',
    async () => {
      const home = copyOfCodexHome(shared('corpus', 'live', 'codex', 'home'));
      const product = openProduct(home);
      await product.index();
      const { cpSync } = await import('node:fs');
      cpSync(shared('corpus', 'live', 'codex', 'home-migrated', '.codex'), join(home, '.codex'), {
        recursive: true,
        force: true,
      });
      await product.index();
      const sessions = (await product.sessions()).filter((session) => session.source === SOURCE);
      const shown = await product.showAll(sessions);
      const survey = surveyCodex(home);
      product.remove();
      expectNoFaults(compareCodex(survey, shown));
      expect(sumByModel(sessions.map(byModelOf))).toEqual(survey.tokens);
    },
    SLOW,
  );
});

// ------------------------------------------------------------------------------------------------ generated histories

describe.skipIf(SHARED === undefined)('a generated history', () => {
  for (const flags of ['--mb 20 --seed 1', '--mb 20 --seed 2 --forks 0.5']) {
    it(
      flags,
      async () => {
        const home = mkdtempSync(join(tmpdir(), 'portolan-home-'));
        execFileSync(process.execPath, [shared('bench', 'gen.mjs'), '--home', home, ...flags.split(' ')]);
        const truth = JSON.parse(readFileSync(join(home, 'truth.json'), 'utf8')).codex;
        const { product, sessions, verdict } = await hold(home);
        product.remove();
        const byModel = Object.fromEntries(
          Object.entries(sumByModel(sessions.map(byModelOf))).map(([model, tokens]) => [
            model,
            {
              input: tokens.input + tokens.cacheRead,
              cached: tokens.cacheRead,
              output: tokens.output,
              reasoning: tokens.reasoning,
              total: tokens.input + tokens.cacheRead + tokens.output,
            },
          ]),
        );
        expect({ sessions: sessions.length, forks: sessions.filter(isSubagent).length, byModel }).toEqual({
          sessions: truth.sessions,
          forks: truth.forks ?? 0,
          byModel: truth.byModel,
        });
        expectNoFaults(verdict);
      },
      SLOW,
    );
  }
});
