import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gemini } from '../../../src/agents/gemini/source.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, turnsIn } from '../../support/portolan.ts';

const ID = '5f0c2f0e-7c1b-4c57-9d5e-0a4f6d1b2c3d';
const CWD = '/home/dev/quay';
const at = (second: number) => new Date(Date.parse('2026-11-20T09:00:00Z') + second * 1000).toISOString();
const head = { sessionId: ID, projectHash: 'x', startTime: at(0), lastUpdated: at(0), kind: 'main' };
const user = (id: string, said: string, second = 1) => ({
  id,
  timestamp: at(second),
  type: 'user',
  content: [{ text: said }],
});
const answer = (id: string, content: string, more: object = {}) => ({
  id,
  timestamp: at(2),
  type: 'gemini',
  content,
  ...more,
});
const call = (id: string, name: string, args: object, response: object, more: object = {}) => ({
  id,
  name,
  args,
  status: 'success',
  result: [{ functionResponse: { id, name, response } }],
  ...more,
});

class Home {
  readonly path = temporaryFolder();
  readonly env: Environment = { home: this.path, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);

  write(name: string, content: unknown, project = 'quay'): string {
    const text =
      Array.isArray(content) && name.endsWith('.jsonl')
        ? content.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('')
        : JSON.stringify(content);
    return writeAt(join(this.path, '.gemini/tmp', project, name), text);
  }

  named(project = 'quay', cwd = CWD): this {
    writeAt(join(this.path, '.gemini/projects.json'), JSON.stringify({ projects: { [cwd]: project } }));
    return this;
  }

  index() {
    return this.portolan.write(async (stores) => (await ingest(stores, this.env)).gemini!);
  }

  visible() {
    return this.portolan.read().catalog.sessions('hidden = 0', [], 'key', 100);
  }

  turns(id = ID) {
    return turnsIn(this.portolan.read(), id);
  }
}

describe('a log of Gemini CLI', () => {
  it('says a message once, with what came to it since', async () => {
    const home = new Home().named();
    const tokens = { input: 100, cached: 40, output: 5, thoughts: 7, tool: 3, total: 115 };
    const shell = call('a', 'run_shell_command', { command: 'ls' }, { output: 'Output: notes.md\nExit Code: 2' });
    home.write('chats/session-1.jsonl', [
      head,
      {
        $set: {
          messages: [user('ctx', '<session_context>\nThis is the CLI.\n</session_context>')],
          lastUpdated: at(1),
        },
      },
      user('u1', 'Where do dunlins nest?'),
      answer('g1', 'I look.', { model: 'gemini-4', tokens }),
      answer('g1', 'I look.', { model: 'gemini-4', tokens, toolCalls: [shell] }),
      {
        id: 'r1',
        timestamp: at(3),
        type: 'user',
        content: [{ functionResponse: { id: 'a', name: 'run_shell_command', response: { output: 'notes.md' } } }],
      },
      answer('g2', 'On the saltmarsh.'),
      { $set: { summary: 'Dunlins' } },
    ]);
    expect(await home.index()).toMatchObject({ failed: [], unknownRecords: {} });
    const session = sessionOf(home.portolan.read(), ID);
    expect(session).toMatchObject({ title: 'Dunlins', cwd: CWD });
    expect(home.turns()).toMatchObject([
      {
        prompt: 'Where do dunlins nest?',
        parts: [
          { role: 'user' },
          { role: 'assistant', text: 'I look.' },
          { name: 'run_shell_command', command: 'ls', exitCode: 2, isError: true, where: { line: 4 } },
          { text: 'On the saltmarsh.' },
        ],
      },
    ]);
    expect(session.tokens['gemini-4']).toMatchObject({ input: 63, cacheRead: 40, output: 12, reasoning: 7 });
  });

  it('marks what was left by going back, and keeps what a compaction replaced', async () => {
    const home = new Home();
    home.write('chats/session-1.jsonl', [
      head,
      user('u1', 'one'),
      answer('g1', '1'),
      user('u2', 'two'),
      answer('g2', '2'),
      { $rewindTo: 'u2' },
      user('u3', 'three'),
      answer('g3', '3'),
      { $set: { messages: [user('s', 'All of it in short.'), answer('ok', 'Got it.')] } },
      user('u4', 'four'),
    ]);
    await home.index();
    expect(home.turns().map(({ prompt, rewound }) => [prompt, rewound])).toEqual([
      ['one', false],
      ['two', true],
      ['three', false],
      ['four', false],
    ]);
    expect(home.turns()[2]?.parts).toMatchObject([{}, {}, { type: 'notice', kind: 'compaction' }, { text: 'Got it.' }]);
  });

  it('can go back to before its first prompt', async () => {
    const home = new Home();
    home.write('chats/session-1.jsonl', [head, user('u1', 'one'), { $rewindTo: 'u1' }, user('u2', 'two')]);
    await home.index();
    expect(home.turns().map(({ prompt, rewound }) => [prompt, rewound])).toEqual([
      ['one', true],
      ['two', false],
    ]);
  });

  it('that repeats its history when it is resumed says it once', async () => {
    const home = new Home();
    const begun = [head, user('u1', 'one'), answer('g1', '1')];
    home.write('chats/session-1.jsonl', [...begun, head, { $set: { messages: begun.slice(1) } }, user('u2', 'two')]);
    home.write('chats/session-2.jsonl', [
      head,
      { $set: { messages: [user('ctx', '<session_context></session_context>')] } },
    ]);
    await home.index();
    expect(home.turns().map(({ prompt }) => prompt)).toEqual(['one', 'two']);
    expect(home.visible().length).toBe(1);
  });

  it('is read as far as it can be', async () => {
    const home = new Home();
    home.write('chats/session-1.jsonl', [
      head,
      'torn{',
      { id: 'x', type: 'constructor' },
      { odd: 1 },
      '',
      user('u1', 'one'),
    ]);
    const report = await home.index();
    expect(report.failed).toMatchObject([{ line: 2 }]);
    expect(report.unknownRecords).toEqual({ 'message:constructor': 1, untyped: 1 });
    expect(home.turns()[0]).toMatchObject({ prompt: 'one', parts: [{ where: { line: 6 } }] });
  });
});

describe('a document of Gemini CLI', () => {
  it('is the project’s whose path has the hash that its folder is called after', async () => {
    const hash = createHash('sha256').update(CWD).digest('hex');
    const home = new Home().named('other-name');
    home.write('chats/session-1.json', { ...head, messages: [user('u1', 'one')] }, hash);
    await home.index();
    expect(sessionOf(home.portolan.read(), ID).cwd).toBe(CWD);
  });

  it('has the whole of an output that lies in a file beside it, from there alone', async () => {
    const home = new Home();
    const output = 'Too long: tool-outputs/session-1/run_1.txt\nOutput: begins';
    writeAt(join(home.path, '.gemini/tmp/quay/tool-outputs/session-1/run_1.txt'), 'begins and ends');
    writeAt(join(home.path, '.gemini/tmp/quay/secret.txt'), 'nobody’s');
    const toolCalls = [
      call('a', 'run_shell_command', { command: 'x' }, { output }),
      call('b', 'read_file', { file_path: 'y' }, { output: 'tool-outputs/../secret.txt' }),
    ];
    home.write('chats/session-1.json', { ...head, messages: [user('u1', 'one'), answer('g1', '', { toolCalls })] });
    await home.index();
    expect(home.turns()[0]?.parts).toMatchObject([
      {},
      { output: 'begins and ends' },
      { output: 'tool-outputs/../secret.txt' },
    ]);
  });

  it('that is copied into another project’s folder is one session, and its requests count once', async () => {
    const home = new Home();
    const messages = [user('u1', 'one'), answer('g1', '1', { model: 'gemini-4', tokens: { input: 10, output: 1 } })];
    home.write('chats/session-1.json', { ...head, messages }, 'a');
    home.write('chats/session-1.json', { ...head, messages }, 'b');
    await home.index();
    expect(home.visible().map(({ tokens }) => tokens['gemini-4']?.input)).toEqual([10]);
  });

  it('of a sub-agent belongs to the session that it lies with', async () => {
    const home = new Home();
    const toolCalls = [
      call('a', 'invoke_agent', { agent_name: 'x' }, { output: 'Seen.' }, { agentId: '9'.repeat(36) }),
    ];
    home.write('chats/session-1.json', { ...head, messages: [user('u1', 'one'), answer('g1', '', { toolCalls })] });
    const sub = {
      ...head,
      sessionId: '9'.repeat(36),
      kind: 'subagent',
      directories: [CWD],
      messages: [user('s1', 'Look.')],
    };
    home.write(`chats/${ID}/short.json`, sub);
    home.write(`chats/${ID}/tl63m8.json`, { ...sub, sessionId: 'tl63m8', summary: '{"response":"Done."}' });
    await home.index();
    const stores = home.portolan.read();
    for (const id of ['9'.repeat(36), `${ID}/tl63m8`])
      expect(sessionOf(stores, id).parent).toMatchObject({ key: `gemini:${ID}`, relation: 'subagent' });
    expect(home.turns()[0]?.parts[1]).toMatchObject({ child: `gemini:${'9'.repeat(36)}` });
  });
});

it('prompts whose chat is gone are kept apart, and hidden where it is here', async () => {
  const home = new Home().named();
  const log = (sessionId: string, message: string) => ({
    sessionId,
    messageId: 0,
    type: 'user',
    message,
    timestamp: at(1),
  });
  home.write('logs.json', [log(ID, 'one'), log('gone', 'Where is the dunlin?')]);
  home.write('chats/session-1.json', { ...head, messages: [user('u1', 'one')] });
  await home.index();
  const stores = home.portolan.read();
  expect(turnsIn(stores, 'prompts/gone').map(({ prompt }) => prompt)).toEqual(['Where is the dunlin?']);
  expect(sessionOf(stores, 'prompts/gone').cwd).toBe(CWD);
});

it('lies where its variable says, and is taken up by its id', () => {
  const roots = gemini.roots({
    home: '/home/dev',
    platform: 'win32',
    variables: { GEMINI_CLI_HOME: '/g' },
    projects: [],
  });
  expect(roots.map(({ path }) => path)).toEqual(['/g/.gemini', '/home/dev/.gemini']);
  const root = roots[1]!;
  for (const other of ['settings.json', 'tmp/x/chats/a/b/c.json', 'tmp/x/tool-outputs/y.json', 'tmp/x/chats/._a.json'])
    expect(gemini.unitAt?.(root, join(root.path, other))).toBeUndefined();
  expect(gemini.resume?.({ nativeId: ID, cwd: CWD }, { prompt: '--yolo' })).toEqual({
    argv: ['gemini', '--resume', ID, '--prompt=--yolo'],
    cwd: CWD,
  });
});
