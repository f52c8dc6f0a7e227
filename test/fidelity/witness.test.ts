import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { surveyClaude } from '../oracle/claude.ts';
import { compare, isRedacted } from '../oracle/compare.ts';
import { type DraftTurn, ideal } from '../oracle/ideal.ts';
import { SHARED, type ShownPart, shared } from '../oracle/product.ts';

/** The witness itself against the census, which was counted by others: before it may judge the product. */

const census = () => JSON.parse(readFileSync(shared('corpus', 'census.json'), 'utf8'));

describe.skipIf(SHARED === undefined)('the witness counts what the census counts', () => {
  for (const home of ['homes/claude', 'natural/cli']) {
    it(home, () => {
      const { sessions, subagent_files, prompts, tokens, tool_calls } = census()[home];
      const survey = surveyClaude(shared('corpus', home));
      expect(survey.sessions).toBe(sessions);
      expect(survey.agentFiles).toBe(subagent_files);
      expect(survey.censusPrompts).toBe(prompts);
      expect(survey.toolCalls).toEqual(tool_calls);
      expect(survey.tokens).toEqual(tokens);
    });
  }

  it('names every difference between its prompts and those of Portolan', () => {
    const survey = surveyClaude(shared('corpus', 'homes/claude'));
    expect(survey.promptDifferences).toEqual({
      'not a prompt: unknown command answered, in a notice': -88,
      'not a prompt: command envelope, in a notice': -32,
      'not a prompt: replayed record': -1,
      "a prompt: a sub-agent's task": 74,
      'a prompt: queued while the agent was busy': 10,
      'a prompt: the task of a sub-agent inside a session': 1,
    });
    expect(survey.prompts).toBe(454);
    const cli = surveyClaude(shared('corpus', 'natural/cli'));
    expect(cli.promptDifferences).toEqual({
      'a prompt: the task of a sub-agent inside a session': 4,
      'not a prompt: command envelope, in a notice': -16,
    });
    expect(cli.prompts).toBe(179);
  });

  it('adds up the tokens of every file to those of the home', () => {
    for (const home of ['homes/claude', 'natural/cli', 'live/claude/home']) {
      const survey = surveyClaude(shared('corpus', home));
      const sum = (all: Iterable<{ output_tokens: number }>) =>
        [...all].reduce((total, { output_tokens }) => total + output_tokens, 0);
      expect(sum(survey.tokensByFile.values())).toBe(sum(Object.values(survey.tokens)));
    }
  });
});

describe.skipIf(SHARED === undefined)('the witness counts what the generator wrote', () => {
  for (const flags of ['--mb 20 --seed 1', '--mb 20 --seed 2 --resumes 0.5']) {
    it(flags, () => {
      const home = mkdtempSync(join(tmpdir(), 'portolan-generated-'));
      onTestFinished(() => rmSync(home, { recursive: true, force: true }));
      execFileSync(process.execPath, [shared('bench', 'gen.mjs'), '--home', home, ...flags.split(' ')]);
      const truth = JSON.parse(readFileSync(join(home, 'truth.json'), 'utf8')).claude;
      const survey = surveyClaude(home);
      expect(survey.sessions).toBe(truth.sessions);
      expect(survey.agentFiles).toBe(truth.subagents);
      const tokens = Object.entries(survey.tokens).map(([model, usage]) => [
        model,
        {
          input: usage.input_tokens,
          output: usage.output_tokens,
          cacheCreate: usage.cache_creation_input_tokens,
          cacheRead: usage.cache_read_input_tokens,
        },
      ]);
      expect(Object.fromEntries(tokens)).toEqual(truth.byModel);
    });
  }
});

// ------------------------------------------------------------------------------------------------ sensitivity

describe.skipIf(SHARED === undefined)('a product', () => {
  for (const name of ['homes/claude', 'natural/cli', 'live/claude/home']) {
    it(`that shows all of ${name} has no fault`, () => {
      const home = shared('corpus', name);
      const survey = surveyClaude(home);
      const verdict = compare(survey, home, ideal(survey, home));
      expect(verdict.faults.slice(0, 20)).toEqual([]);
      expect(verdict.prompts).toBe(survey.prompts);
    });
  }

  const spoil: Readonly<Record<string, (turns: DraftTurn[], turn: number, part: number) => void>> = {
    'that leaves out a part': (turns, turn, part) => turns[turn]?.parts.splice(part, 1),
    'that shows a part twice': (turns, turn, part) =>
      turns[turn]?.parts.push({ ...turns[turn].parts[part] } as ShownPart),
    'that changes a letter': (turns, turn, part) => {
      const spoilt = turns[turn]?.parts[part];
      if (spoilt?.text !== undefined) spoilt.text = `${spoilt.text.slice(0, -1)}#`;
      else if (spoilt !== undefined) spoilt.input = { ...(spoilt.input as object), spoilt: true };
    },
    'that moves a part to the end': (turns, turn, part) => {
      const [moved] = turns[turn]?.parts.splice(part, 1) ?? [];
      if (moved !== undefined) turns.at(-1)?.parts.push(moved);
    },
    'that loses an output': (turns, turn, part) => {
      const call = turns[turn]?.parts.slice(part).find((each) => each.output !== undefined) ?? turns[turn]?.parts[part];
      if (call?.output === undefined) turns[turn]?.parts.splice(part, 1);
      else delete call.output;
    },
    'that lets a prompt open no turn': (turns, turn) => {
      const at = Math.max(2, turn);
      turns[at - 1]?.parts.push(...(turns[at]?.parts ?? []));
      turns.splice(at, 1);
    },
  };
  it.each(Object.keys(spoil))('%s has a fault', (how) => {
    const home = shared('corpus', 'live', 'claude', 'home');
    const survey = surveyClaude(home);
    // The session in the terminal has something of everything.
    const at = survey.transcripts.findIndex((each) => each.stem.startsWith('822f5a07'));
    const turnsOf = () => structuredClone(ideal(survey, home)[at]?.turns) as DraftTurn[];
    for (const [turn, { parts }] of turnsOf().entries()) {
      for (const part of parts.keys()) {
        const isLast = turn === turnsOf().length - 1 && part === parts.length - 1;
        if (isLast && how === 'that moves a part to the end') continue;
        const shown = ideal(survey, home);
        const turns = turnsOf();
        spoil[how]?.(turns, turn, part);
        const session = shown[at]?.session;
        if (session !== undefined) shown[at] = { session, turns };
        expect(compare(survey, home, shown).faults.length, `turn ${turn}, part ${part}`).toBeGreaterThan(0);
      }
    }
  });
});

describe('a text with secrets taken out', () => {
  it.each([
    ['key AKIA1234 end', 'key [AWS_KEY] end', true],
    ['key AKIA1234', 'key [AWS_KEY]', true],
    ['a xoxb-1 b ghp_2 c', 'a [SLACK_TOKEN] b [GH_TOKEN] c', true],
    ['key AKIA1234 end', 'key [AWS_KEY] other', false],
    ['key  end', 'key  end', false],
    ['a xoxb-1 b', 'a [SLACK_TOKEN] b [GH_TOKEN] c', false],
  ])('%s: %s', (whole, shown, expected) => {
    expect(isRedacted(whole, shown)).toBe(expected);
  });
});
