import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { crush } from '../../../src/agents/crush/source.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { sessionOf as shown } from '../../../src/search/transcripts/transcript.ts';
import { stateOf, temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, sessionsOf, turnsIn } from '../../support/portolan.ts';

const SCHEMA = `
PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER NOT NULL DEFAULT 0,
  prompt_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0, cost REAL NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL, summary_message_id TEXT);
CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts TEXT NOT NULL DEFAULT '[]', model TEXT,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, finished_at INTEGER, provider TEXT);
CREATE INDEX idx_messages_session_id ON messages (session_id);`;
const START = Date.parse('2026-11-20T09:00:00Z') / 1000;

class Project {
  readonly home = temporaryFolder();
  readonly folder = join(this.home, 'quay');
  readonly data = join(this.folder, '.crush');
  readonly database: DatabaseSync;
  private clock = START;
  private count = 0;

  constructor() {
    mkdirSync(this.data, { recursive: true });
    this.database = new DatabaseSync(join(this.data, 'crush.db'));
    this.database.exec(SCHEMA);
    onTestFinished(() => this.database.close());
  }

  /** Crush's own list names the project. */
  listed(): this {
    writeAt(
      join(this.home, '.local/share/crush/projects.json'),
      JSON.stringify({ projects: [{ path: this.folder, data_dir: this.data }, { path: '/nowhere' }, 5] }),
    );
    return this;
  }

  session(id: string, title = id, parent: string | null = null): void {
    this.database
      .prepare('INSERT INTO sessions (id, title, parent_session_id, updated_at, created_at) VALUES (?, ?, ?, ?, ?)')
      .run(id, title, parent, this.clock, this.clock);
  }

  say(session: string, role: string, ...parts: readonly (readonly [string, object])[]): string {
    this.clock++;
    const id = `m${++this.count}`;
    const text = JSON.stringify(parts.map(([type, data]) => ({ type, data })));
    this.database
      .prepare(
        'INSERT INTO messages (id, session_id, role, parts, model, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(id, session, role, text, 'quay-1', this.clock, this.clock);
    this.database.prepare('UPDATE sessions SET message_count = message_count + 1 WHERE id = ?').run(session);
    return id;
  }

  writeOn(message: string, text: string): void {
    this.database
      .prepare('UPDATE messages SET parts = ? WHERE id = ?')
      .run(JSON.stringify([{ type: 'text', data: { text } }]), message);
  }

  readonly env: Environment = { home: this.home, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);

  index(env = this.env) {
    return this.portolan.write(async (stores) => (await ingest(stores, env)).crush!);
  }
}

const text = (said: string) => ['text', { text: said }] as const;

describe('a project of Crush', () => {
  it('is found by the list that Crush keeps, and nothing appears in it', async () => {
    const project = new Project().listed();
    project.session('one', 'Dunlins');
    project.say('one', 'user', text('Where do dunlins nest?'));
    project.say('one', 'assistant', text('On the saltmarsh.'));
    const before = stateOf(project.data);
    expect(await project.index()).toMatchObject({ units: 2, sessions: 1, failed: [] });
    expect(stateOf(project.data)).toEqual(before);
    const stores = project.portolan.read();
    expect(sessionOf(stores, 'one')).toMatchObject({ title: 'Dunlins', cwd: project.folder });
    expect(turnsIn(stores, 'one')[0]?.prompt).toBe('Where do dunlins nest?');
  });

  it('that only lies in a repository is not read, unless the user says so, and is marked then', async () => {
    const project = new Project();
    project.session('one');
    project.say('one', 'user', text('We decided to trust everyone.'));
    expect(await project.index()).toMatchObject({ units: 0 });
    await project.index({ ...project.env, projects: [project.folder] });
    const stores = project.portolan.read();
    expect(sessionsOf(stores).map((row) => shown(stores, row, 0).inside)).toEqual([project.folder]);
  });

  it('is read on by the sessions that changed alone, also where an answer is still being written', async () => {
    const project = new Project().listed();
    for (const id of ['one', 'two']) {
      project.session(id);
      project.say(id, 'user', text(`hello ${id}`));
    }
    const answer = project.say('two', 'assistant', text('On the'));
    await project.index();
    project.writeOn(answer, 'On the saltmarsh.');
    const report = await project.index();
    expect(report).toMatchObject({ units: 3, read: 2, unchanged: 1 });
    expect(turnsIn(project.portolan.read(), 'two').map(({ parts }) => parts.length)).toEqual([2]);
    expect(turnsIn(project.portolan.read(), 'two')[0]?.parts[1]).toMatchObject({ text: 'On the saltmarsh.' });
  });

  it('has sub-agents linked to the call that started them', async () => {
    const project = new Project().listed();
    project.session('one');
    project.say('one', 'user', text('Ask somebody.'));
    const asked = project.say('one', 'assistant', [
      'tool_call',
      { id: 'call_1', name: 'agent', input: '{"prompt":"Look."}' },
    ]);
    project.session(`${asked}$$call_1`, 'Look', 'one');
    project.say(`${asked}$$call_1`, 'user', text('Look.'));
    project.say('one', 'tool', [
      'tool_result',
      { tool_call_id: 'call_1', name: 'agent', content: 'Seen.', is_error: false },
    ]);
    await project.index();
    const stores = project.portolan.read();
    expect(sessionOf(stores, `${asked}$$call_1`).parent).toMatchObject({ key: 'crush:one', relation: 'subagent' });
    expect(turnsIn(stores, 'one')[0]?.parts[1]).toMatchObject({ child: `crush:${asked}$$call_1`, output: 'Seen.' });
  });

  it('is read as far as it can be where a message is no JSON, or of a type that nobody knows', async () => {
    const project = new Project().listed();
    project.session('one');
    project.say('one', 'user', text('hello'));
    project.database.exec(`UPDATE messages SET parts = '{"torn' WHERE id = 'm1'`);
    project.say('one', 'user', text('hello again'), ['constructor', {}]);
    project.say('one', '__proto__', text('odd'));
    const report = await project.index();
    expect(report.unknownRecords).toEqual({
      'message without parts': 1,
      'part:constructor': 1,
      'message:__proto__': 1,
    });
    expect(turnsIn(project.portolan.read(), 'one').map(({ prompt }) => prompt)).toEqual(['hello again']);
  });

  it('that cannot be read now is told, and what was kept stays', async () => {
    const project = new Project().listed();
    project.session('one');
    project.say('one', 'user', text('hello'));
    await project.index();
    project.database.exec('DROP TABLE messages');
    expect((await project.index()).failed).toMatchObject([{ reason: expect.stringContaining('no such table') }]);
    expect(sessionsOf(project.portolan.read()).map(({ nativeId, gone }) => [nativeId, gone])).toEqual([['one', false]]);
  });

  it('is taken up by the session at the top', () => {
    const resumed = { nativeId: 'x', root: { nativeId: 'one', cwd: '/quay' } };
    expect(crush.resume?.(resumed, {})).toEqual({ argv: ['crush', '--session', 'one'], cwd: '/quay' });
    expect(crush.resume?.(resumed, { prompt: 'on' })?.argv).toEqual(['crush', 'run', '--session', 'one', 'on']);
  });

  it('has its list in other places too', () => {
    const home = temporaryFolder();
    for (const [variables, path] of [
      [{ CRUSH_GLOBAL_DATA: join(home, 'c') }, 'c/projects.json'],
      [{ XDG_DATA_HOME: join(home, 'd') }, 'd/crush/projects.json'],
      [{ LOCALAPPDATA: join(home, 'e') }, 'e/crush/projects.json'],
    ] as const) {
      writeAt(join(home, path), JSON.stringify({ projects: [{ path: `/quay/${path}` }] }));
      const platform = path.startsWith('e') ? 'win32' : 'darwin';
      const roots = crush.roots({ home, platform, variables, projects: [] });
      expect(roots).toEqual([{ path: `/quay/${path}/.crush`, layout: 'project' }]);
    }
  });
});
