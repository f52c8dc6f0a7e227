import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonl, Script, SESSION, uuid } from '../../support/claude-records.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { told } from '../../support/reading.ts';

const at = () => join(temporaryFolder(), '-p', `${SESSION}.jsonl`);
const read = (records: readonly unknown[]) => told(writeAt(at(), jsonl(records)));
const notShown = async (records: readonly unknown[]) => (await read(records)).last.tally.notShown;

describe('what hooks say', () => {
  it('is told: what they put into the context, why they stopped the agent, what went wrong in them', async () => {
    const script = new Script();
    const hook = (type: string, rest: object) => script.record('attachment', { attachment: { type, ...rest } });
    const found = await read([
      hook('hook_success', {
        content: 'read DECISIONS first',
        stdout: 'read DECISIONS first\n',
        command: 'bash hook.sh',
      }),
      hook('hook_success', { content: '', stdout: '{}', stderr: '' }),
      hook('hook_additional_context', { content: ['mind the tide', 'and the lamp'] }),
      hook('hook_blocking_error', { blockingError: { blockingError: 'no painting on Sundays', command: 'guard' } }),
      hook('hook_non_blocking_error', { content: '', stderr: 'guard: not found', stdout: 'looked in /usr/bin' }),
      script.record('system', {
        subtype: 'stop_hook_summary',
        hookInfos: [{ command: 'bash stop.sh' }],
        hookErrors: ['stop.sh: no such file'],
        hookAdditionalContext: ['still wet'],
        stopReason: 'tests fail',
      }),
      script.record('system', { subtype: 'stop_hook_summary', hookInfos: [], hookErrors: [], stopReason: '' }),
    ]);
    expect(found.lines()).toEqual([
      'system: read DECISIONS first',
      'system: mind the tide\nand the lamp',
      'system: no painting on Sundays',
      'system: guard: not found',
      'system: Stop hook error: stop.sh: no such file\nstill wet\nStopped by a hook: tests fail',
    ]);
    expect(found.last.tally).toMatchObject({
      unknown: {},
      notShown: { 'attachment/hook command': 1, 'attachment/hook stdout': 2, 'system/stop_hook_summary hookInfos': 1 },
    });
  });
});

describe('an answer that is an API error’s', () => {
  it('is told with its details', async () => {
    const script = new Script();
    const error = { isApiErrorMessage: true, error: 'invalid_request', errorDetails: '400 {"message":"bad schema"}' };
    expect((await read([script.answer('API Error', {}, error)])).lines()).toEqual([
      'assistant: API Error',
      'system: API error: 400 {"message":"bad schema"}',
    ]);
  });
});

describe('a sub-agent that progress records tell of', () => {
  const said = (name: string, content: unknown, type = 'assistant') => ({
    type,
    uuid: uuid(name),
    timestamp: '2026-11-21T10:00:00Z',
    message: { id: `msg_${name}`, role: type, content },
  });
  const task = said('task', [{ type: 'text', text: 'Sound the pier.' }], 'user');
  const thought = said('thought', [{ type: 'text', text: 'First I look at the chart.' }]);
  const call = said('call', [{ type: 'tool_use', id: 'toolu_9', name: 'Read', input: { file_path: '/chart' } }]);
  const result = said('result', [{ type: 'tool_result', tool_use_id: 'toolu_9', content: '1\tfour fathoms' }], 'user');
  const script = new Script({ version: '2.1.15' });
  const progress = (message: unknown, normalizedMessages: readonly unknown[]) =>
    script.record('progress', {
      parentToolUseID: 'toolu_1',
      data: { type: 'agent_progress', agentId: 'a1b2c3d', message, normalizedMessages },
    });
  const records = [
    script.user('Ask someone.'),
    progress(task, []),
    progress(call, [task, thought]),
    progress(result, [task, thought, call]),
    progress(said('end', [{ type: 'text', text: 'Four.' }]), [task, thought, call, result]),
  ];
  const lines = ['user: Sound the pier.', 'assistant: First I look at the chart.', 'call: Read', 'assistant: Four.'];

  it('says what only the repetition of its messages holds, each thing once', async () => {
    const found = await read(records);
    expect(found.lines(`${SESSION}/progress-a1b2c3d`)).toEqual(lines);
    expect(found.of('result').map((each) => each.result.output)).toEqual(['four fathoms']);
  });

  it('says it once where the file grows in between', async () => {
    for (let cut = 1; cut < records.length; cut++) {
      const path = writeAt(at(), jsonl(records.slice(0, cut)));
      const first = await told(path);
      writeAt(path, jsonl(records));
      const then = await told(path, { from: first.last.checkpoint });
      const session = `${SESSION}/progress-a1b2c3d`;
      expect([...first.lines(session), ...then.lines(session)]).toEqual(lines);
    }
  });
});

describe('what is known and not shown', () => {
  it('is counted by the type of its record, parsed or not', async () => {
    const script = new Script();
    expect(
      await notShown([
        { type: 'api-request-blob', sessionId: SESSION },
        { type: 'api-request-blob', sessionId: SESSION },
        { sessionId: SESSION, type: 'mode' },
        script.record('system', { subtype: 'turn_duration' }),
        script.record('attachment', { attachment: { type: 'skill_listing', content: '- paint' } }),
        script.record('progress', { data: { type: 'bash_progress', output: 'wet' } }),
        { type: 'queue-operation', operation: 'enqueue', content: 'And the lamp?', sessionId: SESSION },
      ]),
    ).toEqual({
      'api-request-blob': 2,
      mode: 1,
      'system/turn_duration': 1,
      'attachment/skill_listing': 1,
      'progress/bash_progress': 1,
      'queue-operation/enqueue': 1,
    });
  });

  it('is counted by the field of a record that is shown', async () => {
    const script = new Script();
    const output = 'The pier was painted, both sides of it.';
    expect(
      await notShown([
        script.answer([{ type: 'thinking', thinking: '', signature: 'x' }]),
        script.answer([{ type: 'redacted_thinking', data: 'x' }]),
        script.call('toolu_1', 'Edit', { file_path: '/pier.ts', old_string: 'grey', new_string: 'green' }),
        script.result('toolu_1', output, {
          originalFile: 'the pier is grey and has been for years',
          newString: 'something that the call says in so many words',
          stdout: output,
          [`${'x'.repeat(20)}`]: 'a text that nothing else in this file holds',
        }),
        script.record('attachment', {
          attachment: { type: 'file', filename: '/pier.ts', content: { file: { content: 'green' } } },
          rendered: [{ content: '<system-reminder>green</system-reminder>' }],
        }),
      ]),
    ).toEqual({
      'assistant thinking': 1,
      'assistant redacted_thinking': 1,
      'user toolUseResult.originalFile': 1,
      'user toolUseResult': 1,
      'attachment/file content': 1,
      'attachment rendered': 1,
    });
  });

  it('is not what is unknown: a block of another type is reported', async () => {
    const script = new Script();
    expect((await read([script.answer([{ type: 'hologram' }])])).last.tally.unknown).toEqual({
      'assistant block:hologram': 1,
    });
  });
});
