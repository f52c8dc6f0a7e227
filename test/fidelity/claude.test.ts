import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kind, type Survey, surveyClaude, type Usage } from '../oracle/claude.ts';
import { compare, type Verdict } from '../oracle/compare.ts';
import {
  copyOfHome,
  homeOf,
  openProduct,
  type Product,
  SHARED,
  type Shown,
  type ShownPart,
  type ShownSession,
  type ShownTokens,
  shared,
} from '../oracle/product.ts';
import { historyFiles, kindsOfClaude, sampleOf, silentTexts } from '../oracle/silent.ts';

const SOURCE = 'claude-code';
const SLOW = 600_000;

interface Held {
  readonly product: Product;
  readonly survey: Survey;
  readonly sessions: readonly ShownSession[];
  readonly shown: readonly Shown[];
  readonly verdict: Verdict;
}

/** Reads a home with the product and with the witness, and holds the one against the other. */
async function hold(home: string): Promise<Held> {
  const product = openProduct(home);
  await product.index();
  const sessions = (await product.sessions()).filter((session) => session.source === SOURCE);
  const shown = await product.showAll(sessions);
  const survey = surveyClaude(home);
  return { product, survey, sessions, shown, verdict: compare(survey, home, shown) };
}

const isSubagent = (session: ShownSession) => session.parent?.relation === 'subagent';
const hasAgentFile = (session: ShownSession) => basename(session.path).startsWith('agent-');

/** The first faults say what is wrong; all of them would not be read. */
function expectNoFaults({ faults }: Verdict): void {
  expect(faults.length, `${faults.length} faults:\n${faults.slice(0, 25).join('\n')}`).toBe(0);
}

const asUsage = (tokens: ShownTokens): Usage => ({
  input_tokens: tokens.input,
  output_tokens: tokens.output,
  cache_read_input_tokens: tokens.cache_read,
  cache_creation_input_tokens: tokens.cache_write_5m + tokens.cache_write_1h,
});

function sumOf(all: readonly Usage[]): Usage {
  const sum: Usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  for (const usage of all) for (const name of Object.keys(sum) as (keyof Usage)[]) sum[name] += usage[name];
  return sum;
}

function tokensByModel(sessions: readonly ShownSession[]): Record<string, Usage> {
  const sums: Record<string, Usage> = {};
  for (const [model, tokens] of sessions.flatMap((session) => Object.entries(session.tokens_by_model))) {
    const usage = sumOf([asUsage(tokens), ...(sums[model] === undefined ? [] : [sums[model]])]);
    if (Object.values(usage).some((count) => count !== 0)) sums[model] = usage;
  }
  return sums;
}

const callIdsOf = (shown: readonly Shown[]) =>
  new Set(
    shown
      .flatMap(({ turns }) => turns.flatMap((turn) => turn.parts))
      .filter((part) => part.type === 'tool_call')
      .flatMap((part) => part.call_id ?? []),
  );

// ------------------------------------------------------------------------------------------------ real histories

/** What each home holds beside what is found word for word, counted by the witness. */
const KINDS: Readonly<Record<string, Partial<Record<Kind, number>>>> = {
  'homes/claude': {
    'blank text': 91,
    'caveat before local commands': 121,
    'command envelope, in a notice': 32,
    'command that the model answered, as a prompt': 7,
    'copy of a sub-agent in agent_progress': 67,
    'details of an API error, in a notice': 13,
    'editor context or reminder, in a notice': 24,
    image: 13,
    'interruption, in a notice': 27,
    'reminder for the model': 3,
    'replayed record': 1339,
    'result without its call': 1,
    'spilled output, found whole': 5,
    'spilled output, its file is missing': 8,
    'summary of a compaction, in a notice': 28,
    'task notification, in a notice': 12,
    'text that the program injected, in a notice': 13,
    'thinking not disclosed': 530,
    'typed while the agent was busy, told by the queue alone': 9,
    'unknown command answered, in a notice': 88,
    'what a command answered, in a notice': 29,
    'what a hook said, in a notice': 60,
  },
  'natural/cli': {
    'blank text': 70,
    'caveat before local commands': 16,
    'command envelope, in a notice': 16,
    'command that the model answered, as a prompt': 1,
    'interruption, in a notice': 11,
    'record written twice': 1,
    'spilled output, its file is missing': 4,
    'sub-agent known from agent_progress alone': 61,
    'text beside a tool result': 1,
    'text that the program injected, in a notice': 6,
    'typed while the agent was busy, then taken back': 1,
    'typed while the agent was busy, told by the queue alone': 2,
    'what a command answered, in a notice': 13,
  },
  'live/claude/home': {
    'blank text': 4,
    'caveat before local commands': 1,
    'command envelope, in a notice': 1,
    image: 1,
    'interruption, in a notice': 1,
    'reminder for the model': 1,
    'replayed record': 35,
    'shell command typed by the user, in a notice': 1,
    'spilled output, found whole': 1,
    'summary of a compaction, in a notice': 1,
    'task notification, in a notice': 1,
    'text that the program injected, in a notice': 1,
    'thinking not disclosed': 5,
    'what a command answered, in a notice': 2,
  },
};

/** How many items are shown otherwise than letter by letter. */
const WAYS: Readonly<Record<string, Record<string, number>>> = {
  'homes/claude': { 'command spelled anew': 39, redacted: 3, 'tags and colours apart': 29, 'within a notice': 73 },
  'natural/cli': { 'command spelled anew': 17, redacted: 1, 'tags and colours apart': 13, 'within a notice': 1 },
  'live/claude/home': { 'command spelled anew': 2, 'tags and colours apart': 2 },
};

/** Calls of sub-agents that only progress records of their parent hold; the census leaves them out. */
const CALLS_IN_PROGRESS_ALONE: Readonly<Record<string, number>> = {
  'homes/claude': 0,
  'natural/cli': 29,
  'live/claude/home': 0,
};

/** Sessions without a parent, sub-agent files, sub-agents inside a session's file, prompts. */
const COUNTS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  'homes/claude': [169, 78, 1, 454],
  'natural/cli': [69, 0, 4, 179],
  'live/claude/home': [13, 1, 0, 25],
};

for (const name of Object.keys(COUNTS)) {
  describe.skipIf(SHARED === undefined)(`the history ${name}`, () => {
    let held: Held;
    beforeAll(async () => {
      held = await hold(copyOfHome(shared('corpus', name)));
    }, SLOW);
    afterAll(() => held?.product.remove());

    it('has its sessions, sub-agents and prompts', () => {
      const { sessions, verdict } = held;
      expect([
        sessions.filter((session) => !isSubagent(session)).length,
        sessions.filter((session) => isSubagent(session) && hasAgentFile(session)).length,
        sessions.filter((session) => isSubagent(session) && !hasAgentFile(session)).length,
        verdict.prompts,
      ]).toEqual(COUNTS[name]);
    });

    it('shows every text, argument and output, in order, once', () => {
      expectNoFaults(held.verdict);
    });

    it(
      'shows, repeats or counts every text, whatever its field',
      async () => {
        const root = join(held.product.home, '.claude');
        const files = sampleOf(historyFiles(root));
        const counted = await held.product.notShown(SOURCE);
        expect(silentTexts({ root, files, shown: held.shown, counted, kindsOf: kindsOfClaude })).toEqual([]);
      },
      SLOW,
    );

    it('has what is not shown word for word under its name', () => {
      const { 'word for word': found, ...kinds } = held.survey.kinds;
      expect(found).toBeGreaterThan(100);
      expect(kinds).toEqual(KINDS[name]);
      expect(held.verdict.ways).toEqual(WAYS[name]);
    });

    it('has the tool calls of the home, each once', () => {
      const ids = held.shown.flatMap((each) => [...callIdsOf([each])]);
      expect(ids.length).toBe(new Set(ids).size);
      expect(ids.length).toBe(held.survey.distinctToolCalls + CALLS_IN_PROGRESS_ALONE[name]!);
    });

    it('has the tokens of the home, by model and by file', () => {
      const known = Object.entries(held.survey.tokens).filter(([, usage]) => Object.values(usage).some((n) => n !== 0));
      expect(tokensByModel(held.sessions)).toEqual(Object.fromEntries(known));
      const root = join(held.product.home, '.claude', 'projects');
      for (const { name: file } of held.survey.transcripts) {
        const here = held.sessions.filter((session) => session.path === join(root, ...file.split('/')));
        const expected = held.survey.tokensByFile.get(file) ?? sumOf([]);
        expect({ file, ...sumOf(here.map((session) => asUsage(session.tokens))) }).toEqual({ file, ...expected });
      }
    });

    it('links each sub-agent to its parent, where that is there, both ways', () => {
      const byId = new Map(held.sessions.map((session) => [session.id, session]));
      for (const session of held.sessions.filter(isSubagent)) {
        const parent = byId.get(session.parent?.id ?? '');
        if (parent !== undefined) expect(parent.children, session.id).toContain(session.id);
      }
      for (const transcript of held.survey.transcripts.filter((each) => each.isAgent)) {
        const path = join(held.product.home, '.claude', 'projects', ...transcript.name.split('/'));
        const session = held.sessions.find((each) => each.path === path);
        const isHere = held.sessions.some((each) => each.id === `${SOURCE}:${transcript.parent}`);
        // An agent of an agent names that one; its own parent then is the session.
        const ancestors = ancestorsOf(session, byId);
        if (isHere) expect(ancestors, transcript.name).toContain(`${SOURCE}:${transcript.parent}`);
      }
    });
  });
}

function ancestorsOf(session: ShownSession | undefined, byId: ReadonlyMap<string, ShownSession>): string[] {
  const ids: string[] = [];
  for (let at = session; at?.parent !== undefined && !ids.includes(at.parent.id); at = byId.get(at.parent.id)) {
    ids.push(at.parent.id);
  }
  return ids;
}

// ------------------------------------------------------------------------------------------------ fixtures

const ID = '0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f';
const STAGE0 = ['corpus', 'fixtures', 'agent-sessions', 'stage0', 'agents', 'claude'] as const;
const AGENTSVIEW = ['corpus', 'fixtures', 'agentsview', 'claude'] as const;
const GIT_AI = ['corpus', 'natural', 'git-ai'] as const;

/** Each fixture is a home of its own: their records have made-up ids, which occur in several of them. */
const FIXTURES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'agent-sessions large': { [`-fixture/${ID}.jsonl`]: [...STAGE0, 'large.jsonl'] },
  'agent-sessions schema drift': { [`-fixture/${ID}.jsonl`]: [...STAGE0, 'schema_drift.jsonl'] },
  'agent-sessions sub-agent': {
    [`-fixture/${ID}.jsonl`]: [...STAGE0, 'subagent', `${ID}.jsonl`],
    [`-fixture/${ID}/subagents`]: [...STAGE0, 'subagent', ID, 'subagents'],
  },
  'agentsview queued system messages': { [`-fixture/${ID}.jsonl`]: [...AGENTSVIEW, 'queued_system_messages.jsonl'] },
  'agentsview truncated': { [`-fixture/${ID}.jsonl`]: [...AGENTSVIEW, 'truncated.jsonl'] },
  'agentsview valid session': { [`-fixture/${ID}.jsonl`]: [...AGENTSVIEW, 'valid_session.jsonl'] },
  'agentsview pending tool call': { [`-fixture/${ID}.jsonl`]: [...AGENTSVIEW, 'tool_call_pending.jsonl'] },
  'git-ai simple': { [`-fixture/${ID}.jsonl`]: [...GIT_AI, 'claude_simple.jsonl'] },
  'git-ai with ids': { [`-fixture/${ID}.jsonl`]: [...GIT_AI, 'claude_with_ids.jsonl'] },
  'git-ai with thinking': { [`-fixture/${ID}.jsonl`]: [...GIT_AI, 'claude-code-with-thinking.jsonl'] },
  'git-ai with plan': { [`-fixture/${ID}.jsonl`]: [...GIT_AI, 'claude-code-with-plan.jsonl'] },
  'git-ai model not last': { [`-fixture/${ID}.jsonl`]: [...GIT_AI, 'claude-model-not-last.jsonl'] },
  'git-ai example': { [`-fixture/${ID}.jsonl`]: [...GIT_AI, 'example-claude-code.jsonl'] },
  'git-ai sub-agent': {
    [`-fixture/${ID}/subagents`]: [...GIT_AI, 'claude_subagent', 'sess-parent-abc', 'subagents'],
  },
};

describe.skipIf(SHARED === undefined)('fixtures of other tools', () => {
  for (const [name, files] of Object.entries(FIXTURES)) {
    it(
      name,
      async () => {
        const copies = Object.entries(files).map(([to, from]) => [to, shared(...from)]);
        const { product, verdict, survey } = await hold(homeOf(Object.fromEntries(copies)));
        product.remove();
        expectNoFaults(verdict);
        expect(verdict.prompts).toBe(survey.prompts);
      },
      SLOW,
    );
  }
});

// ------------------------------------------------------------------------------------------------ recorded stories

interface Story {
  readonly id: string;
  readonly story: string;
  readonly cwd: string;
  readonly title: string | null;
  readonly prompts: readonly string[];
  readonly planted: readonly { readonly phrase: string; readonly in: string; readonly found: boolean }[];
  readonly tools: readonly { readonly name: string; readonly input: unknown; readonly agent: string }[];
  /** `sum` is of the answers that the server finished. */
  readonly tokens: { readonly sum: Usage; readonly subAgent?: Usage };
  readonly interruptedResponseIds: readonly string[];
}

const stories = (): Story[] =>
  SHARED === undefined
    ? []
    : JSON.parse(readFileSync(shared('corpus', 'live', 'claude', 'expected.json'), 'utf8')).sessions;

/** Whether a phrase stands in a part of the sort that the recording says. */
function isIn(part: ShownPart, place: string, phrase: string): boolean {
  if (place.includes('thinking')) return part.type === 'thinking' && part.text?.includes(phrase) === true;
  if (place.includes('answer')) return part.role === 'assistant' && part.text?.includes(phrase) === true;
  if (place.includes('prompt')) return part.role === 'user' && part.text?.includes(phrase) === true;
  if (place === 'compaction summary') return part.type === 'notice' && part.text?.includes(phrase) === true;
  if (place === 'tool output') return part.type === 'tool_call' && part.output?.includes(phrase) === true;
  return part.type === 'tool_call' && JSON.stringify(part.input).includes(phrase);
}

describe.skipIf(SHARED === undefined)('the recorded stories', () => {
  let held: Held;
  beforeAll(async () => {
    held = await hold(copyOfHome(shared('corpus', 'live', 'claude', 'home')));
  }, SLOW);
  afterAll(() => held?.product.remove());

  for (const story of stories()) {
    describe(`${story.story} (${story.id.slice(0, 8)})`, () => {
      const id = `${SOURCE}:${story.id}`;
      const own = () => held.shown.filter(({ session }) => session.id === id);
      const agents = () => held.shown.filter(({ session }) => isSubagent(session) && session.parent?.id === id);
      const partsOf = (shown: readonly Shown[]) => shown.flatMap(({ turns }) => turns.flatMap((turn) => turn.parts));

      it('has its title', () => {
        const session = own()[0]?.session;
        if (story.title === null) expect(session?.title_from).toBe('first-prompt');
        else expect(session?.title).toBe(story.title);
      });

      it('has its prompts', () => {
        const prompts = own().flatMap(({ turns }) => turns.flatMap((turn) => turn.prompt ?? []));
        expect(prompts).toEqual(story.prompts);
      });

      it('has its tokens', () => {
        // An answer that was stopped by the user is kept with the figures of its beginning; one that was killed is not.
        const interrupted = story.interruptedResponseIds.flatMap((key) => held.survey.calls.get(key)?.usage ?? []);
        expect(interrupted.length).toBe(story.story === 'tui' ? 1 : 0);
        const expected = sumOf([story.tokens.sum, ...interrupted]);
        expect(sumOf(own().map(({ session }) => asUsage(session.tokens)))).toEqual(expected);
        const { subAgent } = story.tokens;
        if (subAgent !== undefined) {
          expect(sumOf(agents().map(({ session }) => asUsage(session.tokens)))).toEqual(subAgent);
        }
      });

      it('has its tool calls', () => {
        // The program narrows the strings of an edit to what differs, and says `replace_all`, before it keeps them:
        // of an edit only the file is what the model asked for. All other arguments are.
        const asked = (name: string | undefined, input: unknown) =>
          name === 'Edit' ? { name, file_path: (input as { file_path: string }).file_path } : { name, input };
        const callsOf = (shown: readonly Shown[]) =>
          partsOf(shown).flatMap(({ type, name, input }) => (type === 'tool_call' ? [asked(name, input)] : []));
        const expected = (agent: string) =>
          story.tools.filter((tool) => tool.agent === agent).map(({ name, input }) => asked(name, input));
        expect(callsOf(own())).toEqual(expected('main'));
        expect(callsOf(agents())).toEqual(expected('sub-agent'));
      });

      it.each(story.planted.map((plant) => [plant.in, plant.phrase, plant.found] as const))(
        '%s: %s',
        (place, phrase, found) => {
          const shown = place.startsWith('sub-agent') ? agents() : own();
          expect(partsOf(shown).some((part) => isIn(part, place, phrase))).toBe(found);
        },
      );
    });
  }
});

// ------------------------------------------------------------------------------------------------ generated histories

describe.skipIf(SHARED === undefined)('a generated history', () => {
  for (const flags of ['--mb 20 --seed 1', '--mb 20 --seed 2 --resumes 0.5']) {
    it(
      flags,
      async () => {
        const home = mkdtempSync(join(tmpdir(), 'portolan-home-'));
        execFileSync(process.execPath, [shared('bench', 'gen.mjs'), '--home', home, ...flags.split(' ')]);
        const truth = JSON.parse(readFileSync(join(home, 'truth.json'), 'utf8')).claude;
        const { product, sessions, verdict } = await hold(home);
        product.remove();
        const asTruth = (usage: Usage) => ({
          input: usage.input_tokens,
          output: usage.output_tokens,
          cacheCreate: usage.cache_creation_input_tokens,
          cacheRead: usage.cache_read_input_tokens,
        });
        const all = (some: readonly ShownSession[]) => asTruth(sumOf(some.map((session) => asUsage(session.tokens))));
        const { input, output, cacheCreate, cacheRead } = truth;
        expect({
          sessions: sessions.filter((session) => !isSubagent(session)).length,
          subagents: sessions.filter(isSubagent).length,
          tokens: all(sessions),
          sidechain: all(sessions.filter(isSubagent)),
          byModel: Object.fromEntries(
            Object.entries(tokensByModel(sessions)).map(([model, usage]) => [model, asTruth(usage)]),
          ),
        }).toEqual({
          sessions: truth.sessions,
          subagents: truth.subagents,
          tokens: { input, output, cacheCreate, cacheRead },
          sidechain: truth.sidechain,
          byModel: truth.byModel,
        });
        expectNoFaults(verdict);
      },
      SLOW,
    );
  }
});
