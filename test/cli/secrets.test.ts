import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { connectedFor } from '../mcp/support.ts';
import { inContext } from '../redact/contexts.ts';
import { Maker, survivor } from '../redact/make.ts';
import { START, Transcript } from '../search/history.ts';
import { CLI, newUser, type Ran, type User } from '../search/program.ts';
import { times } from '../support/chance.ts';
import { filesBelow } from '../support/folders.ts';
import { Portolan } from '../support/portolan.ts';

/** A secret and the text it stands in; of its random part nothing may get anywhere. */
interface Planted {
  readonly random: string;
  readonly text: string;
}

/** The kinds that are always hidden: a password that somebody made up may look like a word. */
function planted(maker: Maker): Planted {
  if (maker.below(2) === 0) {
    const { body, value } = maker.pick(maker.secrets());
    return { random: body, text: value };
  }
  const { value, text } = maker.pick(
    inContext(maker).filter(({ id, value }) => value.length >= 24 && !/env|php|django|docker login|blank/.test(id)),
  );
  return { random: value.split(/[\W_]/).sort((a, b) => b.length - a.length)[0]!, text };
}

/** A token, for a place that holds one word. */
const token = (maker: Maker): Planted => {
  const body = maker.text(36);
  return { random: body, text: `gh${'p'}_${body}` };
};

/** What a command is called with, given words and an id. A command that is new needs a line here. */
const CALLS: Readonly<Record<string, (given: { word: string; id: string; file: string }) => readonly string[][]>> = {
  start: () => [[]],
  index: ({ word }) => [[], ['--json'], [`--${word}`]],
  search: ({ word }) => [
    [word],
    [word, '--json'],
    [`"${word}"`, '--explain'],
    [`project:${word}`, '--json'],
    [`path:${word}`, 'beacon'],
    ['beacon', '--json'],
    ['beacon', '--explain'],
    ['beacon', '--mode', word],
    ['beacon', '--now', word, '--json'],
    ['beacon', '--exclude-session', word],
    ['beacon', '--cursor', word],
  ],
  show: ({ word, id }) => [
    [id],
    [id, '--full'],
    [id, '--json'],
    [id, '--raw'],
    [id, '--raw', '--json'],
    [`${id}#1`, '--json'],
    [word],
    [id, '--turns', word],
  ],
  sessions: ({ word }) => [[], ['--json', '--all'], [word], [word, '--json'], ['--gone'], ['--limit', word]],
  resume: ({ word, id }) => [[id], [id, '--json'], [id, '--prompt', word], [word, '--json']],
  setup: ({ word }) => [[word], [word, '--json']],
  uninstall: ({ word }) => [[`--${word}`], [word]],
  forget: ({ word }) => [[word], [word, '--json'], ['--before', word]],
  redact: ({ file, word }) => [[file], [file, '--json'], [`${file}/${word}`]],
  config: ({ word }) => [
    [],
    ['--json'],
    ['get', word],
    ['set', 'keep', word],
    ['add', 'exclude.sources', word],
    ['add', 'redaction.patterns', `(${word}`],
  ],
  source: ({ file, word }) => [
    [],
    ['--json'],
    ['check', file],
    ['check', file, '--json'],
    ['check', '.claude'],
    ['check', '.claude', '--json'],
    ['check', `${file}/${word}`],
    ['check', file, '--source', word],
    [word],
  ],
  mcp: ({ word }) => [[`--${word}`]],
  watch: ({ word }) => [[`--${word}`]],
  completions: ({ word }) => [[word], ['bash']],
  repair: ({ word }) => [[], ['--json'], [`--${word}`]],
  doctor: ({ word }) => [[], ['--json'], [`--${word}`]],
};

/** A history with secrets wherever a person or an agent may leave one. */
function historyWith(maker: Maker, secrets: Planted[]): { transcript: Transcript; torn: string } {
  const next = (make = planted): string => {
    const one = make(maker);
    secrets.push(one);
    return one.text;
  };
  const transcript = new Transcript(`secrets ${maker.text(8)}`, {
    cwd: `/home/dev/${next(token)}/pier`,
    branch: `try-${next(token)}`,
    start: START,
  });
  transcript.prompt(`Light the beacon with ${next()}.`);
  transcript.thinking(`Maybe ${next()}`);
  transcript.tool('Bash', { command: `beacon ${next()}`, env: { WEATHER_TOKEN: next(token) } }, `lit: ${next()}`);
  transcript.tool('Bash', { command: 'env' }, `no: ${next()}`, { isError: true });
  transcript.tool('Read', { file_path: `/home/dev/${next(token)}/a.ts` }, next());
  transcript.answer(`The beacon is lit: ${next()}`);
  transcript.prompt(next());
  transcript.answer('Is that a beacon?');
  const torn = [
    JSON.stringify({ type: 'custom-title', customTitle: `Beacon ${next(token)}`, sessionId: transcript.id }),
    JSON.stringify({ type: `odd-${next(token)}`, uuid: 'x' }),
    `{"broken": "${next(token)}`,
    '',
  ].join('\n');
  return { transcript, torn };
}

function leaks(secrets: readonly Planted[], text: string): string[] {
  return secrets.flatMap(({ random, text: planted }) => {
    const left = survivor(random, text);
    return left === undefined ? [] : [`${left} of ${planted.slice(0, 120)}`];
  });
}

/** Starts a watching, and ends it again. */
async function watched(user: User): Promise<Ran> {
  const child = spawn(process.execPath, [CLI, 'watch', '--json'], { env: user.env, cwd: user.home });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  await new Promise((resolve) => setTimeout(resolve, 700));
  child.kill('SIGINT');
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

describe('a secret', () => {
  it('has a call here for every command', () => {
    expect(Object.keys(CALLS).sort()).toEqual([...COMMANDS.keys()].sort());
  });

  it('leaves no eight characters of it in any answer, error or file, whatever is asked', {
    timeout: 3_600_000,
  }, async () => {
    for (let round = 0; round < times(1, 12); round++) {
      const maker = new Maker(31_000 + round);
      const secrets: Planted[] = [];
      const { transcript, torn } = historyWith(maker, secrets);
      const gone = historyWith(maker, secrets).transcript;
      // One that nothing gives away: it is known from the environment.
      const known = { random: maker.text(16), text: '' };
      secrets.push(known);
      transcript.prompt(`Say dunlin-${known.random} to the beacon.`);
      const user = newUser([transcript, gone]);
      user.env.TIDE_TOKEN = `dunlin-${known.random}`;
      onTestFinished(() => user.remove());
      const path = join(user.home, transcript.file);
      writeFileSync(path, `${readFileSync(path, 'utf8')}${torn}`);
      const file = join(user.home, 'notes.txt');
      writeFileSync(file, secrets.map(({ text }) => text).join('\n\n'));
      const said: [string, Ran][] = [['index', await user.run('index')]];
      rmSync(join(user.home, gone.file));
      said.push(['watch', await watched(user)]);
      for (const [command, calls] of Object.entries(CALLS)) {
        const asked = token(maker);
        secrets.push(asked);
        for (const args of calls({ word: asked.text, id: transcript.key, file }))
          said.push([`${command} ${args.join(' ')}`, await user.run(command, ...args)]);
      }
      const unknown = token(maker);
      secrets.push(unknown);
      said.push([unknown.text, await user.run(unknown.text)]);
      const server = await connectedFor(user);
      for (const [name, args] of [
        ['search_history', { query: `beacon ${unknown.text}` }],
        ['search_history', { query: 'beacon' }],
        ['read_turn', { id: `${transcript.key}#1` }],
        ['read_turn', { id: unknown.text }],
        ['read_turn', { id: transcript.key, max_chars: unknown.text }],
      ] as const) {
        const { text, document } = await server
          .call(name, args)
          .catch((error: Error) => ({ text: error.message, document: {} }));
        said.push([name, { code: 0, stdout: text, stderr: JSON.stringify(document) }]);
      }
      said.push(['mcp', { code: 0, stdout: '', stderr: server.stderr() }]);
      for (const [call, { stdout, stderr }] of said)
        expect([call, leaks(secrets, `${stdout}\n${stderr}`)]).toEqual([call, []]);
      for (const kept of filesBelow(user.kept))
        expect([kept, leaks(secrets, readFileSync(kept, 'latin1'))]).toEqual([kept, []]);
      // Bodies lie compressed.
      const env = { home: user.home, platform: 'linux', variables: {}, projects: [] } as const;
      const content = JSON.stringify(new Portolan(env, user.kept).content());
      expect(leaks(secrets, content)).toEqual([]);
      expect(content).toContain('[SECRET]');
      // They were there to be found: what was asked for was answered.
      expect(said.find(([call]) => call === 'search beacon --json')![1].stdout).toMatch(/\[[A-Z_]+\]/);
    }
  });
});
