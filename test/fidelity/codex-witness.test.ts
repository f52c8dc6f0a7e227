import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RawTokens, surveyCodex } from '../oracle/codex.ts';
import { compareCodex } from '../oracle/codex-compare.ts';
import { idealCodex } from '../oracle/codex-ideal.ts';
import type { DraftTurn } from '../oracle/ideal.ts';
import { SHARED, type ShownPart, shared } from '../oracle/product.ts';

/** The witness itself against the census and the generator, which were counted by others: before it may judge the product. */

const HOMES = ['homes/codex', 'natural/agentic-neurodata-conversion', 'live/codex/home', 'live/codex/home-migrated'];
const census = () => JSON.parse(readFileSync(shared('corpus', 'census.json'), 'utf8'));

describe.skipIf(SHARED === undefined)('the witness counts what the census counts', () => {
  for (const home of ['homes/codex', 'homes/codex-b', 'natural/agentic-neurodata-conversion']) {
    it(home, () => {
      const { sessions, prompts, tokens, tool_calls } = census()[home];
      const survey = surveyCodex(shared('corpus', home));
      expect(survey.rollouts.length).toBe(sessions);
      expect(survey.censusPrompts).toBe(prompts);
      expect(survey.toolCalls).toEqual(tool_calls);
      expect(survey.censusTokens).toEqual(tokens);
    });
  }

  it('names every difference between its prompts and those of Portolan', () => {
    const differencesOf = (home: string) => surveyCodex(shared('corpus', home)).promptDifferences;
    expect(differencesOf('homes/codex')).toEqual({});
    expect(differencesOf('natural/agentic-neurodata-conversion')).toEqual({});
    expect(differencesOf('live/codex/home')).toEqual({
      'a prompt: told by item_completed': 22,
      'a prompt: task of a sub-agent': 1,
    });
    expect(differencesOf('live/codex/home-migrated')).toEqual({
      'a prompt: told by item_completed': 24,
      'a prompt: task of a sub-agent': 1,
    });
  });
});

describe.skipIf(SHARED === undefined)('the witness counts what the generator wrote', () => {
  for (const flags of ['--mb 20 --seed 1', '--mb 20 --seed 2 --forks 0.5']) {
    it(flags, () => {
      const home = mkdtempSync(join(tmpdir(), 'portolan-generated-'));
      onTestFinished(() => rmSync(home, { recursive: true, force: true }));
      execFileSync(process.execPath, [shared('bench', 'gen.mjs'), '--home', home, ...flags.split(' ')]);
      const truth = JSON.parse(readFileSync(join(home, 'truth.json'), 'utf8')).codex;
      const survey = surveyCodex(home);
      expect(survey.rollouts.length).toBe(truth.sessions);
      expect(survey.subagents).toBe(truth.forks ?? 0);
      const byModel = Object.fromEntries(
        Object.entries(survey.tokens).map(([model, { input, cacheRead, output, reasoning }]) => [
          model,
          { input: input + cacheRead, cached: cacheRead, output, reasoning, total: input + cacheRead + output },
        ]),
      );
      expect(byModel).toEqual(truth.byModel);
      // Every fork repeats its parent's records, and they are known for that.
      const replayed = survey.rollouts.filter((rollout) => rollout.replayed > 0);
      expect(replayed.length).toBe(truth.forks ?? 0);
      const whole = Object.values(survey.censusTokens).reduce((sum, each: RawTokens) => sum + each.output_tokens, 0);
      if (truth.forks > 0) expect(whole).toBeGreaterThan(truth.output);
    });
  }
});

// ------------------------------------------------------------------------------------------------ sensitivity

describe.skipIf(SHARED === undefined)('a product', () => {
  for (const name of HOMES) {
    it(`that shows all of ${name} has no fault`, () => {
      const survey = surveyCodex(shared('corpus', name));
      const verdict = compareCodex(survey, idealCodex(survey));
      expect(verdict.faults.slice(0, 20)).toEqual([]);
      expect(verdict.prompts).toBe(survey.prompts);
    });
  }

  const spoil: Readonly<Record<string, (turns: DraftTurn[], turn: number, part: number) => void>> = {
    'that leaves out a part': (turns, turn, part) => turns[turn]?.parts.splice(part, 1),
    'that shows a part twice': (turns, turn, part) => {
      const twice = turns[turn]?.parts[part];
      // A second notice of an interruption or a shell command would be no more than that.
      if (twice?.type === 'notice') turns[turn]?.parts.splice(part, 1);
      else turns[turn]?.parts.push({ ...twice } as ShownPart);
    },
    'that changes a letter': (turns, turn, part) => {
      const spoilt = turns[turn]?.parts[part];
      if (spoilt?.kind === 'interruption') turns[turn]?.parts.splice(part, 1);
      else if (spoilt?.text !== undefined) spoilt.text = spoilt.text.replace(/[a-z]/g, '#');
      else if (spoilt !== undefined) {
        spoilt.input = { spoilt: true };
        Object.assign(spoilt, { command: 'another', paths: [], name: 'another' });
      }
    },
    'that moves a part to the end': (turns, turn, part) => {
      const [moved] = turns[turn]?.parts.splice(part, 1) ?? [];
      if (moved === undefined) return;
      turns.at(-1)?.parts.push(moved);
      // What a script did has no place of its own.
      if (moved.call_id?.startsWith('exec-')) turns.at(-1)?.parts.pop();
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
  for (const how of Object.keys(spoil)) {
    // The session in the terminal, and one in code mode with a sub-agent.
    it.each(['4dcdfeb4ba1e', '66f8aad0248e'])(`${how} has a fault: %s`, (session) => {
      const survey = surveyCodex(shared('corpus', 'live', 'codex', 'home'));
      const at = survey.rollouts.findIndex((each) => each.id.endsWith(session));
      const turnsOf = () => structuredClone(idealCodex(survey)[at]?.turns) as DraftTurn[];
      for (const [turn, { parts }] of turnsOf().entries()) {
        for (const part of parts.keys()) {
          const isLast = turn === turnsOf().length - 1 && part === parts.length - 1;
          if (isLast && how === 'that moves a part to the end') continue;
          const shown = idealCodex(survey);
          const spoilt = shown[at];
          if (spoilt === undefined) throw new Error('no such session');
          spoil[how]?.(spoilt.turns, turn, part);
          const { faults } = compareCodex(survey, shown);
          expect(faults.length, `turn ${turn}, part ${part}: ${JSON.stringify(parts[part])}`).toBeGreaterThan(0);
        }
      }
    });
  }
});
