import { appendFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { antigravity } from '../../../src/agents/antigravity/source.ts';
import { stateOf } from '../../support/folders.ts';
import { linesIn, sessionOf, sessionsOf, turnsIn } from '../../support/portolan.ts';
import { Home, ID, OTHER, START } from './home.ts';
import { type Fields, message } from './messages.ts';

const CALL = { 1: 'c1', 2: 'run_command', 3: '{"CommandLine":"ls","Cwd":"/quay"}' };

describe('a conversation of Antigravity', () => {
  it('is read from its database and the log beside it, and nothing appears in its folder', async () => {
    const home = new Home();
    home
      .database()
      .prompt('Where do dunlins nest?')
      .answer('I look.', CALL)
      .step(21, { 28: { 21: { 1: 'saltmarsh' }, 6: 2 } }, { metadata: { 4: CALL } })
      .request(0, {
        2: new Uint8Array([1, 2]),
        1: { 3: 7, 19: 'gemini-9', 4: { 1: 7, 2: 10, 3: 5, 5: 100, 9: 2, 11: 'r1' } },
      });
    const before = stateOf(home.path());
    expect(await home.index()).toMatchObject({ units: 1, sessions: 1, failed: [], unknownRecords: {} });
    expect(stateOf(home.path())).toEqual(before);
    const stores = home.portolan.read();
    expect(sessionOf(stores, ID)).toMatchObject({ cwd: '/quay', started: START * 1000 });
    expect(turnsIn(stores, ID)[0]).toMatchObject({
      prompt: 'Where do dunlins nest?',
      parts: [
        { type: 'text' },
        { type: 'text', text: 'I look.' },
        { callId: 'c1', kind: 'shell', command: 'ls', output: 'saltmarsh', exitCode: 2, isError: true },
      ],
    });
    expect(sessionOf(stores, ID).tokens).toMatchObject({ 'gemini-9': { input: 10, output: 5, cacheRead: 100 } });
  });

  it('is read anew where rows changed in place, or were given again after a rewind', async () => {
    const home = new Home();
    const conversation = home.database().prompt('one').answer('On the').prompt('two');
    await home.index();
    conversation
      .step(15, { 20: { 1: 'On the saltmarsh.' } }, { index: 1 })
      .prompt('three', { metadata: { 1: { 1: START + 60 } } });
    expect(await home.index()).toMatchObject({ read: 1 });
    const stores = home.portolan.read();
    expect(linesIn(stores, ID)).toEqual(['user: one', 'assistant: On the saltmarsh.', 'user: three', 'user: two']);
    // What a rewind took away and was read before stays, behind the rest.
    expect(turnsIn(stores, ID).map(({ superseded }) => superseded)).toEqual([undefined, undefined, true]);
    expect(await home.index()).toMatchObject({ read: 0, unchanged: 1 });
  });

  it('tells what cannot be read, and the rest', async () => {
    const home = new Home();
    const conversation = home
      .database()
      .prompt('hello')
      .answer('Hi.')
      .step(4711, { 99: { 1: 'odd' } });
    conversation.database.exec("UPDATE steps SET step_payload = x'0affff' WHERE idx = 1");
    conversation.step(
      4712,
      { 99: { 1: 'what it gave' } },
      { metadata: { 4: { 1: 'c9', 2: 'new_tool', 3: 'no JSON' } } },
    );
    const report = await home.index();
    expect(report.failed).toMatchObject([{ line: 2, reason: 'a step that is no whole message' }]);
    expect(report.unknownRecords).toEqual({ 'step:4711': 1, 'step:4712': 1 });
    expect(turnsIn(home.portolan.read(), ID)[0]?.parts).toMatchObject([
      { text: 'hello' },
      { name: 'new_tool', input: 'no JSON', output: 'what it gave' },
    ]);
  });

  it('is read from a database whose tables have fewer columns, or are missing', async () => {
    const home = new Home();
    const conversation = home.database().prompt('hello');
    for (const column of ['status', 'metadata', 'step_format'])
      conversation.database.exec(`ALTER TABLE steps DROP COLUMN ${column}`);
    for (const table of ['gen_metadata', 'parent_references', 'trajectory_metadata_blob'])
      conversation.database.exec(`DROP TABLE ${table}`);
    expect(await home.index()).toMatchObject({ failed: [], unknownRecords: {} });
    expect(turnsIn(home.portolan.read(), ID).map(({ prompt }) => prompt)).toEqual(['hello']);
  });

  it('whose file is a link out of the program’s folder is not read', async () => {
    const home = new Home();
    const elsewhere = new Home();
    elsewhere.database().prompt('not ours').database.close();
    mkdirSync(home.path('antigravity', 'conversations'), { recursive: true });
    const name = `${ID}.db`;
    symlinkSync(elsewhere.path('antigravity', 'conversations', name), home.path('antigravity', 'conversations', name));
    expect(await home.index()).toMatchObject({ sessions: 0 });
  });

  it('goes on in its log where the database lags behind it', async () => {
    const home = new Home();
    home.database().prompt('hello');
    const answer = (created_at: string, content: string) => ({
      source: 'MODEL',
      type: 'PLANNER_RESPONSE',
      created_at,
      content,
    });
    home.log(
      'antigravity',
      ID,
      { source: 'USER_EXPLICIT', type: 'USER_INPUT', content: 'hello, once more' },
      answer('2026-11-20T08:00:00Z', 'of before a rewind'),
      answer('2026-11-20T09:00:01Z', 'Hi.'),
    );
    await home.index();
    expect(linesIn(home.portolan.read(), ID)).toEqual(['user: hello', 'assistant: Hi.']);
  });

  it('whose database is none is told, and what was kept stays', async () => {
    const home = new Home();
    const conversation = home.database().prompt('hello');
    await home.index();
    conversation.database.exec('DROP TABLE steps');
    expect((await home.index()).failed).toMatchObject([{ reason: expect.stringContaining('no such table') }]);
    expect(turnsIn(home.portolan.read(), ID).map(({ prompt }) => prompt)).toEqual(['hello']);
  });

  it('that is encrypted is named, with title, folder and times', async () => {
    const home = new Home();
    const about = { 1: 'Dunlins', 3: { 1: START + 60 }, 7: { 1: START }, 9: { 1: 'file:///quay%20side' } };
    home.write(message({ 1: [{ 1: ID, 2: about }, { 1: OTHER }] }), 'antigravity', 'agyhub_summaries_proto.pb');
    home.write(new Uint8Array([201, 13, 7, 255]), 'antigravity', 'conversations', `${ID}.pb`);
    home.write('# Plan\nCount dunlins.', 'antigravity', 'brain', ID, 'implementation_plan.md');
    expect(await home.index()).toMatchObject({ sessions: 1, failed: [] });
    const stores = home.portolan.read();
    expect(sessionOf(stores, ID)).toMatchObject({ title: 'Dunlins', cwd: '/quay side', started: START * 1000 });
    expect(turnsIn(stores, ID)[0]?.parts).toMatchObject([
      { type: 'notice', text: expect.stringContaining('encrypted') },
      { type: 'text', role: 'assistant', text: '# Plan\nCount dunlins.' },
    ]);
  });

  it('of which documents alone are left is called as they say', async () => {
    const home = new Home();
    home.write('# Tasks', 'antigravity', 'brain', ID, 'task.md');
    home.write('# Old tasks', 'antigravity', 'brain', ID, 'task.md.resolved.0');
    home.write(
      JSON.stringify({ summary: 'Counting dunlins', updatedAt: '2026-11-20T09:00:00Z' }),
      'antigravity',
      'brain',
      ID,
      'task.md.metadata.json',
    );
    home.write('no document', 'antigravity', 'brain', OTHER, 'uploaded.png');
    await home.index();
    const stores = home.portolan.read();
    expect(sessionsOf(stores)).toMatchObject([{ nativeId: ID, title: 'Counting dunlins', ended: START * 1000 }]);
    expect(linesIn(stores, ID)).toEqual(['assistant: # Tasks']);
  });

  it('is read from its log where that is all', async () => {
    const home = new Home();
    const created_at = '2026-11-20T09:00:00Z';
    home.log(
      'antigravity-cli',
      ID,
      {
        source: 'USER_EXPLICIT',
        type: 'USER_INPUT',
        created_at,
        content:
          '<USER_REQUEST>\nRun it.\n</USER_REQUEST>\n<USER_SETTINGS_CHANGE>\nThe user changed setting `Model Selection` from None to Gemini 9 (High). No need to comment.\n</USER_SETTINGS_CHANGE>',
      },
      {
        source: 'MODEL',
        type: 'PLANNER_RESPONSE',
        thinking: 'Hm.',
        tool_calls: [
          { name: 'run_command', args: { CommandLine: '"make"', Cwd: '"/quay"' } },
          { name: 'view_file', args: { AbsolutePath: '"/quay/a.txt' } },
        ],
      },
      {
        source: 'MODEL',
        type: 'RUN_COMMAND',
        status: 'RUNNING',
        content: `Created At: ${created_at}\nTool is running as a background task with task id: ${ID}/task-2\nTask logs are available at: file:///quay/.system_generated/tasks/task-2.log`,
      },
      { source: 'SYSTEM', type: 'ERROR_MESSAGE', error: 'no such file' },
      {
        source: 'SYSTEM',
        type: 'SYSTEM_MESSAGE',
        content: `It is <SYSTEM_MESSAGE> of the system.\n\n<SYSTEM_MESSAGE>\nTask id "${ID}/task-2" finished with result:\n\t\tThe command failed with exit code: 2\n</SYSTEM_MESSAGE>`,
      },
      { source: 'MODEL', type: 'WEATHER', content: 'rain' },
    );
    home.write('all of it', 'antigravity-cli', 'brain', ID, '.system_generated', 'tasks', 'task-2.log');
    expect(await home.index()).toMatchObject({ sessions: 1, failed: [], unknownRecords: { 'log:WEATHER': 1 } });
    const stores = home.portolan.read();
    expect(sessionOf(stores, ID).more.models).toEqual(['Gemini 9 (High)']);
    const [turn] = turnsIn(stores, ID);
    expect(turn).toMatchObject({
      prompt: 'Run it.',
      parts: [
        { text: 'Run it.' },
        { type: 'thinking', text: 'Hm.' },
        { input: { CommandLine: 'make', Cwd: '/quay' }, output: 'all of it', exitCode: 2, isError: true },
        { input: { AbsolutePath: '"/quay/a.txt' }, output: 'no such file', isError: true },
        { type: 'notice' },
        { name: 'weather', output: 'rain' },
      ],
    });
  });

  it('is read as far as its log goes, and on when that has grown', async () => {
    const home = new Home();
    const path = home.log('antigravity-ide', ID, { source: 'USER_EXPLICIT', type: 'USER_INPUT', content: 'hello' });
    appendFileSync(path, '{"torn\n7\n{"step_index":1,"source":"MODEL","type":"PLANNER_RESP');
    expect((await home.index()).failed).toMatchObject([{ line: 2 }, { line: 3 }]);
    expect(linesIn(home.portolan.read(), ID)).toEqual(['user: hello']);
    appendFileSync(path, 'ONSE","content":"Hi.","tool_calls":7,"truncated_fields":["content",5]}\n');
    expect(await home.index()).toMatchObject({ read: 1 });
    expect(linesIn(home.portolan.read(), ID)).toEqual(['user: hello', 'assistant: Hi.']);
  });

  it('is gone when its files are, and what was read of it stays', async () => {
    const home = new Home();
    home.database().prompt('hello').database.close();
    await home.index();
    rmSync(home.path('antigravity', 'conversations'), { recursive: true });
    expect(await home.index()).toMatchObject({ gone: 1 });
    expect(sessionOf(home.portolan.read(), ID)).toMatchObject({ gone: true });
  });
});

describe('what was typed in the terminal', () => {
  it('is kept of conversations that are gone', async () => {
    const home = new Home();
    const prompts = [
      { display: 'hello', timestamp: START * 1000, workspace: '/quay' },
      { display: '/model', timestamp: START * 1000 + 1, workspace: '/quay', conversationId: OTHER },
      { display: 'bye', timestamp: START * 1000 + 2, workspace: '/pier' },
    ];
    home.write(
      [...prompts.map((prompt) => JSON.stringify(prompt)), '{"torn', '{"disp'].join('\n'),
      'antigravity-cli',
      'history.jsonl',
    );
    const report = await home.index();
    expect(report.failed).toMatchObject([{ line: 4 }]);
    const stores = home.portolan.read();
    expect(turnsIn(stores, `prompts/${OTHER}`).map(({ prompt }) => prompt)).toEqual(['hello', '/model']);
    expect(sessionsOf(stores).map(({ kind, cwd }) => [kind, cwd])).toEqual([
      ['prompts', '/quay'],
      ['prompts', '/pier'],
    ]);
  });
});

describe('Antigravity', () => {
  it('keeps its conversations below the home, on every system', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      expect(antigravity.roots({ home: '/h', platform, variables: {}, projects: [] }).map(({ path }) => path)).toEqual(
        ['antigravity', 'antigravity-ide', 'antigravity-cli'].map((name) => join('/h', '.gemini', name)),
      );
  });

  it('says which conversation a file is part of', () => {
    const home = new Home();
    home.database().prompt('hello');
    const [root] = antigravity.roots(home.env);
    const path = home.path('antigravity', 'conversations', `${ID}.db`);
    for (const part of [path, `${path}-wal`, home.path('antigravity', 'brain', ID, 'task.md')])
      expect(antigravity.unitAt?.(root!, part)?.path).toBe(path);
    for (const other of ['brain', `brain/${OTHER}/task.md`, `implicit/${ID}.pb`, 'conversations/x.db'])
      expect(antigravity.unitAt?.(root!, home.path('antigravity', ...other.split('/')))).toBeUndefined();
  });

  it('takes up what its command line wrote', () => {
    const session = { nativeId: ID, cwd: '/quay', surface: 'cli' };
    expect(antigravity.resume?.(session, {})).toEqual({ argv: ['agy', '--conversation', ID], cwd: '/quay' });
    expect(antigravity.resume?.(session, { prompt: '-x' })?.argv.at(-1)).toBe('--prompt-interactive=-x');
    expect(antigravity.resume?.({ nativeId: ID, surface: 'ide' }, {})).toBeUndefined();
  });
});

describe('the lists of conversations', () => {
  const title = (words: string) => ({ 1: words, 3: { 1: START + 60 }, 7: { 1: START }, 9: { 1: 'file:///quay' } });

  it('of an editor name those that are encrypted', async () => {
    const home = new Home();
    home.write(new Uint8Array([201, 13, 7, 255]), 'antigravity-ide', 'conversations', `${ID}.pb`);
    home.write(new Uint8Array([7]), 'antigravity', 'conversations', `${OTHER}.pb`);
    const base64 = (fields: Fields) => Buffer.from(message(fields)).toString('base64');
    const value = base64({
      1: [
        { 1: ID, 2: { 1: base64(title('Dunlins')) } },
        { 1: OTHER, 2: { 1: 'no message' } },
      ],
    });
    const path = join(home.home, '.config', 'Antigravity', 'User', 'globalStorage', 'state.vscdb');
    mkdirSync(dirname(path), { recursive: true });
    const state = new DatabaseSync(path);
    state.exec('CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)');
    state.prepare('INSERT INTO ItemTable VALUES (?, ?)').run('antigravityUnifiedStateSync.trajectorySummaries', value);
    state.close();
    expect(await home.index()).toMatchObject({ sessions: 2, failed: [] });
    expect(sessionOf(home.portolan.read(), ID)).toMatchObject({ title: 'Dunlins', cwd: '/quay' });
  });

  it('of the command line give titles and folders', async () => {
    const home = new Home();
    for (const id of [ID, OTHER])
      home.log('antigravity-cli', id, { source: 'USER_EXPLICIT', type: 'USER_INPUT', content: 'hello' });
    const summaries = new DatabaseSync(home.path('antigravity-cli', 'conversation_summaries.db'));
    summaries.exec(
      'CREATE TABLE conversation_summaries (conversation_id TEXT, title TEXT, workspace_uris TEXT, last_modified_time TEXT)',
    );
    summaries
      .prepare('INSERT INTO conversation_summaries VALUES (?, ?, ?, ?)')
      .run(ID, 'Dunlins', '["file:///quay"]', '2026-11-20T10:00:00Z');
    summaries.close();
    home.write(
      `${JSON.stringify({ display: 'hello', timestamp: START * 1000, workspace: '/pier', conversationId: OTHER })}\n`,
      'antigravity-cli',
      'history.jsonl',
    );
    await home.index();
    const stores = home.portolan.read();
    expect(sessionOf(stores, ID)).toMatchObject({ title: 'Dunlins', titleFrom: 'agent', cwd: '/quay' });
    expect(sessionOf(stores, OTHER)).toMatchObject({ title: 'hello', cwd: '/pier' });
  });
});

describe('a step of a tool', () => {
  const run = { 1: 'c1', 2: 'run_command', 3: '{"CommandLine":"make"}' };
  const ran = async (fields: Fields, status: number) => {
    const home = new Home();
    home
      .database()
      .prompt('Run it.')
      .answer('Yes.', run)
      .step(21, fields, { status, metadata: { 4: run } });
    await home.index();
    return turnsIn(home.portolan.read(), ID)[0]?.parts[2];
  };

  it('that still runs has no result, or what there is of it', async () => {
    expect(await ran({ 28: { 23: 'make' } }, 2)).not.toHaveProperty('output');
    expect(await ran({ 28: { 21: { 1: 'half' } } }, 2)).toMatchObject({ output: 'half', isError: false });
  });

  it('that was canceled, refused or that broke down has failed', async () => {
    expect(await ran({ 28: { 23: 'make' } }, 6)).toMatchObject({ isError: true });
    expect(await ran({ 28: { 14: 1 } }, 3)).toMatchObject({ isError: true });
    expect(await ran({ 28: { 6: -1073741510 } }, 3)).toMatchObject({ isError: true, exitCode: -1073741510 });
    expect(await ran({ 31: { 1: 'It broke.', 2: 'no make', 3: 'stack' } }, 7)).toMatchObject({
      isError: true,
      output: 'It broke.\nno make',
    });
    expect(await ran({ 28: { 21: { 1: 'done' }, 6: 0 } }, 3)).toMatchObject({ isError: false, exitCode: 0 });
  });

  it('that nobody called is a call of its own', async () => {
    const home = new Home();
    home
      .database()
      .prompt('Look at this.')
      .step(8, { 14: { 1: 'file:///quay/a%20b.txt', 4: 'dunlins' } });
    expect(await home.index()).toMatchObject({ unknownRecords: {} });
    expect(turnsIn(home.portolan.read(), ID)[0]?.parts[1]).toMatchObject({
      name: 'view_file',
      output: 'dunlins',
      paths: ['/quay/a b.txt'],
    });
  });

  it('of an answer that was stopped is followed by a notice', async () => {
    const home = new Home();
    home
      .database()
      .prompt('Tell me.')
      .step(15, { 20: { 1: 'On the' } }, { status: 6 });
    await home.index();
    expect(turnsIn(home.portolan.read(), ID)[0]?.parts.slice(1)).toMatchObject([
      { text: 'On the' },
      { type: 'notice', kind: 'interruption' },
    ]);
  });
});

describe('what the schema names and no file was seen of', () => {
  it('is told: sub-agents with their parent, answers of tools, what the program says in the person’s place', async () => {
    const home = new Home();
    const call = (id: string, name: string) => ({ 1: id, 2: name, 3: '{}' });
    home
      .database()
      .prompt('Ask somebody.')
      .answer('Yes.', call('c1', 'invoke_subagent'), call('c2', 'call_mcp_tool'), call('c3', 'grep_search'))
      .step(127, { 143: { 1: 'looker', 10: [{ 1: OTHER }] } }, { metadata: { 4: call('c1', 'invoke_subagent') } })
      .step(38, { 47: { 1: 'git', 3: 'clean' } }, { metadata: { 4: call('c2', 'call_mcp_tool') } })
      .step(7, { 13: { 1: 'x', 3: 'a.txt:1: x' } }, { metadata: { 4: call('c3', 'grep_search') } })
      .prompt('Go on, says the program.', { metadata: { 3: 3 } })
      .step(90, { 103: { 1: 'a reminder' } });
    const child = home.database('antigravity', OTHER).prompt('Look.');
    child.database
      .prepare('UPDATE trajectory_metadata_blob SET data = ?')
      .run(message({ 1: { 1: 'file:///quay', 4: 'main' }, 5: ID, 17: 1 }));
    expect(await home.index()).toMatchObject({ sessions: 2, failed: [], unknownRecords: {} });
    const stores = home.portolan.read();
    expect(sessionOf(stores, OTHER)).toMatchObject({
      branch: 'main',
      parent: { key: `antigravity:${ID}`, relation: 'subagent' },
    });
    const turns = turnsIn(stores, ID);
    expect(turns.length).toBe(1);
    expect(turns[0]?.parts.slice(2)).toMatchObject([
      { callId: 'c1', kind: 'agent', child: `antigravity:${OTHER}`, output: `looker\n${OTHER}` },
      { callId: 'c2', kind: 'mcp', output: 'clean' },
      { callId: 'c3', kind: 'search', output: 'a.txt:1: x' },
      { type: 'notice', text: 'Go on, says the program.' },
    ]);
  });
});
