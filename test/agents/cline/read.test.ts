import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cline } from '../../../src/agents/cline/source.ts';
import { kiloCode } from '../../../src/agents/kilo-code/source.ts';
import { rooCode } from '../../../src/agents/roo-code/source.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { stateOf, temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, turnsIn } from '../../support/portolan.ts';

const EXTENSIONS = { cline: 'saoudrizwan.claude-dev', 'roo-code': 'rooveterinaryinc.roo-cline' } as const;
const ID = '1795165200000';

class Home {
  readonly path = temporaryFolder();
  readonly env: Environment = { home: this.path, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);

  task(name: string, document: unknown, id = ID, source: keyof typeof EXTENSIONS = 'cline'): void {
    const folder = join(this.path, '.config/Code/User/globalStorage', EXTENSIONS[source], 'tasks', id);
    writeAt(join(folder, name), typeof document === 'string' ? document : JSON.stringify(document));
  }

  session(id: string, name: string, document: unknown): void {
    writeAt(join(this.path, '.cline/data/sessions', id, name), JSON.stringify(document));
  }

  index(source = 'cline') {
    return this.portolan.write(async (stores) => (await ingest(stores, this.env))[source]!);
  }

  partsOf(id = ID, turn = 0) {
    return turnsIn(this.portolan.read(), id)[turn]!.parts;
  }
}

const sent = (...texts: string[]) => ({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) });
const said = (content: unknown, more: object = {}) => ({ role: 'assistant', content, ...more });
const shown = (ts: number, say: string, text: string, more: object = {}) => ({ ts, type: 'say', say, text, ...more });

const ENVIRONMENT = `<environment_details>
# Current Time
11/20/2026, 9:00:05 AM (Europe/Zurich, UTC+1:00)

# Current Working Directory (/home/dev/quay) Files
README.md
</environment_details>`;

describe('a task of the extension', () => {
  it('is what was said, with the costs and times that the screen has; words stand between tags', async () => {
    const home = new Home();
    home.task('api_conversation_history.json', [
      sent('<task>\nSound the bay.\n</task>', '# task_progress RECOMMENDED\n\nMuch.', ENVIRONMENT),
      said([
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'tool_use', id: 'a', name: 'execute_command', input: { command: 'sound' } },
        { type: 'tool_use', id: 'b', name: 'read_file', input: { path: 'chart.md' } },
      ]),
      sent(
        "[execute_command for 'sound'] Result:\nCommand failed with exit code 3.",
        "[read_file for 'chart.md'] Result:\n<task>\nno words of mine\n</task>",
      ),
      said([{ type: 'tool_use', id: 'c', name: 'attempt_completion', input: { result: 'Seven fathoms.' } }]),
      sent(
        '[attempt_completion] Result: Done',
        'The user has provided feedback on the results. And so on.',
        '<feedback>\nAnd the width?\n</feedback>',
      ),
    ]);
    home.task('ui_messages.json', [
      shown(1795165200000, 'task', 'Sound the bay.', { conversationHistoryIndex: -1 }),
      shown(
        1795165201000,
        'api_req_started',
        JSON.stringify({ request: 'r', tokensIn: 5, tokensOut: 2, cacheReads: 9, cacheWrites: 1, cost: 0.5 }),
        {
          conversationHistoryIndex: -1,
          modelInfo: { modelId: 'm-1' },
        },
      ),
      shown(1795165202000, 'reasoning', 'Hm.', { conversationHistoryIndex: 0 }),
    ]);
    const before = stateOf(home.path);
    expect(await home.index()).toMatchObject({ units: 1, failed: [], unknownRecords: {} });
    expect(stateOf(home.path)).toEqual(before);
    const session = sessionOf(home.portolan.read(), ID);
    expect(session).toMatchObject({ cwd: '/home/dev/quay', title: 'Sound the bay.' });
    expect(session.tokens['m-1']).toMatchObject({ input: 5, output: 2, cacheRead: 9, cacheWrite5m: 1 });
    expect(home.partsOf()).toMatchObject([
      { type: 'text', text: 'Sound the bay.', at: 1795165202000 },
      { type: 'thinking', text: 'Hm.' },
      { type: 'tool_call', name: 'execute_command', command: 'sound', isError: true, exitCode: 3 },
      { type: 'tool_call', name: 'read_file', isError: false },
      { type: 'text', role: 'assistant', text: 'Seven fathoms.' },
    ]);
    expect(home.partsOf(ID, 1)).toMatchObject([{ type: 'text', role: 'user', text: 'And the width?' }]);
  });

  it('of older versions has its calls as tags in what was said', async () => {
    const home = new Home();
    home.task('api_conversation_history.json', [
      sent('<task>\nSound the bay.\n</task>', ENVIRONMENT),
      said('I look.\n<read_file>\n<path>chart.md</path>\n</read_file>'),
      sent("[read_file for 'chart.md'] Result:\nseven"),
      said('<attempt_completion>\n<result>\nSeven.\n</result>\n</attempt_completion>'),
    ]);
    await home.index();
    expect(home.partsOf()).toMatchObject([
      { type: 'text', text: 'Sound the bay.', at: Date.parse('2026-11-20T08:00:05Z') },
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', name: 'read_file', input: { path: 'chart.md' }, output: 'seven' },
      { type: 'text', text: 'Seven.' },
    ]);
  });

  it('of which the screen alone is left is what was shown; an output that came in pieces is whole', async () => {
    const home = new Home();
    home.task('ui_messages.json', [
      shown(1, 'text', 'Sound the bay.', { images: ['data:image/png;base64,AAAA'], files: ['chart.md'] }),
      shown(2, 'reasoning', 'H', { partial: true }),
      shown(2, 'reasoning', 'Hm.'),
      shown(3, 'tool', JSON.stringify({ tool: 'readFile', path: 'chart.md' })),
      shown(4, 'command', 'soundREQ_APP'),
      shown(5, 'command_output', 'se'),
      shown(5, 'command_output', 'ven'),
      shown(6, 'checkpoint_created', ''),
      shown(7, 'completion_result', 'Seven.HAS_CHANGES'),
      shown(8, 'constructor', ''),
    ]);
    expect((await home.index()).unknownRecords).toEqual({ 'screen:constructor': 1 });
    expect(home.partsOf()).toMatchObject([
      { type: 'attachment', kind: 'image', mime: 'image/png' },
      { type: 'attachment', kind: 'file', name: 'chart.md' },
      { type: 'text', role: 'user', text: 'Sound the bay.' },
      { type: 'thinking', text: 'Hm.' },
      { type: 'tool_call', name: 'read_file' },
      { type: 'tool_call', command: 'sound', output: 'seven' },
      { type: 'text', role: 'assistant', text: 'Seven.' },
    ]);
  });

  it('of Roo Code tells its folder and the task that started it', async () => {
    const home = new Home();
    const [parent, child] = ['11111111-02c1-49d5-9a15-7f2f6a1d9c11', '22222222-02c1-49d5-9a15-7f2f6a1d9c11'];
    for (const id of [parent, child])
      home.task('ui_messages.json', [shown(1795165200000, 'text', `I am ${id}`)], id, 'roo-code');
    home.task('history_item.json', { workspace: '/home/dev/quay', parentTaskId: parent }, child, 'roo-code');
    expect(await home.index('roo-code')).toMatchObject({ units: 2, failed: [] });
    expect(sessionOf(home.portolan.read(), child)).toMatchObject({
      cwd: '/home/dev/quay',
      parent: { relation: 'subagent', key: `roo-code:${parent}` },
    });
  });

  it('that is torn is told, the others are read, and it is read when it is whole', async () => {
    const home = new Home();
    home.task('api_conversation_history.json', '[{"role":"user","content":[{"ty');
    home.task('api_conversation_history.json', [sent('<task>\nAnother.\n</task>'), 7, { role: 'oracle' }], '2');
    const report = await home.index();
    expect(report).toMatchObject({
      units: 2,
      sessions: 1,
      unknownRecords: { 'not an object': 1, 'message:oracle': 1 },
    });
    expect(report.failed).toHaveLength(1);
    home.task('api_conversation_history.json', [sent('<task>\nSound the bay.\n</task>')]);
    expect(await home.index()).toMatchObject({ read: 1, failed: [] });
  });
});

describe('a session of the program', () => {
  it('has what a person said without what is put around it, results of several things that were asked, and sub-agents', async () => {
    const home = new Home();
    const id = '1795165200000_ab1cd';
    home.session(id, `${id}.json`, {
      session_id: id,
      cwd: '/home/dev/quay',
      metadata: { title: 'Sounding', git: { branch: 'main' } },
    });
    home.session(id, `${id}.messages.json`, {
      sessionId: id,
      messages: [
        {
          id: '1',
          role: 'user',
          ts: 1795165200000,
          content: [{ type: 'text', text: '<user_input mode="act">Sound it.</user_input>' }],
        },
        {
          id: '2',
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'a', name: 'run_commands', input: { commands: ['one', 'two'] } }],
          modelInfo: { id: 'm-1' },
          metrics: { inputTokens: 15, outputTokens: 2, cacheReadTokens: 9, cacheWriteTokens: 1 },
        },
        {
          id: '3',
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [
                { query: 'one', result: '1', success: true },
                { query: 'two', result: '2', error: 'no', success: false },
              ],
            },
          ],
        },
        { id: '4', role: 'assistant', content: [{ type: 'hologram' }, { type: 'text', text: 'Seven.' }] },
      ],
    });
    home.session(id, 'agent_1.messages.json', {
      sessionId: `${id}__agent_1`,
      origin: { mode: 'subagent', parentThreadId: id },
      messages: [{ id: '1', role: 'user', ts: 1795165200000, content: 'Count.' }],
    });
    expect(await home.index()).toMatchObject({ units: 2, sessions: 2, unknownRecords: { 'part:hologram': 1 } });
    const stores = home.portolan.read();
    expect(sessionOf(stores, id)).toMatchObject({ cwd: '/home/dev/quay', branch: 'main', title: 'Sounding' });
    expect(sessionOf(stores, id).tokens['m-1']).toMatchObject({ input: 5, output: 2, cacheRead: 9, cacheWrite5m: 1 });
    expect(sessionOf(stores, `${id}__agent_1`).parent).toMatchObject({ relation: 'subagent', key: `cline:${id}` });
    expect(home.partsOf(id)).toMatchObject([
      { type: 'text', text: 'Sound it.' },
      { type: 'tool_call', command: 'one\ntwo', output: '1\n2', isError: true },
      { type: 'text', text: 'Seven.' },
    ]);
  });
});

it('the family is found on every system, and only the program takes a session up again', () => {
  const at = (platform: NodeJS.Platform, variables = {}) => ({ home: '/h', platform, variables, projects: [] });
  const paths = (source: typeof cline, env: Environment) => source.roots(env).map(({ path }) => path);
  const { cline: extension, 'roo-code': roo } = EXTENSIONS;
  expect(paths(cline, at('linux'))).toEqual(
    expect.arrayContaining([
      '/h/.cline/data',
      `/h/.config/Code/User/globalStorage/${extension}`,
      `/h/.config/VSCodium/User/globalStorage/${extension}`,
      `/h/.vscode-server/data/User/globalStorage/${extension}`,
    ]),
  );
  expect(paths(rooCode, at('darwin'))).toContain(`/h/Library/Application Support/Code/User/globalStorage/${roo}`);
  expect(paths(kiloCode, at('win32', { APPDATA: '/r' }))).toContain('/r/Code/User/globalStorage/kilocode.kilo-code');
  expect(cline.resume!({ nativeId: ID }, {})).toBeUndefined();
  expect(cline.resume!({ nativeId: `${ID}_ab1cd`, cwd: '/w' }, {})).toEqual({
    argv: ['cline', '--id', `${ID}_ab1cd`, '-i'],
    cwd: '/w',
  });
});
