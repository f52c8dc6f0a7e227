import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProduct } from '../oracle/product.ts';
import { historyFiles, kindsOfClaude, silentTexts } from '../oracle/silent.ts';
import { jsonl, Script, SESSION } from '../support/claude-records.ts';
import { temporaryFolder, writeAt } from '../support/folders.ts';

describe('the witness of what is lost in silence', () => {
  const script = new Script();
  const prompt = 'Please paint the whole pier before the tide comes in.';
  const weather = 'It rains on the pier all day, says the log.';
  const records = [
    script.user(prompt),
    script.result('toolu_1', '1\tthe first plank of the pier\n2\tand the second plank of it'),
    script.record('attachment', { attachment: { type: 'weather', content: weather } }),
  ];
  const shown = [{ text: prompt }, 'the first plank of the pier\nand the second plank of it'];
  const ask = (of: { shown: readonly unknown[]; counted: Readonly<Record<string, number>> }) => {
    const root = temporaryFolder();
    writeAt(join(root, 'pier.jsonl'), jsonl(records));
    return silentTexts({ root, files: historyFiles(root), kindsOf: kindsOfClaude, ...of });
  };

  it('finds nothing where each text is shown, or counted by its type', () => {
    expect(ask({ shown, counted: { 'attachment/weather': 1 } })).toEqual([]);
  });

  it('names the type, the field and an example of a text that is neither', () => {
    expect(ask({ shown, counted: {} })).toEqual([
      {
        kinds: ['attachment/weather', 'attachment/weather content'],
        records: 1,
        counted: 0,
        example: `pier.jsonl:3 attachment.content: ${weather}`,
      },
    ]);
    expect(ask({ shown: shown.slice(0, 1), counted: { 'attachment/weather': 1 } })).toMatchObject([
      {
        kinds: ['user content'],
        example: expect.stringContaining('pier.jsonl:2 message.content.content: 1\tthe first'),
      },
    ]);
  });
});

describe('what a file tells beside prompts and answers', () => {
  it('is shown; the rest is counted in what doctor says', async () => {
    const product = openProduct();
    const script = new Script({ version: '2.1.15' });
    const said = (text: string) => ({
      type: 'assistant',
      uuid: text,
      message: { id: text, role: 'assistant', content: [{ type: 'text', text }] },
    });
    const hook = { type: 'hook_success', content: 'Alderlantern: read this', command: 'bash hook.sh' };
    const error = { isApiErrorMessage: true, errorDetails: '400 firhinge is not valid' };
    writeAt(
      join(product.home, '.claude', 'projects', '-home-dev-projects-pier', `${SESSION}.jsonl`),
      jsonl([
        script.user('Paint the pier.'),
        script.record('progress', {
          data: {
            type: 'agent_progress',
            agentId: 'a1b2c3d',
            message: said('Four fathoms.'),
            normalizedMessages: [said('Larchmarrow first.')],
          },
        }),
        script.record('attachment', { attachment: hook }),
        script.record('system', {
          subtype: 'stop_hook_summary',
          hookErrors: ['Elmferret is undefined'],
          hookInfos: [{ command: 'bash stop.sh' }],
        }),
        script.answer('API Error', {}, error),
        { type: 'queue-operation', operation: 'enqueue', content: 'Wait for oakkestrel', sessionId: SESSION },
        { type: 'queue-operation', operation: 'popAll', sessionId: SESSION },
      ]),
    );
    await product.index();
    const shown = JSON.stringify(await product.showAll(await product.sessions()));
    for (const word of ['Larchmarrow', 'Alderlantern', 'Elmferret', 'firhinge', 'oakkestrel'])
      expect(shown).toContain(word);
    expect(await product.notShown('claude-code')).toEqual({
      'attachment/hook command': 1,
      'queue-operation/enqueue': 1,
      'system/stop_hook_summary hookInfos': 1,
    });
    product.remove();
  });
});
