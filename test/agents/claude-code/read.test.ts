import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHARED, shared } from '../../oracle/product.ts';
import { jsonl, Script, SESSION } from '../../support/claude-records.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { told } from '../../support/reading.ts';

const file = (records: readonly unknown[] | string) =>
  writeAt(join(temporaryFolder(), '-p', `${SESSION}.jsonl`), typeof records === 'string' ? records : jsonl(records));
const read = (records: readonly unknown[] | string) => told(file(records));

describe('a transcript', () => {
  it('without a message is a session of no turns', async () => {
    for (const content of ['', jsonl([{ type: 'file-history-snapshot', snapshot: {} }])]) {
      const found = await read(content);
      expect(found.sessions).toEqual([SESSION]);
      expect(found.of('turn')).toEqual([]);
    }
  });

  it('has the id of its file, whatever its records say', async () => {
    const script = new Script({ sessionId: 'another' });
    expect((await read([script.user('Go.')])).sessions).toEqual([SESSION]);
  });

  it('begins a turn with each prompt, and with nothing else', async () => {
    const script = new Script();
    const found = await read([
      script.user('Paint the pier.'),
      script.call('toolu_1', 'Bash', { command: 'paint' }),
      script.result('toolu_1', 'wet'),
      script.user('Stop hook feedback:\nnot dry'),
      script.user('Remember the tide.', { isMeta: true }),
      script.user('<bash-input>ls</bash-input>'),
      script.user('[Request interrupted by user]'),
      script.user('Done by agents', { origin: { kind: 'task-notification' } }),
      script.user('And the lamp?', { origin: { kind: 'human' } }),
    ]);
    expect(found.of('turn').map((turn) => turn.anchor)).toEqual([
      found.of('turn')[0]!.anchor,
      found.of('part').at(-1)!.record,
    ]);
    expect(found.lines()).toEqual([
      'user: Paint the pier.',
      'call: Bash',
      'system: Stop hook feedback:\nnot dry',
      'system: Remember the tide.',
      'command: ! ls',
      'interruption: [Request interrupted by user]',
      'system: Done by agents',
      'user: And the lamp?',
    ]);
  });

  it('takes a picture and the words that come after it for one prompt', async () => {
    const script = new Script();
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const found = await read([
      script.user([picture]),
      script.user('What is this?'),
      script.answer('A pier.'),
      script.user('Sure?'),
    ]);
    expect(found.of('turn')).toHaveLength(2);
    expect(found.parts()[0]).toMatchObject({ type: 'attachment', kind: 'image', mime: 'image/png', bytes: 3 });
  });

  it('keeps the summary of a compaction as a notice, and what stands before it', async () => {
    const script = new Script();
    const found = await read([
      script.user('Paint the pier.'),
      script.record('system', {
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        compactMetadata: { trigger: 'auto', preTokens: 900 },
      }),
      script.user('This session is being continued … the pier is green.', { isCompactSummary: true }),
      script.answer('Going on.'),
    ]);
    expect(found.of('turn')).toHaveLength(1);
    expect(found.lines()).toEqual([
      'user: Paint the pier.',
      'compaction: Conversation compacted (auto, 900 tokens before)',
      'compaction: This session is being continued … the pier is green.',
      'assistant: Going on.',
    ]);
  });

  it('takes the first folder for the one it ran in, and remembers the others, the branch and the version', async () => {
    const script = new Script();
    const { facts } = await read([
      script.user('Go.', { cwd: '/a', gitBranch: 'main', version: '2.1.0', entrypoint: 'cli' }),
      script.answer('Gone.', {}, { cwd: '/b', gitBranch: 'HEAD', version: '2.1.1' }),
      script.user('On.', { cwd: '/a', gitBranch: '', version: '2.1.1', entrypoint: 'sdk-cli' }),
    ]).then((found) => ({ facts: found.facts(SESSION) }));
    expect(facts).toMatchObject({ cwd: '/a', roots: ['/a', '/b'], branch: 'main' });
    expect(facts.client).toEqual({ name: 'claude-code', version: '2.1.1', surface: 'sdk-cli' });
  });

  it('counts the types that it does not know', async () => {
    const script = new Script();
    const found = await read([
      script.record('barnacle'),
      script.record('system', { subtype: 'gull' }),
      script.record('attachment', { attachment: { type: 'crab' } }),
      script.record('progress', { data: { type: 'eel' } }),
      {},
      { type: 'mode', mode: 'plan' },
    ]);
    expect(found.last.tally.unknown).toEqual({
      barnacle: 1,
      'system:gull': 1,
      'attachment:crab': 1,
      'progress:eel': 1,
      untyped: 1,
    });
    expect(found.last.tally.records).toBe(6);
  });

  it('reads a record that is glued to bookkeeping', async () => {
    const script = new Script();
    const prompt = JSON.stringify(script.user('Paint the pier.'));
    expect((await read(`{"type":"mode","mode":"plan"}${prompt}\n`)).lines()).toEqual(['user: Paint the pier.']);
    expect((await read(`${prompt}{"type":"mode","mode":"plan"}\n`)).lines()).toEqual(['user: Paint the pier.']);
  });

  it('tells a tool call once, though its record is written twice', async () => {
    const script = new Script();
    const prompt = script.user('Count.');
    const call = script.call('toolu_1', 'Bash', { command: 'ls' });
    expect((await read([prompt, call, call, script.result('toolu_1', 'x')])).lines()).toEqual([
      'user: Count.',
      'call: Bash',
    ]);
  });

  it('puts together a message whose records are parted by others', async () => {
    const script = new Script();
    const found = await read([
      script.user('Count.'),
      script.answer([{ type: 'thinking', thinking: 'Hm.' }], { id: 'msg_1' }),
      script.call('toolu_1', 'Bash', { command: 'ls' }, { id: 'msg_1' }),
      script.result('toolu_1', 'x'),
      script.call('toolu_2', 'Read', { file_path: '/a.ts' }, { id: 'msg_1' }),
    ]);
    expect(found.lines()).toEqual(['user: Count.', 'thinking: Hm.', 'call: Bash', 'call: Read']);
    expect(found.parts()[3]).toMatchObject({ kind: 'read', paths: ['/a.ts'], callId: 'toolu_2' });
  });

  it('keeps pull requests and models', async () => {
    const script = new Script();
    const found = await read([
      script.user('Go.'),
      script.answer('a', { model: 'claude-opus-5-5' }),
      script.answer('b', { model: 'claude-haiku-4-5' }),
      script.answer('c', { model: '<synthetic>' }),
      { type: 'pr-link', prNumber: 7, prUrl: 'https://git.example/pier/7', prRepository: 'pier', sessionId: SESSION },
    ]);
    expect(found.facts(SESSION)).toMatchObject({
      models: ['claude-opus-5-5', 'claude-haiku-4-5'],
      pullRequests: [{ number: 7, url: 'https://git.example/pier/7', repository: 'pier' }],
    });
  });

  it('tells where each part stands', async () => {
    const script = new Script();
    const first = jsonl([script.user('Paint the pier.')]);
    const found = await read(`${first}\n${jsonl([script.answer('Painted.')])}`);
    expect(found.parts().map((part) => part.where)).toEqual([
      { offset: 0, line: 1 },
      { offset: Buffer.byteLength(first) + 1, line: 3 },
    ]);
  });
});

describe.skipIf(SHARED === undefined)('a real transcript', () => {
  const at = (...names: string[]) => shared('corpus', 'homes', 'claude', '.claude', 'projects', ...names);

  it('has side chains inside it, which are sessions of their own', async () => {
    const session = '87a3ed75-a1a1-416e-97a4-b67ec2727fa5';
    const found = await told(at('-home-ikele', `${session}.jsonl`));
    const others = found.sessions.filter((each) => each !== session);
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) {
      expect(other).toContain(`${session}/sidechain-`);
      expect(found.facts(other).parent).toEqual({ nativeId: session, relation: 'subagent' });
    }
  });

  it('leaves an empty usage out of the calls', async () => {
    const found = await told(at('-Users-epozewam', '4cd6817c-94e5-4449-b335-2d1803d9a5e5.jsonl'));
    expect(found.of('call').every(({ call }) => call.input !== undefined || call.output !== undefined)).toBe(true);
  });

  it('knows its pull requests', async () => {
    const found = await told(at('c--Users-jafoiv-Documents-IJUJI-GEVUD', '05541cb5-fe43-41c9-87ef-2a6d89bba271.jsonl'));
    const { pullRequests } = found.facts('05541cb5-fe43-41c9-87ef-2a6d89bba271');
    expect(pullRequests?.map((request) => request.number)).toEqual([231, 232]);
  });

  it('never needs more than 64 kB to go on', async () => {
    const roots = [
      at(),
      shared('corpus', 'natural', 'cli', '.claude', 'projects'),
      shared('corpus', 'live', 'claude', 'home', '.claude', 'projects'),
    ];
    const over: string[] = [];
    for (const root of roots)
      for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !entry.name.endsWith('.jsonl') || entry.name === 'journal.jsonl') continue;
        const found = await told(join(entry.parentPath, entry.name));
        for (const { checkpoint } of found.of('checkpoint')) {
          const size = Buffer.byteLength(JSON.stringify(checkpoint.state));
          if (size > 64 * 1024) over.push(`${entry.name}: ${size}`);
        }
      }
    expect(over).toEqual([]);
  });
});

describe('what is remembered between readings', () => {
  it('is at most 64 kB, however many folders the session went to', async () => {
    const folder = (n: number) => `/srv/${'pier/'.repeat(20)}${n}`;
    const records = Array.from({ length: 2000 }, (_, n) => new Script({ cwd: folder(n) }, `s${n}`).user('Go.'));
    const { state } = (await read(records)).last.checkpoint;
    expect(Buffer.byteLength(JSON.stringify(state))).toBeLessThanOrEqual(64 * 1024);
  });

  it('is at most 64 kB, whatever waits in the queue and however many agents speak', async () => {
    const script = new Script();
    const records: unknown[] = [script.user('Go.')];
    for (let i = 0; i < 30; i++) {
      records.push({
        type: 'queue-operation',
        operation: 'enqueue',
        content: `${i} ${'plank '.repeat(2000)}`,
        sessionId: SESSION,
      });
      records.push(
        script.record('progress', {
          parentToolUseID: `toolu_${i}`,
          data: {
            type: 'agent_progress',
            agentId: `a${i}`,
            message: {
              type: 'assistant',
              uuid: `u${i}`,
              message: { id: `m${i}`, content: [{ type: 'text', text: 'nail '.repeat(5000) }] },
            },
          },
        }),
      );
    }
    const state = (await read(records)).last.checkpoint.state;
    expect(Buffer.byteLength(JSON.stringify(state))).toBeLessThanOrEqual(64 * 1024);
  });
});
