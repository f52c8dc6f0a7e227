import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { kiloCli } from '../../../src/agents/kilo-cli/source.ts';
import { openCode } from '../../../src/agents/opencode/source.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, turnsIn } from '../../support/portolan.ts';

const SCHEMA = `
PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL, title text NOT NULL,
  version text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
CREATE INDEX part_session_idx ON part (session_id);`;
const AT = Date.parse('2026-11-20T09:00:00Z');

class Home {
  readonly path = temporaryFolder();
  readonly data = join(this.path, '.local/share/opencode');
  readonly env: Environment = { home: this.path, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);
  private count = 0;
  private open: DatabaseSync | undefined;

  get database(): DatabaseSync {
    if (!this.open) {
      mkdirSync(this.data, { recursive: true });
      this.open = new DatabaseSync(join(this.data, 'opencode.db'));
      this.open.exec(SCHEMA);
      const database = this.open;
      onTestFinished(() => database.close());
    }
    return this.open;
  }

  session(id: string, title = id, parent: string | null = null): void {
    this.database
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?)')
      .run(id, 'global', parent, '/home/dev/quay', title, '1.18', AT, AT);
  }

  say(session: string, data: object | string, ...parts: readonly object[]): string {
    const id = `msg_${String(++this.count).padStart(4, '0')}`;
    const at = AT + this.count * 1000;
    const content = typeof data === 'string' ? data : JSON.stringify({ time: { created: at }, ...data });
    this.database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(id, session, at, at, content);
    for (const part of parts) this.part(session, id, part);
    return id;
  }

  part(session: string, message: string, part: object): string {
    const id = `prt_${String(++this.count).padStart(4, '0')}`;
    this.database
      .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
      .run(id, message, session, AT, AT + this.count * 1000, JSON.stringify(part));
    return id;
  }

  index() {
    return this.portolan.write(async (stores) => (await ingest(stores, this.env)).opencode!);
  }
}

const text = (said: string) => ({ type: 'text', text: said });
const tool = (callID: string, name: string, state: object) => ({ type: 'tool', tool: name, callID, state });

describe('a session in OpenCode’s database', () => {
  it('is read whole: prompts, calls, tokens, what failed', async () => {
    const home = new Home();
    home.session('ses_1', 'Dunlins');
    home.say('ses_1', { role: 'user' }, text('Where do dunlins nest?'));
    home.say(
      'ses_1',
      {
        role: 'assistant',
        modelID: 'm-1',
        tokens: { input: 10, output: 5, reasoning: 2, cache: { read: 100, write: 7 } },
      },
      { type: 'step-start' },
      { type: 'reasoning', text: 'Look.' },
      tool('a', 'bash', { status: 'completed', input: { command: 'ls' }, output: 'none', metadata: { exit: 3 } }),
      tool('b', 'read', { status: 'running', input: { filePath: '/x' } }),
    );
    home.say('ses_1', { role: 'assistant', error: { name: 'APIError', data: { message: 'overloaded' } } });
    home.say('ses_1', { role: 'user' }, { type: 'compaction', auto: true });
    home.say('ses_1', { role: 'assistant', summary: true }, text('All in short.'));
    expect(await home.index()).toMatchObject({ units: 2, sessions: 1, failed: [], unknownRecords: {} });
    const stores = home.portolan.read();
    const session = sessionOf(stores, 'ses_1');
    expect(session.tokens['m-1']).toMatchObject({
      input: 10,
      cacheRead: 100,
      cacheWrite5m: 7,
      output: 7,
      reasoning: 2,
    });
    expect(turnsIn(stores, 'ses_1')).toMatchObject([
      {
        prompt: 'Where do dunlins nest?',
        parts: [
          { role: 'user' },
          { type: 'thinking' },
          { name: 'bash', command: 'ls', output: 'none', exitCode: 3, isError: true },
          { name: 'read', paths: ['/x'], isError: false },
          { kind: 'system', text: 'overloaded' },
          { kind: 'compaction' },
          { kind: 'compaction', text: 'All in short.' },
        ],
      },
    ]);
  });

  it('is read again alone, also where a part was only written on', async () => {
    const home = new Home();
    for (const id of ['ses_1', 'ses_2']) {
      home.session(id);
      home.say(id, { role: 'user' }, text(`hello ${id}`));
    }
    const message = home.say('ses_2', { role: 'assistant' });
    const part = home.part('ses_2', message, text('On the'));
    await home.index();
    home.database
      .prepare('UPDATE part SET data = ?, time_updated = ? WHERE id = ?')
      .run(JSON.stringify(text('On the saltmarsh.')), AT + 99_000, part);
    expect(await home.index()).toMatchObject({ read: 2, unchanged: 1 });
    expect(turnsIn(home.portolan.read(), 'ses_2')[0]?.parts[1]).toMatchObject({ text: 'On the saltmarsh.' });
  });

  it('that was forked shows what is its own, and its requests count once', async () => {
    const home = new Home();
    for (const id of ['ses_1', 'ses_2']) {
      home.session(id);
      for (const [second, role, said] of [
        [1, 'user', 'one'],
        [2, 'assistant', '1'],
      ] as const)
        home.say(
          id,
          { role, time: { created: AT + second }, modelID: 'm', tokens: { input: 10, output: 1, cache: {} } },
          text(said),
        );
    }
    home.say('ses_2', { role: 'user' }, text('two'));
    await home.index();
    const stores = home.portolan.read();
    expect(turnsIn(stores, 'ses_2').map(({ prompt }) => prompt)).toEqual(['two']);
    expect(sessionOf(stores, 'ses_2')).toMatchObject({
      tokens: {},
      parent: { key: 'opencode:ses_1', relation: 'fork' },
    });
  });

  it('is read as far as it can be', async () => {
    const home = new Home();
    home.session('ses_1');
    home.say('ses_1', 'torn{');
    home.say('ses_1', { role: 'user' }, text('hello'), { type: 'constructor' });
    home.say('ses_1', { role: '__proto__' });
    const report = await home.index();
    expect(report.failed).toMatchObject([{ line: 1 }]);
    expect(report.unknownRecords).toEqual({ 'part:constructor': 1, 'message:__proto__': 1 });
  });
});

it('a session in files of their own is read like one in the database, and united with it', async () => {
  const home = new Home();
  const storage = join(home.data, 'storage');
  const write = (path: string, content: object) => writeAt(join(storage, path), JSON.stringify(content));
  write('session/global/ses_1.json', {
    id: 'ses_1',
    directory: '/home/dev/quay',
    title: 'Curlews',
    time: { created: AT, updated: AT },
  });
  write('message/ses_1/msg_1.json', { id: 'msg_1', role: 'user', time: { created: AT } });
  write('part/msg_1/prt_1.json', text('Where do curlews nest?'));
  write('message/ses_1/msg_2.json', { id: 'msg_2', role: 'assistant', time: { created: AT + 1 } });
  write('part/msg_2/prt_1.json', text('On the moor.'));
  expect(await home.index()).toMatchObject({ units: 1, sessions: 1, failed: [] });
  expect(turnsIn(home.portolan.read(), 'ses_1')).toMatchObject([
    { prompt: 'Where do curlews nest?', parts: [{}, { text: 'On the moor.' }] },
  ]);
  const root = openCode.roots(home.env)[0]!;
  const unit = openCode.unitAt?.(root, join(storage, 'session/global/ses_1.json'));
  expect(openCode.unitAt?.(root, join(storage, 'message/ses_1/msg_2.json'))).toEqual(unit);
  home.session('ses_1', 'Curlews');
  for (const [second, role, said] of [
    [0, 'user', 'Where do curlews nest?'],
    [1, 'assistant', 'On the moor.'],
    [2, 'user', 'And dunlins?'],
  ] as const)
    home.say('ses_1', { role, time: { created: AT + second } }, text(said));
  await home.index();
  expect(home.portolan.read().catalog.sessions('hidden = 0', [], 'key', 10).length).toBe(1);
  expect(turnsIn(home.portolan.read(), 'ses_1').map(({ prompt }) => prompt)).toEqual([
    'Where do curlews nest?',
    'And dunlins?',
  ]);
});

it('lies where its variables say, and is taken up by its own command', () => {
  const roots = openCode.roots({
    home: '/home/dev',
    platform: 'win32',
    variables: { XDG_DATA_HOME: '/d', LOCALAPPDATA: '/l' },
    projects: [],
  });
  expect(roots.map(({ path }) => path)).toEqual(['/d/opencode', '/home/dev/.local/share/opencode', '/l/opencode']);
  expect(openCode.resume?.({ nativeId: 'ses_1', cwd: '/quay' }, {})).toEqual({
    argv: ['opencode', '--session', 'ses_1'],
    cwd: '/quay',
  });
  expect(kiloCli.resume?.({ nativeId: 'ses_1' }, { prompt: '-x' })?.argv).toEqual([
    'kilo',
    'run',
    '--session',
    'ses_1',
    '--',
    '-x',
  ]);
});
