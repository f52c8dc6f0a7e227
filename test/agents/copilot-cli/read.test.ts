import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { copilotCli } from '../../../src/agents/copilot-cli/source.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { stateOf, temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, turnsIn } from '../../support/portolan.ts';

const ID = '7d0c9a52-6a3e-4f7e-9a35-0d6a5b0e4b11';

class Home {
  readonly path = temporaryFolder();
  readonly env: Environment = { home: this.path, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);
  readonly events = join(this.path, '.copilot/session-state', ID, 'events.jsonl');
  private count = 0;

  event(type: string, data: object, more: object = {}): string {
    const [id, second] = [`e-${this.count}`, this.count++];
    const timestamp = new Date(Date.parse('2026-11-20T09:00:00Z') + second * 1000).toISOString();
    return `${JSON.stringify({ type, data, id, timestamp, parentId: null, ...more })}\n`;
  }

  write(...events: readonly string[]): string {
    return writeAt(this.events, events.join(''));
  }

  index() {
    return this.portolan.write(async (stores) => (await ingest(stores, this.env))['copilot-cli']!);
  }
}

describe('a session of Copilot CLI', () => {
  it('goes on where it was read to, and a call that started later is told once', async () => {
    const home = new Home();
    home.write(
      home.event('session.start', { sessionId: ID, copilotVersion: '1.0.70', context: { cwd: '/home/dev/quay' } }),
      home.event('user.message', { content: 'What is deep?' }),
      home.event('assistant.message', {
        content: '',
        reasoningText: 'Look.',
        model: 'm-1',
        toolRequests: [{ toolCallId: 'c1', name: 'bash', arguments: { command: 'sound' } }],
      }),
    );
    await home.index();
    const more =
      home.event('tool.execution_start', { toolCallId: 'c1', toolName: 'bash', arguments: { command: 'sound' } }) +
      home.event('tool.execution_complete', {
        toolCallId: 'c1',
        success: true,
        result: { content: 'seven\n<exited with exit code 3>' },
      }) +
      home.event('assistant.message', { content: 'Seven.', model: 'm-1' }) +
      home.event('session.brand_new', {});
    appendFileSync(home.events, more);
    const report = await home.index();
    expect(report.bytesRead).toBe(more.length);
    expect(report.unknownRecords).toEqual({ 'event:session.brand_new': 1 });
    const session = sessionOf(home.portolan.read(), ID);
    expect(session.cwd).toBe('/home/dev/quay');
    const turns = turnsIn(home.portolan.read(), ID);
    expect(turns).toHaveLength(1);
    expect(turns[0]!.parts).toMatchObject([
      { type: 'text', text: 'What is deep?' },
      { type: 'thinking', text: 'Look.' },
      { type: 'tool_call', name: 'bash', command: 'sound', isError: true, exitCode: 3 },
      { type: 'text', text: 'Seven.' },
    ]);
  });

  it('holds its sub-agents, which speak under ids of their own', async () => {
    const home = new Home();
    const own = { agentId: 'agent-1' };
    home.write(
      home.event('session.start', { sessionId: ID }),
      home.event('user.message', { content: 'Ask another one.' }),
      home.event('assistant.message', {
        content: 'Asked.',
        toolRequests: [{ toolCallId: 'c1', name: 'task', arguments: { prompt: 'Count.' } }],
      }),
      home.event('subagent.started', { toolCallId: 'c1', agentDescription: 'Counts' }, own),
      home.event('user.message', { content: 'Count.' }, own),
      home.event('assistant.message', { content: 'Twelve.' }, own),
    );
    await home.index();
    const child = sessionOf(home.portolan.read(), `${ID}/agent-1`);
    expect(child).toMatchObject({ parent: { relation: 'subagent' }, title: 'Counts' });
    expect(turnsIn(home.portolan.read(), `${ID}/agent-1`)).toHaveLength(1);
  });

  it.each([
    ['name: Sounding', { generated: 'Sounding' }],
    ['name: "Sounding: deep"\nuser_named: true', { user: 'Sounding: deep' }],
    ["name: 'It''s deep'", { generated: "It's deep" }],
    ['summary: |-\n  Sounding\n  twice\nid: x', { generated: 'Sounding\ntwice' }],
    ['id: x', undefined],
    ['name: "torn', undefined],
  ])('is named by %j beside it', async (yaml, titles) => {
    const home = new Home();
    home.write(
      home.event('session.start', { sessionId: ID }),
      home.event('user.message', { content: 'What is deep?' }),
    );
    writeAt(join(home.events, '../workspace.yaml'), yaml);
    await home.index();
    const { title } = sessionOf(home.portolan.read(), ID);
    expect(title).toBe(Object.values(titles ?? { prompt: 'What is deep?' })[0]?.replace('\n', ' '));
  });

  it('has a new name as soon as it was given one', async () => {
    const home = new Home();
    home.write(home.event('user.message', { content: 'What is deep?' }));
    await home.index();
    writeAt(join(home.events, '../workspace.yaml'), 'name: Sounding\nuser_named: true');
    expect((await home.index()).bytesRead).toBe(0);
    expect(sessionOf(home.portolan.read(), ID).title).toBe('Sounding');
  });

  it('is read on after torn lines and values of other types, each counted', async () => {
    const home = new Home();
    home.write(
      home.event('user.message', { content: 5, attachments: 'no' }),
      '{"type":"assistant.message","data":{"content":"to\n',
      home.event('assistant.message', { content: 'whole', toolRequests: [null, 7] }),
    );
    const report = await home.index();

    expect(report.failed).toHaveLength(1);
    expect(JSON.stringify(turnsIn(home.portolan.read(), ID))).toContain('whole');
  });

  it('is known from the store when its events are gone, and that store is left as it was', async () => {
    const home = new Home();
    const path = writeAt(join(home.path, '.copilot/session-store.db'), '');
    const store = new DatabaseSync(path);
    store.exec(`
      CREATE TABLE sessions (id TEXT PRIMARY KEY, cwd TEXT, branch TEXT, summary TEXT, updated_at TEXT);
      CREATE TABLE turns (id INTEGER PRIMARY KEY, session_id TEXT, turn_index INTEGER, user_message TEXT,
        assistant_response TEXT, timestamp TEXT);
      INSERT INTO sessions VALUES ('${ID}', '/home/dev/quay', 'main', 'Sounding', '2026-11-20T09:00:02Z');
      INSERT INTO turns VALUES (1, '${ID}', 0, 'What is deep?', 'Seven.', '2026-11-20T09:00:01Z')`);
    store.close();
    home.write(home.event('user.message', { content: 'What is deep?' }));
    const before = stateOf(home.path);
    await home.index();
    expect(sessionOf(home.portolan.read(), ID).title).toBe('What is deep?');
    expect(stateOf(home.path)).toEqual(before);

    rmSync(home.events);
    const other = new DatabaseSync(path);
    other.exec(`INSERT INTO turns VALUES (2, '${ID}', 1, 'And wide?', 'Nine.', '2026-11-20T09:00:03Z')`);
    other.close();
    await home.index();
    const shown = JSON.stringify(turnsIn(home.portolan.read(), ID));
    for (const said of ['What is deep?', 'Seven.', 'And wide?', 'Nine.']) expect(shown).toContain(said);
  });
});

it('Copilot is found where its variable says and in the home, and takes a session up again by its id', () => {
  const env: Environment = { home: '/h', platform: 'linux', variables: { COPILOT_HOME: '/c' }, projects: [] };
  expect(copilotCli.roots(env).map(({ path }) => path)).toEqual(['/c', '/h/.copilot']);
  expect(copilotCli.resume!({ nativeId: ID, cwd: '/w' }, { prompt: '--x' })).toEqual({
    argv: ['copilot', `--resume=${ID}`, '--prompt=--x'],
    cwd: '/w',
  });
});
