import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../src/agents/pi/source.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, turnsIn } from '../../support/portolan.ts';

const ID = '01a22bb2-85da-7699-b40f-bc8510408023';
const at = (second: number) => new Date(Date.parse('2026-11-20T09:00:00Z') + second * 1000).toISOString();

class Home {
  readonly path = temporaryFolder();
  readonly env: Environment = { home: this.path, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);

  write(records: readonly (object | string)[], id = ID): string {
    const lines = records.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');
    return writeAt(join(this.path, `.pi/agent/sessions/--home-dev-quay--/2026-11-20T09-00-00-000Z_${id}.jsonl`), lines);
  }

  index() {
    return this.portolan.write(async (stores) => (await ingest(stores, this.env)).pi!);
  }
}

const header = (more: object = {}) => ({
  type: 'session',
  version: 3,
  id: ID,
  timestamp: at(0),
  cwd: '/home/dev/quay',
  ...more,
});
const entry = (id: string, parentId: string | null, message: object) => ({
  type: 'message',
  id,
  parentId,
  timestamp: at(Number.parseInt(id, 16)),
  message,
});
const user = (said: string) => ({ role: 'user', content: [{ type: 'text', text: said }] });
const answer = (said: string, more: object = {}) => ({
  role: 'assistant',
  content: [{ type: 'text', text: said }],
  model: 'm-1',
  ...more,
});

describe('a session of Pi', () => {
  it('is a tree: what was left is marked, and a line that is added is read alone', async () => {
    const home = new Home();
    const path = home.write([
      header(),
      entry('1', null, user('one')),
      entry(
        '2',
        '1',
        answer('1', { usage: { input: 5, output: 2, cacheRead: 9, cacheWrite: 1, cost: { total: 0.5 } } }),
      ),
      entry('3', '2', user('two')),
      entry('4', '3', answer('2')),
      { type: 'branch_summary', id: '5', parentId: '2', timestamp: at(5), summary: 'Two was tried.' },
      entry('6', '2', user('three')),
    ]);
    await home.index();
    const more = `${JSON.stringify(entry('7', '6', answer('3')))}\n`;
    appendFileSync(path, more);
    expect((await home.index()).bytesRead).toBe(more.length);
    const stores = home.portolan.read();
    expect(turnsIn(stores, ID).map(({ prompt, rewound }) => [prompt, rewound])).toEqual([
      ['one', false],
      ['two', true],
      ['three', false],
    ]);
    expect(sessionOf(stores, ID).tokens['m-1']).toMatchObject({ input: 5, output: 2, cacheRead: 9, cacheWrite5m: 1 });
  });

  it('has calls with results, commands of the person, and what went wrong', async () => {
    const home = new Home();
    const call = { type: 'toolCall', id: 'a', name: 'bash', arguments: { command: 'ls' } };
    home.write([
      header(),
      entry('1', null, {
        role: 'user',
        content: [{ type: 'text', text: '<file name="/x/notes.md">much</file>\nRead it.' }],
      }),
      entry('2', '1', {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'Hm.' }, call],
        stopReason: 'aborted',
      }),
      entry('3', '2', {
        role: 'toolResult',
        toolCallId: 'a',
        content: [{ type: 'text', text: 'no\n\nCommand exited with code 2' }],
        isError: true,
      }),
      entry('4', '3', { role: 'bashExecution', command: 'pwd', output: '/quay', exitCode: 0 }),
    ]);
    await home.index();
    expect(turnsIn(home.portolan.read(), ID)).toMatchObject([
      {
        prompt: 'Read it.',
        parts: [
          { type: 'attachment', name: '/x/notes.md' },
          { text: 'Read it.' },
          { type: 'thinking' },
          { name: 'bash', kind: 'shell', exitCode: 2, isError: true },
          { kind: 'interruption' },
          { kind: 'command', text: '$ pwd\nexit 0\n/quay' },
        ],
      },
    ]);
  });

  it('that was forked shows what is its own, by ids or by times', async () => {
    const home = new Home();
    const old = (second: number, message: object) => ({ type: 'message', timestamp: at(second), message });
    const begun = [old(1, user('one')), old(2, answer('1', { usage: { input: 5, output: 2 } }))];
    const path = home.write([header(), ...begun]);
    home.write([header({ id: 'fork', branchedFrom: path }), ...begun, old(3, user('two'))], 'fork');
    await home.index();
    const stores = home.portolan.read();
    expect(turnsIn(stores, 'fork').map(({ prompt }) => prompt)).toEqual(['two']);
    expect(sessionOf(stores, 'fork')).toMatchObject({ tokens: {}, parent: { key: `pi:${ID}`, relation: 'fork' } });
  });

  it('is read as far as it can be, also where records are glued', async () => {
    const home = new Home();
    const glued = JSON.stringify(entry('1', null, user('one'))) + JSON.stringify(entry('2', '1', answer('1')));
    home.write([
      header(),
      glued,
      'torn{',
      { type: 'constructor', id: '3', timestamp: at(3) },
      entry('4', '2', { role: '__proto__' }),
    ]);
    const report = await home.index();
    expect(report.failed).toMatchObject([{ line: 3 }]);
    expect(report.unknownRecords).toEqual({ 'entry:constructor': 1, 'message:__proto__': 1 });
    expect(turnsIn(home.portolan.read(), ID)[0]?.parts.length).toBe(2);
  });
});

it('lies where its variable says, and is taken up by its id', () => {
  const roots = pi.roots({
    home: '/home/dev',
    platform: 'linux',
    variables: { PI_CODING_AGENT_DIR: '/p' },
    projects: [],
  });
  expect(roots.map(({ path }) => path)).toEqual(['/p', '/home/dev/.pi/agent', '/home/dev/.omp/agent']);
  expect(pi.resume?.({ nativeId: ID, cwd: '/quay' }, { prompt: 'on' })).toEqual({
    argv: ['pi', '--session', ID, 'on'],
    cwd: '/quay',
  });
});
