import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { droid } from '../../../src/agents/droid/source.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, turnsIn } from '../../support/portolan.ts';

const ID = '5b3a1c77-02c1-49d5-9a15-7f2f6a1d9c11';

class Home {
  readonly path = temporaryFolder();
  readonly env: Environment = { home: this.path, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);
  private count = 0;

  fileOf(id = ID): string {
    return join(this.path, '.factory/sessions/-home-dev-quay', `${id}.jsonl`);
  }

  line(role: string, content: unknown, more: object = {}): string {
    const id = `m-${this.count}`;
    const timestamp = new Date(Date.parse('2026-11-20T09:00:00Z') + this.count++ * 1000).toISOString();
    return `${JSON.stringify({ type: 'message', id, timestamp, message: { role, content }, ...more })}\n`;
  }

  write(lines: readonly string[], start: object = {}, id = ID): string {
    const first = { type: 'session_start', id, title: 'New Session', cwd: '/home/dev/quay', version: 2, ...start };
    return writeAt(this.fileOf(id), [`${JSON.stringify(first)}\n`, ...lines].join(''));
  }

  cost(tokenUsage: unknown): void {
    writeAt(this.fileOf().replace('.jsonl', '.settings.json'), JSON.stringify({ model: 'm-1', tokenUsage }));
  }

  index() {
    return this.portolan.write(async (stores) => (await ingest(stores, this.env)).droid!);
  }
}

const text = (said: string) => [{ type: 'text', text: said }];

describe('a session of Droid', () => {
  it('goes on where it was read to; what it cost is told anew by its settings alone', async () => {
    const home = new Home();
    home.write([
      home.line('user', text('<system-reminder>\nmind it</system-reminder>'), { id: 'context-m-1' }),
      home.line('user', text('What is deep?'), { parentId: 'context-m-1' }),
      home.line('assistant', [
        { type: 'thinking', thinking: 'Look.' },
        { type: 'tool_use', id: 'c1', name: 'Execute', input: { command: 'sound' } },
      ]),
    ]);
    home.cost({ inputTokens: 10, outputTokens: 2, cacheReadTokens: 30, cacheCreationTokens: 4 });
    await home.index();
    const more =
      home.line('user', [
        { type: 'tool_result', tool_use_id: 'c1', is_error: true, content: 'no\n\n[Process exited with code 3]' },
      ]) + home.line('assistant', text('Seven.'));
    appendFileSync(home.fileOf(), more);
    expect((await home.index()).bytesRead).toBe(more.length);
    home.cost({ inputTokens: 20, outputTokens: 5, cacheReadTokens: 60, cacheCreationTokens: 4 });
    expect((await home.index()).bytesRead).toBe(0);
    const stores = home.portolan.read();
    const session = sessionOf(stores, ID);
    expect(session).toMatchObject({ cwd: '/home/dev/quay', title: 'What is deep?' });
    expect(session.tokens['m-1']).toMatchObject({ input: 20, output: 5, cacheRead: 60, cacheWrite5m: 4 });
    const turns = turnsIn(stores, ID);
    expect(turns).toHaveLength(1);
    expect(turns[0]!.parts).toMatchObject([
      { type: 'text', text: 'What is deep?' },
      { type: 'thinking', text: 'Look.' },
      { type: 'tool_call', name: 'Execute', command: 'sound', isError: true, exitCode: 3 },
      { type: 'text', text: 'Seven.' },
    ]);
  });

  it('that was forked shows what is its own, and costs what it asked for itself', async () => {
    const home = new Home();
    const shared = [home.line('user', text('What is deep?')), home.line('assistant', text('Seven.'))];
    home.write(shared);
    const fork = '6c3a1c77-02c1-49d5-9a15-7f2f6a1d9c11';
    home.write([...shared, home.line('user', text('And wide?'))], { parent: ID, title: 'Width' }, fork);
    await home.index();
    const stores = home.portolan.read();
    expect(turnsIn(stores, ID)).toHaveLength(1);
    expect(turnsIn(stores, fork).map(({ prompt }) => prompt)).toEqual(['And wide?']);
    expect(sessionOf(stores, fork)).toMatchObject({ title: 'Width', parent: { relation: 'fork' } });
  });

  it('is read on after torn lines, other types and unknown records, each counted', async () => {
    const home = new Home();
    home.write(
      [
        '{"type":"message","id":"t","message":{"role":"us\n',
        home.line('user', 7),
        home.line('constructor', text('who?')),
        home.line('assistant', [null, { type: 'hologram' }, { type: 'text', text: 'whole' }]),
        `${JSON.stringify({ type: 'brand_new', id: 'x' })}\n`,
      ],
      { title: 5, parent: {} },
    );
    home.cost('none');
    const report = await home.index();
    expect(report.failed).toHaveLength(1);
    expect(report.unknownRecords).toEqual({ 'message:constructor': 1, 'part:untyped': 1, 'record:brand_new': 1 });
    expect(JSON.stringify(turnsIn(home.portolan.read(), ID))).toContain('whole');
  });
});

it('Droid is found in the home and in the one that its variable names, and takes a session up again by its id', () => {
  const env: Environment = { home: '/h', platform: 'linux', variables: { FACTORY_HOME_OVERRIDE: '/o' }, projects: [] };
  expect(droid.roots(env).map(({ path }) => path)).toEqual(['/o/.factory', '/h/.factory']);
  const session = { nativeId: ID, cwd: '/w' };
  expect(droid.resume!(session, {})).toEqual({ argv: ['droid', '--resume', ID], cwd: '/w' });
  expect(droid.resume!(session, { prompt: 'go on' })?.argv).toEqual(['droid', 'exec', '-s', ID, 'go on']);
});
