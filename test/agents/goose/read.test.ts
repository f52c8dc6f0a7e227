import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { goose } from '../../../src/agents/goose/source.ts';
import { utcTime } from '../../../src/agents/goose/times.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { stateOf, temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, turnsIn } from '../../support/portolan.ts';

/** As version 5 of its schema has them, of which an empty database was seen. */
const SCHEMA = `
PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '',
  user_set_name BOOLEAN DEFAULT FALSE, session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, extension_data TEXT DEFAULT '{}',
  accumulated_total_tokens INTEGER, recipe_json TEXT, user_recipe_values_json TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL,
  content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER,
  metadata_json TEXT);
CREATE INDEX idx_messages_session ON messages(session_id);`;
const AT = Date.parse('2026-11-20T09:00:00Z') / 1000;

const text = (said: string) => ({ type: 'text', text: said });
const request = (id: string, name: string, input: object) => ({
  type: 'toolRequest',
  id,
  toolCall: { status: 'success', value: { name, arguments: input } },
});
const response = (id: string, said: string, isError = false) => ({
  type: 'toolResponse',
  id,
  toolResult: { status: 'success', value: { content: [text(said)], isError } },
});

class Home {
  readonly path = temporaryFolder();
  readonly folder = join(this.path, '.local/share/goose/sessions');
  readonly env: Environment = { home: this.path, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);

  database() {
    mkdirSync(this.folder, { recursive: true });
    const database = new DatabaseSync(join(this.folder, 'sessions.db'));
    onTestFinished(() => database.close());
    database.exec(SCHEMA);
    const session = (id: string, description: string) =>
      database
        .prepare('INSERT INTO sessions (id, description, working_dir, updated_at) VALUES (?, ?, ?, ?)')
        .run(id, description, '/home/dev/quay', '2026-11-20 09:00:00');
    const say = (id: string, role: string, content: readonly object[] | string, metadata: object = {}) =>
      database
        .prepare(
          'INSERT INTO messages (session_id, role, content_json, created_timestamp, metadata_json) VALUES (?, ?, ?, ?, ?)',
        )
        .run(id, role, typeof content === 'string' ? content : JSON.stringify(content), AT, JSON.stringify(metadata));
    return { session, say };
  }

  index() {
    return this.portolan.write(async (stores) => (await ingest(stores, this.env)).goose!);
  }
}

describe('a session of Goose', () => {
  it('is read from its database: prompts, calls with results, what the model thought', async () => {
    const home = new Home();
    const { session, say } = home.database();
    session('20261120_1', 'Dunlins');
    say('20261120_1', 'user', [text('Where do dunlins nest?')]);
    say('20261120_1', 'assistant', [
      { type: 'thinking', thinking: 'Look it up.', signature: 'x' },
      request('a', 'developer__shell', { command: 'grep dunlin' }),
      request('b', 'developer__text_editor', { command: 'view', path: '/home/dev/quay/notes.md' }),
    ]);
    say('20261120_1', 'user', [response('b', 'No such file', true), response('a', 'saltmarsh')]);
    say('20261120_1', 'assistant', [
      text('On the saltmarsh.'),
      { type: 'systemNotification', notificationType: 'inlineMessage', msg: 'Compacted' },
    ]);
    say('20261120_1', 'user', [text('All of it, in short.')], { userVisible: false });
    const before = stateOf(home.path);
    expect(await home.index()).toMatchObject({ units: 2, sessions: 1, failed: [], unknownRecords: {} });
    expect(stateOf(home.path)).toEqual(before);
    const stores = home.portolan.read();
    expect(sessionOf(stores, '20261120_1')).toMatchObject({ title: 'Dunlins', cwd: '/home/dev/quay' });
    expect(turnsIn(stores, '20261120_1')).toMatchObject([
      {
        prompt: 'Where do dunlins nest?',
        startedAt: AT * 1000,
        parts: [
          { type: 'text', role: 'user' },
          { type: 'thinking', text: 'Look it up.' },
          { name: 'developer__shell', kind: 'shell', command: 'grep dunlin', output: 'saltmarsh', isError: false },
          { kind: 'read', paths: ['/home/dev/quay/notes.md'], output: 'No such file', isError: true },
          { type: 'text', role: 'assistant' },
          { type: 'notice', kind: 'system', text: 'Compacted' },
          { type: 'notice', kind: 'summary', text: 'All of it, in short.' },
        ],
      },
    ]);
  });

  it('is read again alone when it grew, and is not stopped by what is strange', async () => {
    const home = new Home();
    const { session, say } = home.database();
    for (const id of ['1', '2']) {
      session(id, id);
      say(id, 'user', [text(`hello ${id}`)]);
    }
    await home.index();
    say('2', 'user', 'torn{');
    say('2', 'assistant', [{ type: 'constructor' }]);
    say('2', '__proto__', [text('odd')]);
    const report = await home.index();
    expect(report).toMatchObject({ read: 2, unchanged: 1 });
    expect(report.failed).toMatchObject([{ line: 2, reason: 'a message that is not JSON' }]);
    expect(report.unknownRecords).toEqual({ 'content:constructor': 1, 'message:__proto__': 1 });
  });

  it('is read from a file of its own, as older versions wrote it, and goes on where that grows', async () => {
    const home = new Home();
    const lines = [
      { working_dir: '/home/dev/quay', description: 'Curlews', message_count: 2 },
      { role: 'user', created: AT, content: [text('Where do curlews nest?')] },
      { role: 'assistant', created: AT + 1, content: [request('a', 'mcp__search', {}), text('On the moor.')] },
    ];
    const path = join(home.folder, '20250601_120000.jsonl');
    writeAt(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await home.index();
    const more = { role: 'user', created: AT + 2, content: [response('a', 'found')] };
    writeAt(path, [...lines, more].map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect((await home.index()).bytesRead).toBe(JSON.stringify(more).length + 1);
    const stores = home.portolan.read();
    expect(sessionOf(stores, '20250601_120000')).toMatchObject({ title: 'Curlews', cwd: '/home/dev/quay' });
    expect(turnsIn(stores, '20250601_120000')[0]?.parts).toMatchObject([{}, { kind: 'mcp', output: 'found' }, {}]);
  });

  it('lies where its variables say, is taken up by its id, and is said to be unverified', () => {
    const roots = (variables: Environment['variables'], platform: NodeJS.Platform = 'linux') =>
      goose.roots({ home: '/home/dev', platform, variables, projects: [] }).map(({ path }) => path);
    expect(roots({ GOOSE_PATH_ROOT: '/goose' })[0]).toBe('/goose/data/sessions');
    expect(roots({ XDG_DATA_HOME: '/data' })).toEqual([
      '/data/goose/sessions',
      '/home/dev/.local/share/goose/sessions',
    ]);
    expect(roots({ APPDATA: '/roaming' }, 'win32')).toContain('/roaming/Block/goose/data/sessions');
    expect(goose.resume?.({ nativeId: '20261120_1', cwd: '/quay' }, {})).toEqual({
      argv: ['goose', 'session', '--resume', '--session-id', '20261120_1'],
      cwd: '/quay',
    });
    expect(goose.unverified).toBeDefined();
  });

  it.each([
    ['2026-11-20 09:00:00', AT * 1000],
    ['2026-11-20T09:00:00Z', AT * 1000],
    ['yesterday', undefined],
  ])('of time %s', (written, at) => {
    expect(utcTime(written)).toBe(at);
  });
});
