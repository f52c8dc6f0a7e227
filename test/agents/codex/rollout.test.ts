import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { CWD, ID, OTHER, read, Script, told, turnId } from './script.ts';

describe('a rollout', () => {
  it('tells each thing once, whichever way it was written', async () => {
    const found = await read(
      new Script()
        .meta()
        .heard('<environment_context>\n  <cwd>/home</cwd>\n</environment_context>')
        .task(turnId(1))
        .asked('Paint the pier.')
        .event('agent_reasoning', { text: 'Which colour?' })
        .item('reasoning', { summary: [{ type: 'summary_text', text: 'Which colour?' }], encrypted_content: 'gAAAA' })
        .answered('I paint it red.')
        .call('call_1', 'paint --red')
        .output('call_1', 'Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nwet')
        .answered('Done.')
        .asked('y')
        .answered('Done.'),
    );
    expect(found.lines()).toEqual([
      'user: Paint the pier.',
      'thinking: Which colour?',
      'assistant: I paint it red.',
      'call: exec_command',
      'assistant: Done.',
      'user: y',
      'assistant: Done.',
    ]);
    expect(found.of('result')[0]?.result).toMatchObject({ output: 'wet', exitCode: 0, isError: false });
    expect(found.of('turn')).toHaveLength(2);
  });

  it('takes prompts from items where there are no events, and answers too', async () => {
    const found = await read(new Script().meta().heard('Paint.').said('Red?').heard('Blue.').said('Done.'));
    expect(found.lines()).toEqual(['user: Paint.', 'assistant: Red?', 'user: Blue.', 'assistant: Done.']);
  });

  it('tells a prompt at the end of a file, and not again when its event comes', async () => {
    const script = new Script().meta().task(turnId(1)).heard('Paint.');
    expect((await read(script)).lines()).toEqual(['user: Paint.']);
    expect((await read(script.event('user_message', { message: 'Paint.' }))).lines()).toEqual(['user: Paint.']);
  });

  it('takes a message without its event for the program’s, where prompts have events', async () => {
    const found = await read(
      new Script().meta().asked('Paint.').answered('Ok.').heard('Remember the tide.').said('Yes.'),
    );
    expect(found.lines()).toEqual(['user: Paint.', 'assistant: Ok.', 'system: Remember the tide.', 'assistant: Yes.']);
  });

  it('reads paginated histories', async () => {
    const found = await read(
      new Script()
        .meta(ID, { history_mode: 'paginated' })
        .task(turnId(1))
        .heard('Look at this.')
        .done('UserMessage', {
          content: [
            { type: 'local_image', path: '/home/dev/pier.png' },
            { type: 'text', text: 'Look at this.' },
          ],
        })
        .done('Reasoning', { id: 'rs_1', summary_text: ['A pier.'], raw_content: [] })
        .item('reasoning', { id: 'rs_1', summary: [{ type: 'summary_text', text: 'A pier.' }] })
        .done('AgentMessage', { content: [{ type: 'Text', text: 'It is a pier.' }] })
        .said('It is a pier.'),
    );
    expect(found.lines()).toEqual([
      'user: Look at this.',
      'attachment: image /home/dev/pier.png',
      'thinking: A pier.',
      'assistant: It is a pier.',
    ]);
  });

  it('tells an interruption once, commands typed by `!`, errors and compactions as notices', async () => {
    const found = await read(
      new Script()
        .meta()
        .asked('Paint.')
        .heard('<turn_aborted>\nThe user interrupted.\n</turn_aborted>')
        .event('turn_aborted', { reason: 'interrupted' })
        .heard(
          '<user_shell_command>\n<command>\nls\n</command>\n<result>\nExit code: 0\nDuration: 0.1 seconds\nOutput:\npier\n</result>\n</user_shell_command>',
        )
        .event('error', { message: 'The tide is high.' })
        .record('compacted', {
          message: '',
          replacement_history: [{ type: 'message', role: 'user', content: 'Paint.' }],
        })
        .event('context_compacted'),
    );
    expect(found.lines()).toEqual([
      'user: Paint.',
      'interruption: The user interrupted.',
      'command: ! ls\npier',
      'system: The tide is high.',
      'compaction: Context compacted',
    ]);
  });

  it('tells what a script of code mode did, and no output twice', async () => {
    const found = await read(
      new Script()
        .meta()
        .asked('Look.')
        .item('custom_tool_call', {
          call_id: 'call_1',
          name: 'exec',
          namespace: 'functions',
          input: 'await tools.exec_command({})',
        })
        .done('CommandExecution', {
          id: 'exec-1',
          command: ['/bin/bash', '-lc', 'cat pier.txt'],
          cwd: 'file:///home/dev/my%20pier',
          status: 'failed',
          exit_code: 1,
          aggregated_output: 'wet\n',
        })
        .done('FileChange', {
          id: 'exec-2',
          changes: { '/home/dev/pier.txt': { type: 'update', unified_diff: '@@' } },
          status: 'completed',
        })
        .item('custom_tool_call_output', {
          call_id: 'call_1',
          output: [
            { type: 'input_text', text: 'Script completed\nWall time 0.1 seconds\nOutput:\n' },
            { type: 'input_text', text: 'wet\n' },
            { type: 'input_text', text: 'and cold' },
          ],
        }),
    );
    expect(found.parts().slice(1)).toMatchObject([
      { name: 'exec', input: 'await tools.exec_command({})' },
      { name: 'exec_command', kind: 'shell', command: 'cat pier.txt', input: { workdir: '/home/dev/my pier' } },
      { name: 'apply_patch', kind: 'edit', paths: ['/home/dev/pier.txt'] },
    ]);
    expect(
      found.of('result').map(({ callId, result }) => [callId, result.output, result.exitCode, result.isError]),
    ).toEqual([
      ['exec-1', 'wet\n', 1, true],
      ['exec-2', undefined, undefined, false],
      ['call_1', 'and cold', undefined, false],
    ]);
  });

  it('leaves the ends of calls that stand in the file to their outputs', async () => {
    const found = await read(
      new Script()
        .meta()
        .asked('Look.')
        .item('custom_tool_call', {
          call_id: 'call_1',
          name: 'apply_patch',
          input: '*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt',
        })
        .event('patch_apply_end', { call_id: 'call_1', success: false, changes: {} })
        .item('custom_tool_call_output', { call_id: 'call_1', output: 'patch rejected' }),
    );
    expect(found.parts()).toHaveLength(2);
    expect(found.parts()[1]).toMatchObject({ kind: 'edit', paths: [`${CWD}/a.txt`, `${CWD}/b.txt`] });
    expect(found.of('result').map(({ result }) => result.isError)).toEqual([true]);
  });

  it('names the sub-agent that a call started, and takes its task for its prompt', async () => {
    const parent = await read(
      new Script()
        .meta()
        .asked('Delegate.')
        .item('function_call', { call_id: 'call_1', name: 'spawn_agent', namespace: 'collaboration', arguments: '{}' })
        .done('SubAgentActivity', { id: 'call_1', kind: 'started', agent_thread_id: OTHER })
        .output('call_1', '{"task_name":"/root/look"}')
        .item('agent_message', {
          author: '/root/look',
          recipient: '/root',
          content: [{ type: 'input_text', text: 'Message Type: FINAL_ANSWER\nPayload:\nWet.' }],
        }),
    );
    expect(parent.of('result')[0]?.result.child).toBe(OTHER);
    expect(parent.lines().at(-1)).toBe('system: /root/look:\nWet.');
    const child = await read(
      new Script()
        .meta(OTHER, {
          session_id: ID,
          parent_thread_id: ID,
          agent_path: '/root/look',
          agent_nickname: 'Locke',
          source: { subagent: { thread_spawn: { parent_thread_id: ID, depth: 1 } } },
        })
        .task(turnId(2))
        .item('agent_message', {
          author: '/root',
          recipient: '/root/look',
          content: [
            { type: 'input_text', text: 'Message Type: NEW_TASK\nPayload:\n' },
            { type: 'encrypted_content', encrypted_content: 'Look at the pier.' },
          ],
        })
        .item('agent_message', {
          author: '/root',
          recipient: '/root/look',
          content: [{ type: 'encrypted_content', encrypted_content: 'gAAAAsecret' }],
        })
        .said('Wet.'),
      OTHER,
    );
    expect(child.lines()).toEqual(['user: Look at the pier.', 'assistant: Wet.']);
    expect(child.facts(OTHER)).toMatchObject({
      parent: { nativeId: ID, relation: 'subagent' },
      titles: { agent: 'Locke (look)' },
    });
  });

  it('names a sub-agent that only the output names', async () => {
    const found = await read(
      new Script()
        .meta()
        .item('function_call', { call_id: 'call_1', name: 'spawn_agent', arguments: '{}' })
        .output('call_1', `{"agent_id":"${OTHER}","nickname":"Locke"}`),
    );
    expect(found.of('result')[0]?.result.child).toBe(OTHER);
  });

  it('counts the bytes of pictures, and keeps none', async () => {
    const picture = `data:image/png;base64,${'A'.repeat(400)}`;
    const found = await read(
      new Script()
        .meta()
        .item('message', {
          role: 'user',
          content: [
            { type: 'input_text', text: '<image name=[Image #1]>' },
            { type: 'input_image', image_url: picture },
            { type: 'input_text', text: '</image>' },
            { type: 'input_text', text: 'Which colour?' },
          ],
        })
        .event('user_message', { message: 'Which colour?', images: [picture] })
        .item('function_call', { call_id: 'call_1', name: 'view_image', arguments: '{"path":"pier.png"}' })
        .output('call_1', [{ type: 'input_image', image_url: picture }]),
    );
    expect(found.lines()).toEqual(['user: Which colour?', 'attachment: image', 'call: view_image']);
    expect(found.parts()[1]).toMatchObject({ mime: 'image/png', bytes: 300 });
    expect(found.parts()[2]).toMatchObject({ kind: 'read', paths: [`${CWD}/pier.png`] });
    expect(found.of('result')[0]?.result.attachments).toMatchObject([{ mime: 'image/png', bytes: 300 }]);
    expect(JSON.stringify(found.events)).not.toContain('AAAA');
  });

  it('says of its session what the head and the turns say', async () => {
    const found = await read(
      new Script()
        .meta(ID, { cwd: '\\\\?\\C:\\work\\pier', originator: 'codex_vscode', source: 'vscode' })
        .task(turnId(1))
        .record('turn_context', {
          cwd: '/home/dev/other',
          model: 'gpt-6.2-sol',
          approval_policy: 'never',
          sandbox_policy: { type: 'read-only' },
          effort: 'xhigh',
          timezone: 'Europe/Berlin',
        }),
    );
    expect(found.facts(ID)).toEqual({
      kind: 'transcript',
      client: {
        name: 'codex_vscode',
        version: '0.111.0',
        surface: 'editor',
        provider: 'openai',
        policy: 'never, read-only',
        effort: 'xhigh',
        timezone: 'Europe/Berlin',
      },
      cwd: 'C:\\work\\pier',
      roots: ['C:\\work\\pier', CWD, '/home/dev/other'],
      branch: 'main',
      remote: 'https://example.com/harbor.git',
      models: ['gpt-5.5', 'gpt-6.2-sol'],
    });
    expect(found.lines()).toEqual(['model-change: gpt-5.5 → gpt-6.2-sol']);
  });

  it('marks what a prompt follows after turns were taken back', async () => {
    const found = await read(
      new Script()
        .meta()
        .task(turnId(1))
        .asked('One.')
        .answered('First.')
        .task(turnId(2))
        .asked('Two.')
        .answered('Second.')
        .event('thread_rolled_back', { num_turns: 1 })
        .task(turnId(3))
        .asked('Other two.'),
    );
    const first = found.of('part').find(({ part }) => part.type === 'text' && part.text === 'First.');
    expect(found.of('turn').map((turn) => turn.after)).toEqual([undefined, undefined, first?.record]);
  });

  it('counts unknown records, and is hurt by none', async () => {
    const script = new Script().meta();
    script.record('novelty', {}).event('novelty').item('novelty').done('Novelty');
    for (const payload of [{ type: 'message' }, { type: 'function_call' }, { type: 'reasoning', summary: 3 }])
      script.record('response_item', payload);
    for (const type of ['turn_context', 'compacted', 'token_usage_record', 'session_meta']) script.record(type, {});
    for (const type of ['user_message', 'token_count', 'item_completed', 'exec_command_end', 'mcp_tool_call_end'])
      script.event(type, { item: 1, info: [], call_id: 3 });
    const found = await read(script);
    expect(found.last.tally.unknown).toEqual({
      novelty: 1,
      'event_msg/novelty': 1,
      'response_item/novelty': 1,
      'event_msg/item_completed/Novelty': 1,
      'event_msg/item_completed/untyped': 1,
    });
  });

  it('skips large bookkeeping without parsing it, but not a torn line', async () => {
    const path = writeAt(
      join(temporaryFolder(), `rollout-${ID}.jsonl`),
      `${JSON.stringify({ timestamp: '2026-11-21T12:00:00.000Z', ordinal: 1, type: 'world_state', payload: { full: true } })}\n{"timestamp":"2026-11-21T12:00:01.000Z","type":"world_state","payload":{\n`,
    );
    const found = await told(path);
    expect(found.last.tally).toMatchObject({ records: 1, unknown: {} });
    expect(found.last.tally.failures).toHaveLength(1);
    expect(found.of('time').map((event) => event.at)).toEqual([Date.parse('2026-11-21T12:00:00Z')]);
  });

  it('reads the files of the first versions', async () => {
    const bare = [
      { id: ID, timestamp: '2025-08-01T10:00:00Z', instructions: null, git: { branch: 'main' } },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Paint.' }] },
      { type: 'function_call', name: 'shell', arguments: '{"command":["bash","-lc","paint"]}', call_id: 'call_1' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: '{"output":"wet","metadata":{"exit_code":2,"duration_seconds":0.1}}',
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
    ];
    const folder = temporaryFolder();
    const lines = await told(
      writeAt(join(folder, `rollout-${ID}.jsonl`), bare.map((line) => `${JSON.stringify(line)}\n`).join('')),
    );
    const whole = await told(
      writeAt(join(folder, `rollout-${ID}.json`), JSON.stringify({ session: bare[0], items: bare.slice(2) })),
      { layout: 'json' },
    );
    for (const found of [lines, whole]) {
      expect(found.sessions).toEqual([ID]);
      expect(found.lines()).toEqual(['user: Paint.', 'call: shell', 'assistant: Done.']);
      expect(found.parts()[1]).toMatchObject({ command: 'paint', input: { command: ['bash', '-lc', 'paint'] } });
      expect(found.of('result')[0]?.result).toMatchObject({ output: 'wet', exitCode: 2, isError: true });
      expect(found.facts(ID).branch).toBe('main');
    }
  });
});
