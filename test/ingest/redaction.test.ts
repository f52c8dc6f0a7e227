import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Maker, survivor } from '../redact/make.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { jsonl, Script, SESSION, uuid } from '../support/claude-records.ts';
import { filesBelow, writeAt } from '../support/folders.ts';
import { Portolan, sessionsOf } from '../support/portolan.ts';

const maker = new Maker(2526);
/** A key of GitHub's form, put together here: only its random part may be looked for. */
const key = () => {
  const body = maker.text(36);
  return { body, value: `gh${'p'}_${body}` };
};

/** Where a person or an agent may have left a key, and the records that hold it there. */
const PLACES: Readonly<Record<string, (secret: string, script: Script) => readonly unknown[]>> = {
  'a prompt': (secret, script) => [script.user(`Use ${secret} for it.`)],
  'a prompt of which the key is all': (secret, script) => [script.user(secret)],
  'an answer, the last of the file': (secret, script) => [script.user('Which?'), script.answer(`It is ${secret}.`)],
  thinking: (secret, script) => [
    script.user('Which?'),
    script.answer([{ type: 'thinking', thinking: `Maybe ${secret}.` }]),
  ],
  'a command': (secret, script) => [script.call('toolu_1', 'Bash', { command: `curl -H "Authorization: ${secret}"` })],
  'an argument deep inside': (secret, script) => [script.call('toolu_1', 'mcp__a__b', { a: [{ b: { c: secret } }] })],
  'the name of an argument': (secret, script) => [script.call('toolu_1', 'mcp__a__b', { [secret]: 1 })],
  'a path': (secret, script) => [script.call('toolu_1', 'Read', { file_path: `/home/dev/${secret}/a.ts` })],
  'an output': (secret, script) => [script.call('toolu_1', 'Bash', {}), script.result('toolu_1', `TOKEN=${secret}\n`)],
  'an output without its call': (secret, script) => [script.result('toolu_9', `TOKEN=${secret}\n`)],
  'an output’s file name': (secret, script) => [
    script.call('toolu_1', 'Read', {}),
    script.result('toolu_1', 'x', { filePath: `/home/dev/${secret}` }),
  ],
  'a command of the person’s shell': (secret, script) => [script.user(`<bash-input>export T=${secret}</bash-input>`)],
  'a reminder': (secret, script) => [script.user(`<system-reminder>${secret}</system-reminder>Go on.`)],
  'a prompt that waits': (secret, script) => [
    script.user('Go on.'),
    { type: 'queue-operation', operation: 'enqueue', content: `And use ${secret}.`, sessionId: SESSION },
  ],
  'a queued prompt': (secret, script) => [
    script.record('attachment', { attachment: { type: 'queued_command', prompt: secret } }),
  ],
  'an attached file’s name': (secret, script) => [
    script.record('attachment', { attachment: { type: 'file', filename: `/home/dev/${secret}`, content: {} } }),
  ],
  'an API error': (secret, script) => [
    script.record('system', { subtype: 'api_error', error: { status: 401, message: `bad ${secret}` } }),
  ],
  'a summary': (secret, script) => [
    script.user('Go.'),
    { type: 'summary', summary: `About ${secret}`, leafUuid: script.leaf },
  ],
  'a title': (secret, script) => [
    script.user('Go.'),
    { type: 'custom-title', customTitle: secret, sessionId: SESSION },
  ],
  'a pull request’s address': (secret, script) => [
    script.user('Go.'),
    { type: 'pr-link', prUrl: `https://x:${secret}@git.example/1`, prNumber: 1, sessionId: SESSION },
  ],
  'a branch': (secret, script) => [script.user('Go.', { gitBranch: `try-${secret}` })],
  'the folder it ran in': (secret, script) => [script.user('Go.', { cwd: `/home/dev/${secret}` })],
  'a side chain': (secret) => {
    const side = new Script({ isSidechain: true }, 'side');
    return [side.user(`Use ${secret}.`), side.answer(secret)];
  },
};

function expectNothingOf(body: string, portolan: Portolan): void {
  for (const path of filesBelow(portolan.home.path))
    expect([path, survivor(body, readFileSync(path, 'latin1'))]).toEqual([path, undefined]);
  // Bodies lie compressed.
  expect(survivor(body, JSON.stringify(portolan.content()))).toBeUndefined();
}

describe('a secret', () => {
  it.each(Object.keys(PLACES))('in %s is nowhere in our files', async (place) => {
    const { body, value } = key();
    const home = new ClaudeHome();
    home.write(PLACES[place]!(value, new Script()));
    const portolan = new Portolan(home.env());
    await portolan.index();
    expect(portolan.content().sessions.length).toBeGreaterThan(0);
    expectNothingOf(body, portolan);
  });

  it('without a form of its own, printed by a command that prints secrets, is nowhere in our files', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    const words = ['bollard', 'hawser', 'fairlead', 'capstan'].map((word) => `${word}-${maker.text(6, 'abcdefgh')}`);
    const tell = (id: string) =>
      script.call(id, 'Bash', { command: 'kubectl get secret db -o jsonpath={.data.p} | base64 -d' });
    home.write([
      script.user('Which?'),
      tell('toolu_1'),
      script.result('toolu_1', words[0]!),
      script.result('toolu_2', words[1]!),
      tell('toolu_2'),
      tell('toolu_3'),
    ]);
    const portolan = new Portolan(home.env());
    await portolan.index();
    // The result of a call that is the archive's by now.
    home.append([
      script.result('toolu_3', words[2]!),
      script.call('toolu_4', 'Bash', { command: 'ls' }),
      script.result('toolu_4', words[3]!),
    ]);
    await portolan.index();
    for (const word of words.slice(0, 3)) expectNothingOf(word, portolan);
    const content = JSON.stringify(portolan.content());
    expect(content.split('[SECRET]')).toHaveLength(4);
    expect(content).toContain(words[3]);
  });

  it('without a form of its own, printed by a person’s own command, is nowhere in our files', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    home.write([
      script.user('Which?'),
      script.user('<bash-input>op read op://quay/db/password</bash-input>'),
      script.user('<bash-stdout>bollard-hawser-fairlead</bash-stdout><bash-stderr></bash-stderr>'),
      script.user('<bash-input>ls</bash-input>'),
      script.user('<bash-stdout>notes.md</bash-stdout><bash-stderr></bash-stderr>'),
    ]);
    const portolan = new Portolan(home.env());
    await portolan.index();
    expectNothingOf('bollard-hawser', portolan);
    expect(JSON.stringify(portolan.content())).toContain('notes.md');
  });

  it('in a spilled output is nowhere in our files', async () => {
    const { body, value } = key();
    const home = new ClaudeHome();
    const script = new Script();
    home.write([
      script.call('toolu_1', 'Bash', {}),
      script.result('toolu_1', '<persisted-output>…', { persistedOutputPath: '/x/tool-results/b1.txt' }),
    ]);
    writeAt(
      join(home.project, SESSION, 'tool-results', 'b1.txt'),
      `${'planks '.repeat(1000)}${value} ${'nails '.repeat(1000)}`,
    );
    const portolan = new Portolan(home.env());
    await portolan.index();
    expect(JSON.stringify(portolan.content())).toContain('planks planks');
    expectNothingOf(body, portolan);
  });

  it('is hidden before a long output is cut', async () => {
    const { body, value } = key();
    const home = new ClaudeHome();
    const script = new Script();
    // The cut falls into the key.
    const output = `${'x'.repeat(256 * 1024 - 21)} ${value} ${'y'.repeat(100)}`;
    home.write([script.call('toolu_1', 'Bash', {}), script.result('toolu_1', output)]);
    const portolan = new Portolan(home.env());
    expect((await portolan.index()).cutOutputs).toBe(1);
    expectNothingOf(body, portolan);
  });

  it('in the prompt history, typed or pasted, is nowhere in our files', async () => {
    const [typed, pasted] = [key(), key()];
    const home = new ClaudeHome();
    const line = {
      display: `Use ${typed.value} [Pasted text #1]`,
      pastedContents: { 1: { id: 1, type: 'text', content: `T=${pasted.value}` } },
      timestamp: 1e12,
      project: '/p',
      sessionId: uuid('gone'),
    };
    writeAt(join(home.claude, 'history.jsonl'), jsonl([line]));
    const portolan = new Portolan(home.env());
    await portolan.index();
    expect(portolan.content().sessions).toHaveLength(1);
    expectNothingOf(typed.body, portolan);
    expectNothingOf(pasted.body, portolan);
  });

  it('that comes torn, over several readings, is nowhere in our files', async () => {
    const { body, value } = key();
    const home = new ClaudeHome();
    const portolan = new Portolan(home.env());
    const script = new Script();
    const line = jsonl([script.user('Go.'), script.answer(`It is ${value}.`, { id: 'msg_1' })]);
    const middle = line.indexOf(value) + 12;
    home.write(line.slice(0, middle));
    await portolan.index();
    expectNothingOf(body, portolan);
    home.append(line.slice(middle));
    await portolan.index();
    home.append([script.answer(`It is ${value}. Keep it safe.`, { id: 'msg_1' })]);
    await portolan.index();
    expectNothingOf(body, portolan);
  });

  it('is counted with its session', async () => {
    const home = new ClaudeHome();
    const script = new Script();
    home.write([script.user(`Use ${key().value}.`), script.answer(`${key().value}, or ${key().value}?`)]);
    const portolan = new Portolan(home.env());
    await portolan.index();
    const stores = portolan.read();
    expect(stores.archive.session(sessionsOf(stores)[0]!.id)?.secrets).toBe(3);
  });
});
