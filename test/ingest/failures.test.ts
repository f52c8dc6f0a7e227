import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ClaudeHome } from '../support/claude-home.ts';
import { jsonl, Script, SESSION, uuid } from '../support/claude-records.ts';
import { linesIn, Portolan, sessionsOf } from '../support/portolan.ts';

const records = (name: string) => {
  const script = new Script({}, name);
  return [script.user(`Paint ${name}.`), script.answer('Painted.')];
};
const BAD = uuid('bad');

/** Two transcripts; the older one is spoilt after the listing and before it is read. */
async function spoilt(spoil: (path: string) => void) {
  const home = new ClaudeHome();
  home.write(records('bad'), BAD);
  home.write(records('good'), uuid('good'));
  const portolan = new Portolan(home.env());
  let isSpoilt = false;
  const report = await portolan.index(() => {
    if (!isSpoilt) spoil(home.at(BAD));
    isSpoilt = true;
  });
  return { home, portolan, report };
}

describe('a file that cannot be read', () => {
  it('is reported, and the others are read', async () => {
    const { home, portolan, report } = await spoilt((path) => rmSync(path));
    expect(report).toMatchObject({ units: 2, read: 1 });
    expect(report.failed).toEqual([{ path: home.at(BAD), reason: expect.stringContaining('ENOENT') }]);
    expect(linesIn(portolan.read(), uuid('good'))).toEqual(['user: Paint good.', 'assistant: Painted.']);
  });

  it('is read once it can be, and then no longer reported', async () => {
    const { home, portolan, report } = await spoilt((path) => {
      rmSync(path);
      mkdirSync(path);
    });
    expect(report.failed).toEqual([{ path: home.at(BAD), reason: expect.stringContaining('EISDIR') }]);
    rmdirSync(home.at(BAD));
    home.write(records('bad'), BAD);
    expect(await portolan.index()).toMatchObject({ read: 1, failed: [] });
    expect(linesIn(portolan.read(), BAD)).toEqual(['user: Paint bad.', 'assistant: Painted.']);
  });

  it('is tried again where it had only been out of reach for a moment', async () => {
    const { home, portolan } = await spoilt((path) => renameSync(path, `${path}.away`));
    // The very same file: size, time and identity are those of the first try.
    renameSync(`${home.at(BAD)}.away`, home.at(BAD));
    expect(await portolan.index()).toMatchObject({ read: 1, failed: [] });
    expect(linesIn(portolan.read(), BAD)).toEqual(['user: Paint bad.', 'assistant: Painted.']);
  });

  it('keeps what was read of it before', async () => {
    const home = new ClaudeHome();
    home.write(records('bad'), BAD);
    const portolan = new Portolan(home.env());
    await portolan.index();
    home.append(jsonl([new Script({}, 'more').user('And the lamp?')]), BAD);
    home.write(records('good'), uuid('good'));
    let isSpoilt = false;
    await portolan.index(() => {
      if (!isSpoilt) renameSync(home.at(BAD), `${home.at(BAD)}.away`);
      isSpoilt = true;
    });
    expect(linesIn(portolan.read(), BAD)).toEqual(['user: Paint bad.', 'assistant: Painted.']);
    renameSync(`${home.at(BAD)}.away`, home.at(BAD));
    expect(await portolan.index()).toMatchObject({ failed: [] });
    expect(linesIn(portolan.read(), BAD)).toHaveLength(3);
  });
});

describe('a file with a broken middle', () => {
  it('is read but for that, which is reported by its line until it is mended', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const [first, last] = [jsonl([script.user('Paint the pier.')]), jsonl([script.answer('Painted.')])];
    home.write(Buffer.concat([Buffer.from(first), Buffer.from([0xff, 0x00, 0x7b, 0x22, 0x0a]), Buffer.from(last)]));
    home.write(records('good'), uuid('good'));
    const portolan = new Portolan(home.env());
    const { failed } = await portolan.index();
    expect(failed).toEqual([{ path: home.at(), line: 2, reason: 'a line that is not JSON' }]);
    expect(linesIn(portolan.read(), SESSION)).toEqual(['user: Paint the pier.', 'assistant: Painted.']);
    expect((await portolan.index()).failed).toEqual(failed);
    home.write(first + last);
    expect((await portolan.index()).failed).toEqual([]);
  });

  it('does not stop at values that are no records', async () => {
    const home = new ClaudeHome();
    home.write(`42\n"text"\n[1]\nnull\n${jsonl(records('good'))}{}\n`);
    const portolan = new Portolan(home.env());
    const report = await portolan.index();
    expect(report.failed).toEqual([]);
    expect(report.unknownRecords).toEqual({ 'not an object': 4, untyped: 1 });
    expect(linesIn(portolan.read(), SESSION)).toHaveLength(2);
  });

  it('does not stop at records whose fields have the wrong types', async () => {
    const wrong = [7, 'x', null, true, [], [7, 'x', null, [[]]], { type: 7, text: {}, content: 9 }];
    const home = new ClaudeHome();
    const types = [
      'user',
      'assistant',
      'system',
      'attachment',
      'progress',
      'summary',
      'queue-operation',
      'pr-link',
      'custom-title',
      'ai-title',
      'agent-name',
    ];
    const fields = [
      'message',
      'attachment',
      'data',
      'content',
      'toolUseResult',
      'uuid',
      'timestamp',
      'cwd',
      'version',
      'summary',
      'customTitle',
      'prUrl',
      'operation',
      'subtype',
      'origin',
    ];
    const all = types.flatMap((type) =>
      wrong.flatMap((value) => [
        Object.fromEntries([['type', type], ...fields.map((field) => [field, value])]),
        { type, message: { role: 'user', content: value, usage: value, id: value, model: value } },
        {
          type,
          attachment: { type: 'queued_command', prompt: value },
          data: { type: 'agent_progress', agentId: 'a', message: { type: 'user', message: value } },
        },
        {
          type,
          message: {
            content: [
              { type: 'tool_use', id: value, name: value, input: value },
              { type: 'tool_result', tool_use_id: value, content: value },
              { type: 'image', source: value },
            ],
          },
        },
      ]),
    );
    home.write([...all, ...records('good')]);
    const portolan = new Portolan(home.env());
    expect((await portolan.index()).failed).toEqual([]);
    expect(linesIn(portolan.read(), SESSION).slice(-2)).toEqual(['user: Paint good.', 'assistant: Painted.']);
    expect(sessionsOf(portolan.read()).length).toBeGreaterThan(0);
  });
});
