import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeHome } from '../../support/claude-home.ts';
import { jsonl, Script, SESSION, type Usage } from '../../support/claude-records.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf } from '../../support/portolan.ts';
import { told } from '../../support/reading.ts';

async function calls(records: readonly unknown[]) {
  const found = await told(writeAt(join(temporaryFolder(), '-p', `${SESSION}.jsonl`), jsonl(records)));
  return found.of('call').map((event) => event.call);
}
const callOf = async (usage: Usage) => calls([new Script().answer('x', { id: 'msg_1', usage })]);

async function indexed(records: readonly unknown[]) {
  const home = new ClaudeHome();
  home.write(records);
  const portolan = new Portolan(home.env());
  await portolan.index();
  const stores = portolan.read();
  const session = sessionOf(stores, SESSION);
  return { tokens: session.tokens, sightings: stores.archive.sightings(session.id) };
}

describe('the usage of a request', () => {
  it('is parted into what was read from the cache, and written to it for five minutes or an hour', async () => {
    expect(
      await callOf({
        input_tokens: 3,
        output_tokens: 90,
        cache_read_input_tokens: 1000,
        cache_creation_input_tokens: 50,
        cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
        output_tokens_details: { thinking_tokens: 40 },
        server_tool_use: { web_search_requests: 2 },
      }),
    ).toMatchObject([
      {
        key: 'msg_1',
        model: 'claude-opus-5-5',
        input: 3,
        output: 90,
        cacheRead: 1000,
        cacheWrite5m: 20,
        cacheWrite1h: 30,
        reasoning: 40,
        webSearches: 2,
      },
    ]);
  });

  it('without lifetimes was written for five minutes', async () => {
    const [call] = await callOf({ input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 50 });
    expect(call).toMatchObject({ cacheWrite5m: 50 });
    expect(call).not.toHaveProperty('cacheWrite1h');
  });

  it('says nothing of what the file does not say', async () => {
    const [call] = await callOf({ input_tokens: 1, output_tokens: 0 });
    expect(Object.keys(call!).sort()).toEqual(['at', 'input', 'key', 'model', 'output']);
  });

  it('that is empty, or of the program itself, is no call', async () => {
    const script = new Script();
    expect(
      await calls([
        script.answer('a', { usage: {} }),
        script.answer('b', {}),
        script.answer('c', { model: '<synthetic>', usage: { input_tokens: 0, output_tokens: 0 } }),
      ]),
    ).toEqual([]);
  });

  it('is counted once a message, with the largest output, whichever record has it', async () => {
    const usages = [1, 90, 7].map((output) => ({
      input_tokens: 3,
      output_tokens: output,
      cache_read_input_tokens: output * 10,
    }));
    for (const order of [usages, usages.toReversed(), [usages[1]!, usages[0]!, usages[2]!]]) {
      const script = new Script();
      const records = order.map((usage, i) => script.answer([{ type: 'text', text: `${i}` }], { id: 'msg_1', usage }));
      const { tokens } = await indexed([script.user('Go.'), ...records]);
      expect(tokens).toEqual({
        'claude-opus-5-5': { input: 3, output: 90, cacheRead: 900, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 },
      });
    }
  });

  it('is summed by model', async () => {
    const script = new Script();
    const usage = { input_tokens: 1, output_tokens: 2 };
    const { tokens } = await indexed([
      script.user('Go.'),
      script.answer('a', { id: 'm1', usage }),
      script.answer('b', { id: 'm2', usage, model: 'claude-haiku-4-5' }),
      script.answer('c', { id: 'm3', usage }),
    ]);
    expect(tokens).toMatchObject({
      'claude-opus-5-5': { input: 2, output: 4 },
      'claude-haiku-4-5': { input: 1, output: 2 },
    });
  });
});

describe('web searches', () => {
  it('of the command line’s own tool are told by their results, and count for the message that asked', async () => {
    const script = new Script();
    const usage = { input_tokens: 1, output_tokens: 2, server_tool_use: { web_search_requests: 0 } };
    const { sightings } = await indexed([
      script.user('Go.'),
      script.call('toolu_1', 'WebSearch', { query: 'tide' }, { id: 'm1', usage }),
      script.call('toolu_2', 'WebSearch', { query: 'moon' }, { id: 'm1', usage }),
      script.result('toolu_1', 'x', { query: 'tide', results: [], searchCount: 1 }),
      script.result('toolu_2', 'x', { query: 'moon', results: [], searchCount: 2 }),
    ]);
    expect(sightings).toMatchObject([{ key: 'm1', webSearches: 3, tokens: { input: 1, output: 2 } }]);
  });
});
