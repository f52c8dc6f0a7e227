import { describe, expect, it } from 'vitest';
import { added, type UsageState } from '../../../src/agents/codex/usage.ts';
import { ID, OTHER, read, Script, turnId } from './script.ts';

const total = (input_tokens: number, cached_input_tokens: number, output_tokens: number, reasoning = 0) => ({
  input_tokens,
  cached_input_tokens,
  output_tokens,
  reasoning_output_tokens: reasoning,
});

describe('totals', () => {
  it('are told apart into calls: what is added, nothing where they are written again, all where they begin anew', () => {
    const state: UsageState = {};
    const add = (said: object) => added(state, { total_token_usage: said });
    expect(add(total(100, 40, 10, 5))).toEqual({ input: 60, cacheRead: 40, cacheWrite5m: 0, output: 10, reasoning: 5 });
    expect(add(total(100, 40, 10, 5))).toBeUndefined();
    expect(add(total(250, 140, 15, 5))).toEqual({
      input: 50,
      cacheRead: 100,
      cacheWrite5m: 0,
      output: 5,
      reasoning: 0,
    });
    expect(add(total(30, 10, 2))).toEqual({ input: 20, cacheRead: 10, cacheWrite5m: 0, output: 2, reasoning: 0 });
    expect(added(state, {})).toBeUndefined();
  });

  it('of a fork that points into its parent go on from the parent’s', () => {
    const state: UsageState = { continues: true };
    const usage = added(state, { total_token_usage: total(1000, 900, 100), last_token_usage: total(200, 150, 20) });
    expect(usage).toEqual({ input: 50, cacheRead: 150, cacheWrite5m: 0, output: 20, reasoning: 0 });
  });

  it('behind a copy that left some out count the last request alone', () => {
    const state: UsageState = { isCopy: true };
    added(state, { total_token_usage: total(100, 0, 10), last_token_usage: total(100, 0, 10) });
    const usage = added(state, { total_token_usage: total(900, 0, 90), last_token_usage: total(200, 0, 20) });
    expect(usage).toMatchObject({ input: 200, output: 20 });
  });
});

describe('calls', () => {
  it('have the model of the last turn, its window, and a key that a copy shares', async () => {
    const script = new Script()
      .meta()
      .task(turnId(1))
      .asked('Paint.')
      .tokens(100, 10)
      .tokens(100, 10)
      .task(turnId(2), 'gpt-6');
    const found = await read(script.tokens(300, 20));
    const calls = found.of('call').map((event) => event.call);
    expect(calls).toMatchObject([
      { model: 'gpt-5.5', input: 50, cacheRead: 50, output: 10, contextWindow: 258_400 },
      { model: 'gpt-6', input: 100, cacheRead: 100, output: 10 },
    ]);
    const copy = new Script().meta(OTHER, { forked_from_id: ID });
    copy.lines.push(...script.lines);
    expect((await read(copy, OTHER)).of('call').map((event) => event.call.key)).toEqual(calls.map((call) => call.key));
  });

  it('are those of the usage records where there are any', async () => {
    const usage = { ...total(100, 40, 10, 5), cache_write_input_tokens: 20 };
    const found = await read(
      new Script()
        .meta()
        .task(turnId(1))
        .record('token_usage_record', { response_id: 'resp_1', usage })
        .event('token_count', { info: { total_token_usage: usage } }),
    );
    expect(found.of('call').map((event) => event.call)).toMatchObject([
      { key: 'resp_1', input: 40, cacheRead: 40, cacheWrite5m: 20, output: 10, reasoning: 5 },
    ]);
  });
});
