import { appendFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { cursor } from '../../../src/agents/cursor/source.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { resumptionOf } from '../../../src/search/transcripts/resume.ts';
import { stateOf, temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, sessionsOf, turnsIn } from '../../support/portolan.ts';

const ID = '5b3a1c77-02c1-49d5-9a15-7f2f6a1d9c11';
const OTHER = '6c3a1c77-02c1-49d5-9a15-7f2f6a1d9c11';

class Home {
  readonly path = temporaryFolder();
  readonly env: Environment = { home: this.path, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);
  readonly database: DatabaseSync;

  constructor() {
    const path = join(this.path, '.config/Cursor/User/globalStorage/state.vscdb');
    writeAt(path, '');
    this.database = new DatabaseSync(path);
    for (const table of ['ItemTable', 'cursorDiskKV'])
      this.database.exec(`CREATE TABLE ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`);
  }

  put(key: string, value: unknown, table = 'cursorDiskKV'): void {
    const written = typeof value === 'string' || value === null ? value : JSON.stringify(value);
    this.database.prepare(`INSERT INTO ${table} VALUES (?, ?)`).run(key, written);
  }

  conversation(id: string, bubbles: readonly object[], more: object = {}): void {
    for (const [index, bubble] of bubbles.entries())
      this.put(`bubbleId:${id}:${id}-${index}`, {
        bubbleId: `${id}-${index}`,
        createdAt: `2026-11-20T09:00:0${index}Z`,
        ...bubble,
      });
    const fullConversationHeadersOnly = bubbles.map((_, index) => ({ bubbleId: `${id}-${index}` }));
    this.put(`composerData:${id}`, { composerId: id, fullConversationHeadersOnly, ...more });
  }

  index() {
    return this.portolan.write(async (stores) => (await ingest(stores, this.env)).cursor!);
  }

  partsOf(id = ID, turn = 0) {
    return turnsIn(this.portolan.read(), id)[turn]!.parts;
  }
}

const tool = (name: string, params: unknown, result: unknown, more: object = {}) => ({
  type: 2,
  toolFormerData: {
    toolCallId: `t-${name}`,
    name,
    status: 'completed',
    params: JSON.stringify(params),
    result: JSON.stringify(result),
    ...more,
  },
});

describe('a conversation of the editor', () => {
  it('is what was said, thought and done, in the order that it keeps', async () => {
    const home = new Home();
    home.conversation(
      ID,
      [
        {
          type: 1,
          text: 'What is deep?',
          context: { fileSelections: [{ uri: { fsPath: '/home/dev/quay/chart.md' } }] },
        },
        { type: 2, thinking: { text: 'Look.' } },
        tool('run_terminal_command_v2', { command: 'sound' }, { output: 'no', exitCodeV2: 3 }),
        tool(
          'edit_file_v2',
          { relativeWorkspacePath: 'chart.md' },
          {},
          {
            additionalData: {
              precomputedDiff: {
                lines: [
                  { type: 'removed', content: 'six' },
                  { type: 'added', content: 'seven' },
                ],
              },
            },
          },
        ),
        { type: 2, text: 'Seven.' },
      ],
      { modelConfig: { modelName: 'm-1' } },
    );
    home.conversation(OTHER, []);
    home.put(`bubbleId:${ID}:b-left`, { bubbleId: 'b-left', type: 1, text: 'left behind' });
    const head = {
      composerId: ID,
      name: 'Sounding',
      createdAt: 1795165200000,
      lastUpdatedAt: 1795165205000,
      workspaceIdentifier: { uri: { fsPath: '/home/dev/quay' } },
    };
    home.put('composer.composerHeaders', { allComposers: [head] }, 'ItemTable');
    home.database.close();
    const before = stateOf(home.path);
    expect(await home.index()).toMatchObject({ units: 3, failed: [], unknownRecords: {} });
    expect(stateOf(home.path)).toEqual(before);
    expect(sessionOf(home.portolan.read(), ID)).toMatchObject({
      title: 'Sounding',
      cwd: '/home/dev/quay',
    });
    expect(sessionOf(home.portolan.read(), ID).more.models).toEqual(['m-1']);
    expect(resumptionOf(home.portolan.read(), sessionOf(home.portolan.read(), ID)).can).toBe(false);
    expect(home.partsOf()).toMatchObject([
      { type: 'attachment', name: '/home/dev/quay/chart.md' },
      { type: 'text', role: 'user', text: 'What is deep?' },
      { type: 'thinking', text: 'Look.' },
      { type: 'tool_call', kind: 'shell', command: 'sound', output: 'no', isError: true, exitCode: 3 },
      { type: 'tool_call', kind: 'edit', output: '-six\n+seven' },
      { type: 'text', role: 'assistant', text: 'Seven.' },
    ]);
  });

  it('is read again alone when something of it is written, the last of all rows too', async () => {
    const home = new Home();
    home.conversation(OTHER, [{ type: 1, text: 'Another one.' }]);
    home.conversation(ID, [{ type: 1, text: 'What is deep?' }]);
    home.put(`bubbleId:${ID}:${ID}-1`, { bubbleId: `${ID}-1`, type: 2, text: 'Sev' });
    home.put(`composerData:${ID}`, { fullConversationHeadersOnly: [{ bubbleId: `${ID}-0` }, { bubbleId: `${ID}-1` }] });
    home.put(`bubbleId:${ID}:${ID}-1`, { bubbleId: `${ID}-1`, type: 2, text: 'Seve' });
    expect(await home.index()).toMatchObject({ read: 3 });
    // In place of the last row: it has the number that it had before.
    home.put(`bubbleId:${ID}:${ID}-1`, { bubbleId: `${ID}-1`, type: 2, text: 'Seven.' });
    // The listing, and the one conversation.
    expect(await home.index()).toMatchObject({ read: 2, unchanged: 1 });
    expect(home.partsOf()).toMatchObject([{ text: 'What is deep?' }, { text: 'Seven.' }]);
    expect((await home.index()).read).toBe(0);
  });

  it('of the first versions holds its messages itself; torn values are told, and the rest is read', async () => {
    const home = new Home();
    home.put(`composerData:${ID}`, {
      name: 'Old',
      conversation: [{ type: 1, bubbleId: 'a', text: 'What is deep?' }, 'x', { type: 9 }],
    });
    home.conversation(OTHER, [
      { type: 1, text: 'Another one.' },
      { type: 2, text: 'Whole.' },
    ]);
    home.put(`bubbleId:${OTHER}:${OTHER}-1`, '{"type":2,"text":"to');
    home.put(`composerData:${'7'.repeat(36)}`, null);
    const report = await home.index();
    expect(report.failed).toMatchObject([
      { reason: 'a message that is not JSON' },
      { reason: 'a message that is not JSON' },
    ]);
    expect(report.unknownRecords).toEqual({ 'bubble:9': 1 });
    expect(home.partsOf()).toMatchObject([{ text: 'What is deep?' }]);
    expect(home.partsOf(OTHER)).toMatchObject([{ text: 'Another one.' }]);
  });
});

describe('a transcript of the agent', () => {
  it('goes on where it was read to, knows its folder by what it touched, and its sub-agents', async () => {
    const home = new Home();
    home.database.close();
    const line = (role: string, ...content: object[]) => `${JSON.stringify({ role, message: { content } })}\n`;
    const path = join(home.path, '.cursor/projects/home-dev-my-quay/agent-transcripts', ID, `${ID}.jsonl`);
    writeAt(
      path,
      line(
        'user',
        { type: 'text', text: '<user_info>\nmuch\n</user_info>' },
        { type: 'text', text: '<user_query>\nWhat is deep?\n</user_query>' },
      ) +
        line(
          'assistant',
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', name: 'ReadFile', input: { path: '/home/dev/my_quay/chart.md' } },
        ),
    );
    writeAt(join(dirname(path), 'subagents', `${OTHER}.jsonl`), line('user', { type: 'text', text: 'Count.' }));
    await home.index();
    const more = `${line('assistant', { type: 'text', text: 'Seven.' }, { type: 'hologram' })}{"type":"turn_ended"}\n`;
    appendFileSync(path, more);
    expect(await home.index()).toMatchObject({ bytesRead: more.length, unknownRecords: { 'part:hologram': 1 } });
    const stores = home.portolan.read();
    expect(sessionsOf(stores)).toHaveLength(2);
    expect(sessionOf(stores, ID).cwd).toBe('/home/dev/my_quay');
    expect(sessionOf(stores, OTHER).parent).toMatchObject({ relation: 'subagent', key: `cursor:${ID}` });
    expect(home.partsOf()).toMatchObject([
      { type: 'text', text: 'What is deep?' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', kind: 'read', paths: ['/home/dev/my_quay/chart.md'] },
      { type: 'text', text: 'Seven.' },
    ]);
  });
});

it('Cursor is found on every system, and its agent takes a session up again', () => {
  const paths = (platform: NodeJS.Platform, variables = {}) =>
    cursor.roots({ home: '/h', platform, variables, projects: [] }).map(({ path }) => path);
  expect(paths('linux')).toEqual(['/h/.config/Cursor/User', '/h/.cursor-server/data/User', '/h/.cursor']);
  expect(paths('darwin')).toContain('/h/Library/Application Support/Cursor/User');
  expect(paths('win32', { APPDATA: '/r' })).toContain('/r/Cursor/User');
  expect(cursor.resume!({ nativeId: ID, cwd: '/w' }, {})).toEqual({
    argv: ['cursor-agent', '--resume', ID],
    cwd: '/w',
  });
});
