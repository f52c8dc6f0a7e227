import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { qwen } from '../../../src/agents/qwen/source.ts';
import type { Environment } from '../../../src/agents/source.ts';
import { ingest } from '../../../src/ingest/run.ts';
import { temporaryFolder, writeAt } from '../../support/folders.ts';
import { Portolan, sessionOf, turnsIn } from '../../support/portolan.ts';

const ID = '5f0c2f0e-7c1b-4c57-9d5e-0a4f6d1b2c3d';
const CWD = '/home/dev/quay';

/** A transcript record after record. */
class Script {
  private count = 0;
  private last: string | null = null;
  private readonly session: string;

  constructor(session = ID) {
    this.session = session;
  }

  get tip(): string | null {
    return this.last;
  }

  goBackTo(tip: string | null): void {
    this.last = tip;
  }

  record(type: string, more: object): object {
    const uuid = `${this.session}-${++this.count}`;
    const timestamp = new Date(Date.parse('2026-11-20T09:00:00Z') + this.count * 1000).toISOString();
    const record = {
      uuid,
      parentUuid: this.last,
      sessionId: 'another',
      timestamp,
      type,
      cwd: CWD,
      version: '0.24',
      gitBranch: 'main',
      ...more,
    };
    this.last = uuid;
    return record;
  }

  user(...parts: object[]): object {
    return this.record('user', { provenance: 'real_user', message: { role: 'user', parts } });
  }

  answer(...parts: object[]): object {
    return this.record('assistant', { model: 'qwen-4', message: { role: 'model', parts } });
  }

  result(id: string, response: object, toolCallResult: object = {}): object {
    return this.record('tool_result', {
      message: { role: 'user', parts: [{ functionResponse: { id, response } }] },
      toolCallResult,
    });
  }
}

class Home {
  readonly path = temporaryFolder();
  readonly env: Environment = { home: this.path, platform: 'linux', variables: {}, projects: [] };
  readonly portolan = new Portolan(this.env);

  write(name: string, records: readonly unknown[]): string {
    const lines = records.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');
    return writeAt(join(this.path, '.qwen/projects/-home-dev-quay', name), lines);
  }

  index() {
    return this.portolan.write(async (stores) => (await ingest(stores, this.env)).qwen!);
  }
}

const text = (said: string) => ({ text: said });
const call = (id: string, name: string, args: object) => ({ functionCall: { id, name, args } });

describe('a transcript of Qwen Code', () => {
  it('is called after its file, and goes on where it grew', async () => {
    const home = new Home();
    const script = new Script();
    const path = home.write(`chats/${ID}.jsonl`, [
      script.user(text('Where do dunlins nest?')),
      script.answer(
        { text: 'Look.', thought: true },
        call('a', 'tool_call', { name: 'web_fetch', arguments: { url: 'x' } }),
      ),
    ]);
    await home.index();
    const more = [
      script.result('a', { error: 'refused' }, { status: 'error' }),
      script.record('assistant', {
        message: { role: 'model', parts: [text('On the saltmarsh.')] },
        usageMetadata: {
          promptTokenCount: 100,
          cachedContentTokenCount: 60,
          candidatesTokenCount: 9,
          thoughtsTokenCount: 4,
        },
        model: 'qwen-4',
      }),
    ];
    const added = more.map((one) => `${JSON.stringify(one)}\n`).join('');
    appendFileSync(path, added);
    expect((await home.index()).bytesRead).toBe(Buffer.byteLength(added));
    const stores = home.portolan.read();
    const session = sessionOf(stores, ID);
    expect(session).toMatchObject({ cwd: CWD, branch: 'main' });
    expect(session.tokens['qwen-4']).toMatchObject({ input: 40, cacheRead: 60, output: 9, reasoning: 4 });
    expect(turnsIn(stores, ID)).toMatchObject([
      {
        prompt: 'Where do dunlins nest?',
        parts: [
          {},
          { type: 'thinking' },
          { name: 'web_fetch', kind: 'web', output: 'refused', isError: true },
          { text: 'On the saltmarsh.' },
        ],
      },
    ]);
  });

  it('marks turns that were left, and does not take for a prompt what nobody typed', async () => {
    const home = new Home();
    const script = new Script();
    const records = [script.user(text('one')), script.answer(text('1'))];
    const { tip } = script;
    records.push(script.user(text('two')), script.answer(text('2')));
    script.goBackTo(tip);
    records.push(
      script.user(text('three')),
      script.record('user', {
        provenance: 'system',
        subtype: 'notification',
        message: { parts: [text('An agent is done.')] },
      }),
      script.record('system', {
        subtype: 'chat_compression',
        systemPayload: { compressedHistory: [{ parts: [text('In short.')] }] },
      }),
    );
    home.write(`chats/${ID}.jsonl`, records);
    await home.index();
    const turns = turnsIn(home.portolan.read(), ID);
    expect(turns.map(({ prompt, rewound }) => [prompt, rewound])).toEqual([
      ['one', false],
      ['two', true],
      ['three', false],
    ]);
    expect(turns[2]?.parts).toMatchObject([{}, { kind: 'system' }, { kind: 'compaction', text: 'In short.' }]);
  });

  it('has the turns marked from which the program went back, over what was read before too', async () => {
    const home = new Home();
    const script = new Script();
    const system = (subtype: string, systemPayload: object) => script.record('system', { subtype, systemPayload });
    const records = [script.user(text('one')), script.answer(text('1'))];
    const { tip } = script;
    records.push(script.user(text('two')));
    script.goBackTo(tip);
    records.push(system('rewind', {}), system('session_model', {}));
    const path = home.write(`chats/${ID}.jsonl`, records);
    await home.index();
    appendFileSync(path, `${JSON.stringify(script.user(text('three')))}\n`);
    await home.index();
    const rewound = () => turnsIn(home.portolan.read(), ID).map(({ prompt, rewound }) => [prompt, rewound]);
    expect(rewound()).toEqual([
      ['one', false],
      ['two', true],
      ['three', false],
    ]);
    script.goBackTo(null);
    const anew = [system('rewind', {}), script.user(text('four'))];
    appendFileSync(path, anew.map((one) => `${JSON.stringify(one)}\n`).join(''));
    await home.index();
    expect(rewound()).toEqual([
      ['one', true],
      ['two', true],
      ['three', true],
      ['four', false],
    ]);
  });

  it('has the name it was given, commands, what was added to a turn that runs, and nothing that was put into prompts', async () => {
    const home = new Home();
    const script = new Script();
    const system = (subtype: string, systemPayload: object) => script.record('system', { subtype, systemPayload });
    const files = '--- Content from referenced files ---\nContent from @/a.md:\nold\n--- End of content ---';
    home.write(`chats/${ID}.jsonl`, [
      script.user(text('<system-reminder>Agents: x</system-reminder>Read @a.md'), text(`\n${files}`)),
      script.record('user', { subtype: 'mid_turn_user_message', message: { parts: [text('and be quick')] } }),
      system('custom_title', { customTitle: 'The tide', titleSource: 'manual' }),
      system('custom_title', { customTitle: 'A made title', titleSource: 'auto' }),
      system('slash_command', { phase: 'invocation', rawCommand: '/stats' }),
      system('slash_command', { phase: 'result', rawCommand: '/stats', outputHistoryItems: [] }),
      script.answer({ executableCode: {} }),
    ]);
    expect((await home.index()).unknownRecords).toEqual({ 'part:executableCode': 1 });
    const stores = home.portolan.read();
    expect(sessionOf(stores, ID).title).toBe('The tide');
    expect(turnsIn(stores, ID)).toMatchObject([
      {
        prompt: 'Read @a.md\n\nand be quick',
        parts: [
          { role: 'user', text: 'Read @a.md' },
          { type: 'attachment', name: '/a.md' },
          { role: 'user', text: 'and be quick' },
          { type: 'notice', kind: 'command', text: '/stats' },
        ],
      },
    ]);
  });

  it('of a sub-agent is linked to the call that started it', async () => {
    const home = new Home();
    const script = new Script();
    home.write(`chats/${ID}.jsonl`, [
      script.user(text('one')),
      script.answer(call('a', 'agent', { prompt: 'Look.' })),
      script.result('a', { output: 'Started.' }),
    ]);
    home.write(`subagents/${ID}/agent-x.jsonl`, [
      new Script('agent').record('user', { message: { parts: [text('Look.')] } }),
    ]);
    writeAt(
      join(home.path, `.qwen/projects/-home-dev-quay/subagents/${ID}/agent-x.meta.json`),
      JSON.stringify({ toolUseId: 'a', description: 'Looks' }),
    );
    await home.index();
    const stores = home.portolan.read();
    expect(sessionOf(stores, 'agent-x')).toMatchObject({
      title: 'Looks',
      parent: { key: `qwen:${ID}`, relation: 'subagent' },
    });
    expect(turnsIn(stores, ID)[0]?.parts[1]).toMatchObject({ child: 'qwen:agent-x' });
  });

  it('is read as far as it can be', async () => {
    const home = new Home();
    const script = new Script();
    home.write(`chats/${ID}.jsonl`, [
      script.user(text('one')),
      'torn{',
      script.record('constructor', {}),
      script.record('system', { subtype: '__proto__' }),
      script.user(text('two')),
    ]);
    const report = await home.index();
    expect(report.failed).toMatchObject([{ line: 2 }]);
    expect(report.unknownRecords).toEqual({ 'record:constructor': 1, 'system:__proto__': 1 });
    expect(turnsIn(home.portolan.read(), ID).map(({ prompt }) => prompt)).toEqual(['one', 'two']);
  });
});

it('lies where its variable says, and is taken up by its id', () => {
  const roots = qwen.roots({ home: '/home/dev', platform: 'darwin', variables: { QWEN_HOME: '/q' }, projects: [] });
  expect(roots.map(({ path }) => path)).toEqual(['/q', '/home/dev/.qwen']);
  const runtime = qwen.roots({
    home: '/home/dev',
    platform: 'linux',
    variables: { QWEN_RUNTIME_DIR: '~/run' },
    projects: [],
  });
  expect(runtime.map(({ path }) => path)).toEqual(['/home/dev/run', '/home/dev/.qwen']);
  expect(qwen.resume?.({ nativeId: ID, cwd: CWD }, {})).toEqual({ argv: ['qwen', '--resume', ID], cwd: CWD });
});
