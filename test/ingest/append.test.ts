import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHARED, shared } from '../oracle/product.ts';
import { generator } from '../redact/make.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { jsonl, Script, SESSION, uuid } from '../support/claude-records.ts';
import { contentOf, linesIn, Portolan, sessionOf, turnsIn } from '../support/portolan.ts';

/** A file that is read in many steps, however it grows, is known as if it had been read at once. */

async function readAtOnce(home: ClaudeHome): Promise<Portolan> {
  const portolan = new Portolan(home.env());
  await portolan.index();
  return portolan;
}

/** Lets a transcript grow up to each of these sizes, indexed each time; gives the bytes that were read. */
async function grow(home: ClaudeHome, portolan: Portolan, content: Buffer, sizes: readonly number[], name = SESSION) {
  const read: number[] = [];
  let before = 0;
  for (const size of sizes) {
    if (before === 0) home.write(content.subarray(0, size), name);
    else home.append(content.subarray(before, size), name);
    before = size;
    read.push((await portolan.index()).bytesRead);
  }
  return read;
}

describe.skipIf(SHARED === undefined)('a transcript that grew while it was watched', () => {
  it.each([2, 3, 5, 6, 7])('is known as if it had been read at once (growth %i)', async (number) => {
    const folder = shared('corpus', 'growth', String(number));
    const snapshots = readdirSync(folder)
      .sort()
      .map((name) => readFileSync(join(folder, name)));
    const last = snapshots.at(-1)!;
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    const read = await grow(
      home,
      portolan,
      last,
      snapshots.map((snapshot) => snapshot.length),
    );
    const once = await readAtOnce(home);
    expect(portolan.content()).toEqual(once.content());

    // Beside the appended bytes only what was torn may be read again.
    const torn = snapshots.reduce((sum, snapshot) => sum + snapshot.length - (snapshot.lastIndexOf(10) + 1), 0);
    const bytes = read.reduce((sum, each) => sum + each, 0);
    expect(bytes).toBeGreaterThanOrEqual(last.length);
    expect(bytes).toBeLessThanOrEqual(last.length + torn);
    expect(await portolan.index()).toMatchObject({ read: 0, bytesRead: 0 });
  });

  it.each([
    '-home-dev-projects-harbor-api/822f5a07-0397-4b5a-97c0-b17eaab26451.jsonl',
    '-home-dev-projects-harbor-api/5e955133-faf7-41f9-a843-c0b26ac6cce6.jsonl',
    '-home-dev-projects-ledger-store/957f326d-e59f-4b0e-9269-ba5a3a444e23.jsonl',
    '-home-dev-projects-tide-cache/4d7eda72-f944-40c0-bdbb-2c405b02bce3.jsonl',
  ])('is so wherever it was cut (%s)', async (name) => {
    const content = readFileSync(shared('corpus', 'live', 'claude', 'home', '.claude', 'projects', name));
    const next = generator(content.length);
    const sizes = [...Array.from({ length: 14 }, () => Math.ceil(next() * content.length)), content.length];
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    await grow(
      home,
      portolan,
      content,
      sizes.sort((a, b) => a - b),
      basename(name),
    );
    expect(portolan.content()).toEqual((await readAtOnce(home)).content());
  });

  it('is so where it grows line by line', async () => {
    const name = '-home-dev-projects-harbor-api/31d0db39-a56d-4b6e-8c1d-7c58d76c1dda.jsonl';
    const content = readFileSync(shared('corpus', 'live', 'claude', 'home', '.claude', 'projects', name));
    const sizes: number[] = [];
    for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) sizes.push(at + 1);
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    const read = await grow(home, portolan, content, sizes, basename(name));
    expect(read.reduce((sum, each) => sum + each, 0)).toBe(content.length);
    expect(portolan.content()).toEqual((await readAtOnce(home)).content());
  });
});

describe('what is appended', () => {
  /** Each part is a reading of its own; gives the one that read in steps and the one that read at once. */
  async function inSteps(...parts: (readonly unknown[] | string)[]) {
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    for (const [index, part] of parts.entries()) {
      if (index === 0) home.write(part);
      else home.append(part);
      await portolan.index();
    }
    return { steps: portolan.read(), once: (await readAtOnce(home)).read() };
  }

  it('is all that is read', async () => {
    const script = new Script();
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    home.write([script.user('Paint the pier.'), script.answer('x'.repeat(300_000))]);
    await portolan.index();
    const line = jsonl([script.user('And the lamp?')]);
    home.append(line);
    expect(await portolan.index()).toMatchObject({ read: 1, bytesRead: line.length, records: 1 });
  });

  it('may be the result of a call that was read before', async () => {
    const script = new Script();
    const { steps, once } = await inSteps(
      [script.user('Count the planks.'), script.call('toolu_1', 'Bash', { command: 'ls' })],
      [script.answer('Counting …')],
      [script.result('toolu_1', 'Exit code 2\nno planks', {}, true), script.answer('None.')],
    );
    expect(contentOf(steps)).toEqual(contentOf(once));
    expect(turnsIn(steps, SESSION)[0]!.parts).toContainEqual(
      expect.objectContaining({
        type: 'tool_call',
        callId: 'toolu_1',
        output: 'Exit code 2\nno planks',
        isError: true,
        exitCode: 2,
      }),
    );
    expect(sessionOf(steps, SESSION)).toMatchObject({ toolCalls: 1, errors: 1, more: { pending: false } });
  });

  it('may be the result of a call many chunks and a turn before', async () => {
    const script = new Script();
    const { steps, once } = await inSteps(
      [script.user('Count the planks.'), script.call('toolu_1', 'Bash', { command: 'ls -R' })],
      Array.from({ length: 6 }, (_, i) => script.answer(`${i} ${'plank by plank '.repeat(1500)}`)),
      [script.user('And the nails?'), script.answer('Soon.')],
      [script.result('toolu_1', 'forty planks of larchwood')],
    );
    expect(contentOf(steps)).toEqual(contentOf(once));
    expect(linesIn(steps, SESSION)).toContain('call: Bash -> forty planks of larchwood');
    expect(steps.lexical.documentFrequency('larchwood')).toBe(1);
  });

  it('may be a call whose result was read before it', async () => {
    const script = new Script();
    const call = script.call('toolu_1', 'Bash', { command: 'ls' });
    const result = script.result('toolu_1', 'forty planks');
    const { steps, once } = await inSteps([script.user('Count.'), result], [call, script.answer('Forty.')]);
    expect(linesIn(once, SESSION)).toEqual(['user: Count.', 'call: Bash -> forty planks', 'assistant: Forty.']);
    expect(linesIn(steps, SESSION)).toEqual(linesIn(once, SESSION));
  });

  it('may be a longer version of the message that was read last', async () => {
    const script = new Script();
    const begun = script.answer('The pier', { id: 'msg_1', usage: { input_tokens: 3, output_tokens: 1 } });
    const whole = script.answer('The pier is green.', { id: 'msg_1', usage: { input_tokens: 3, output_tokens: 9 } });
    const { steps, once } = await inSteps([script.user('Which colour?'), begun], [whole]);
    expect(contentOf(steps)).toEqual(contentOf(once));
    expect(linesIn(steps, SESSION)).toEqual(['user: Which colour?', 'assistant: The pier is green.']);
    expect(sessionOf(steps, SESSION).tokens).toMatchObject({ 'claude-opus-5-5': { input: 3, output: 9 } });
  });

  it('may be the newline of a line that was read without it', async () => {
    const script = new Script();
    const first = JSON.stringify(script.user('Paint the pier.'));
    const { steps, once } = await inSteps(first, '\n', [script.answer('Painted.')]);
    expect(turnsIn(steps, SESSION)[0]!.parts.map((part) => part.where.line)).toEqual([1, 2]);
    expect(contentOf(steps)).toEqual(contentOf(once));
  });

  it('completes a torn line, which is then no failure any more', async () => {
    const script = new Script();
    const lines = jsonl([script.user('Paint the pier.'), script.answer('Painted.'), script.user('And the lamp?')]);
    const second = lines.indexOf('\n') + 1;
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    home.write(lines.slice(0, second + 50));
    expect((await portolan.index()).failed).toMatchObject([{ path: home.at(), line: 2 }]);
    expect((await portolan.index()).failed).toHaveLength(1);
    home.append(lines.slice(second + 50));
    expect((await portolan.index()).failed).toEqual([]);
  });

  it('leaves what failed before in the list', async () => {
    const script = new Script();
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    home.write(`${jsonl([script.user('Paint the pier.')])}{"type":"us\n${jsonl([script.answer('Painted.')])}`);
    const { failed } = await portolan.index();
    expect(failed).toMatchObject([{ path: home.at(), line: 2 }]);
    home.append([script.user('And the lamp?')]);
    expect((await portolan.index()).failed).toEqual(failed);
  });

  it('may be the rest of a bookkeeping line that was torn behind a brace', async () => {
    const script = new Script();
    const line = JSON.stringify({
      type: 'file-history-snapshot',
      snapshot: { trackedFileBackups: {} },
      isSnapshotUpdate: false,
    });
    const torn = line.indexOf('}') + 1;
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    home.write(jsonl([script.user('Paint the pier.')]) + line.slice(0, torn));
    await portolan.index();
    home.append(`${line.slice(torn)}\n${jsonl([script.answer('Painted.')])}`);
    expect((await portolan.index()).failed).toEqual([]);
    expect(portolan.content()).toEqual((await readAtOnce(home)).content());
  });

  it('may be a prompt that waited in the queue', async () => {
    const script = new Script({ version: '2.0.76' });
    const queue = (operation: string, content?: string) => ({
      type: 'queue-operation',
      operation,
      content,
      sessionId: SESSION,
    });
    const { steps, once } = await inSteps(
      [script.user('Paint the pier.'), queue('enqueue', 'Green, please.')],
      [script.call('toolu_1', 'Bash', { command: 'paint' })],
      [script.result('toolu_1', 'wet'), queue('remove'), script.answer('Green it is.')],
    );
    expect(linesIn(steps, SESSION)).toContain('user: Green, please.');
    expect(contentOf(steps)).toEqual(contentOf(once));
  });

  it('may belong to a side chain that was begun before', async () => {
    const main = new Script();
    const side = new Script({ isSidechain: true }, 'side');
    const { steps, once } = await inSteps(
      [main.user('Ask someone.'), side.user('How deep is it?')],
      [side.answer('Four fathoms.')],
      [main.answer('Four.'), side.user('Sure?'), side.answer('Sure.')],
    );
    expect(linesIn(steps, `${SESSION}/sidechain-${uuid('side 1').slice(0, 8)}`)).toContain('assistant: Four fathoms.');
    expect(contentOf(steps)).toEqual(contentOf(once));
  });

  it('may be prompts of the prompt history', async () => {
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    const history = join(home.claude, 'history.jsonl');
    const prompt = (display: string, at: number) => ({
      display,
      project: '/p',
      timestamp: 1e12 + at,
      sessionId: uuid('gone'),
    });
    const path = join('..', '..', 'history.jsonl');
    home.write([prompt('one', 1)], path);
    await portolan.index();
    home.append([prompt('two', 2)], path);
    await portolan.index();
    expect(home.at(path)).toBe(history);
    const once = (await readAtOnce(home)).read();
    expect(linesIn(portolan.read(), `prompts/${uuid('gone')}`)).toEqual(['user: one', 'user: two']);
    expect(portolan.content()).toEqual(contentOf(once));
  });
});
