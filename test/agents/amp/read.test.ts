import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { amp } from '../../../src/agents/amp/source.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, turnsIn } from '../../support/portolan.ts';

const ID = 'T-5f0c2f0e-7c1b-4c57-9d5e-0a4f6d1b2c3d';
const AT = Date.parse('2026-11-20T09:00:00Z');

const prompt = (messageId: number, text: string) => ({
  role: 'user',
  messageId,
  content: [{ type: 'text', text }],
  meta: { sentAt: AT + messageId * 1000 },
});
const answer = (messageId: number, ...content: object[]) => ({ role: 'assistant', messageId, content });
const result = (messageId: number, toolUseID: string, run: object) => ({
  role: 'user',
  messageId,
  content: [{ type: 'tool_result', toolUseID, run }],
});
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });

class Home {
  readonly path = temporaryFolder();
  readonly env: Environment = { home: this.path, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);

  write(thread: unknown, name = `${ID}.json`): string {
    const path = join(this.path, '.local/share/amp/threads', name);
    return writeAt(path, typeof thread === 'string' ? thread : JSON.stringify(thread));
  }

  index() {
    return this.portolan.write(async (stores) => (await ingest(stores, this.env)).amp!);
  }
}

const THREAD = {
  v: 3,
  id: ID,
  created: AT,
  title: 'Dunlins',
  env: {
    initial: {
      trees: [
        { uri: 'file:///home/dev/my%20quay', repository: { url: 'https://example.com/quay', ref: 'refs/heads/main' } },
      ],
    },
  },
  messages: [
    prompt(0, 'Where do dunlins nest?'),
    answer(1, call('a', 'Bash', { cmd: 'grep dunlin' }), call('b', 'Read', { path: 'notes.md' })),
    result(2, 'b', { status: 'error', error: { message: 'File not found' } }),
    result(3, 'a', { status: 'done', result: { output: 'saltmarsh', exitCode: 3 } }),
    answer(4, { type: 'text', text: 'On the saltmarsh.' }),
  ],
};

describe('a thread of Amp', () => {
  it('has its facts, prompts, calls with results in whatever order', async () => {
    const home = new Home();
    home.write(THREAD);
    await home.index();
    const stores = home.portolan.read();
    expect(sessionOf(stores, ID)).toMatchObject({ title: 'Dunlins', cwd: '/home/dev/my quay', branch: 'main' });
    const [turn, ...others] = turnsIn(stores, ID);
    expect(others).toEqual([]);
    expect(turn).toMatchObject({
      prompt: 'Where do dunlins nest?',
      parts: [
        { type: 'text', role: 'user' },
        { name: 'Bash', command: 'grep dunlin', output: 'saltmarsh', exitCode: 3, isError: true },
        { name: 'Read', paths: ['/home/dev/my quay/notes.md'], output: 'File not found', isError: true },
        { type: 'text', role: 'assistant', text: 'On the saltmarsh.' },
      ],
    });
  });

  it('that grew or was cut is read again whole; what it held before stays, marked', async () => {
    const home = new Home();
    home.write(THREAD);
    await home.index();
    home.write({ ...THREAD, messages: [...THREAD.messages, prompt(5, 'And curlews?')] });
    expect((await home.index()).read).toBe(1);
    home.write({
      ...THREAD,
      messages: [prompt(0, 'Where do dunlins nest?'), answer(1, { type: 'text', text: 'Who knows.' })],
    });
    await home.index();
    expect(turnsIn(home.portolan.read(), ID).map(({ prompt, superseded }) => [prompt, superseded])).toEqual([
      ['Where do dunlins nest?', undefined],
      [undefined, true],
      ['And curlews?', true],
    ]);
  });

  it('that is no thread, torn or strange is told, and the others are read', async () => {
    const home = new Home();
    home.write(THREAD);
    home.write('{"id":"T-1', 'T-00000000-torn.json');
    home.write([], 'T-00000000-list.json');
    home.write(
      { id: 5, messages: [null, { role: 'system', content: [{}] }, { role: 'user', content: 'x' }] },
      'T-00000000-odd.json',
    );
    const report = await home.index();
    expect(report.failed.map(({ path }) => path.split('/').at(-1)).sort()).toEqual([
      'T-00000000-list.json',
      'T-00000000-torn.json',
    ]);
    expect(report.unknownRecords).toEqual({ 'message:system': 1, 'not an object': 1 });
  });

  it('lies where XDG_DATA_HOME says too, and nothing else does', () => {
    const { path, env } = new Home();
    const roots = amp.roots({ ...env, variables: { XDG_DATA_HOME: '/data' } });
    expect(roots.map((root) => root.path)).toEqual(['/data/amp', join(path, '.local/share/amp')]);
    const root = roots[1]!;
    const thread = writeAt(join(root.path, 'threads', `${ID}.json`), '{}');
    writeAt(join(root.path, 'history.jsonl'), '"hi"\n');
    expect(amp.unitAt?.(root, thread)).toMatchObject({ path: thread, format: 'snapshot' });
    expect(amp.unitAt?.(root, join(root.path, 'history.jsonl'))).toBeUndefined();
  });

  it('is taken up by its id', () => {
    expect(amp.resume?.({ nativeId: ID, cwd: '/quay' }, { prompt: '--help me' })).toEqual({
      argv: ['amp', 'threads', 'continue', ID, '--', '--help me'],
      cwd: '/quay',
    });
  });
});
