import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Transcript } from '../search/history.ts';
import { newUser, type User } from '../search/program.ts';
import { stateOf } from '../support/folders.ts';

let user: User;
beforeEach(() => {
  user = newUser();
});
afterEach(() => user.remove());

function put(file: string, content: string | Uint8Array, mode = 0o600): string {
  const path = join(user.home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

/** Names, modes and contents, without times: files are written anew. */
const contentsOf = (folder: string) =>
  stateOf(folder).map((line) => {
    const [name, mode, , , ...content] = line.split(' ');
    return [name, mode, ...content].join(' ');
  });

/** What setup keeps in Portolan's own folder: the copy, and what it needs to undo itself. */
const ofSetup = () => readdirSync(user.kept).filter((name) => name === 'bin' || name === 'setup');

const setup = (...args: string[]) => user.run('setup', ...args);

const AGENTS = [
  {
    agent: 'claude-code',
    file: '.claude.json',
    skill: '.claude/skills/remember/SKILL.md',
    content:
      '{\n  "numStartups": 3,\n  "big": 12345678901234567890,\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}',
    edit: (text: string) => text.replace('"numStartups": 3', '"numStartups": 4'),
    broken: '{"numStartups": 3,',
    theirs: '{"mcpServers":{"portolan":{"type":"http","url":"http://127.0.0.1:1/"}},"a":1}',
  },
  {
    agent: 'codex',
    file: '.codex/config.toml',
    skill: '.codex/skills/remember/SKILL.md',
    content: 'model = "x" # mine\n[mcp_servers.other]\ncommand = "y"',
    edit: (text: string) => `${text.replace('"x"', '"z"')}\n[projects."/a"]\ntrust_level = "trusted"\n`,
    broken: 'model = "x\n[y',
    theirs: '[mcp_servers.portolan]\nurl = "http://127.0.0.1:1/"\n',
  },
] as const;

describe.each(AGENTS)('portolan setup $agent', ({ agent, file, skill, content, edit, broken, theirs }) => {
  it('shows what it would do and changes nothing before it is told to', async () => {
    put(file, content);
    const before = stateOf(user.home);
    const { code, stdout, stderr } = await setup(agent);
    expect(code).toBe(2);
    expect(stdout).toContain(join(user.home, file));
    expect(stdout).toContain(join(user.home, skill));
    expect(stderr).toMatch(/Nothing was changed.*--yes/s);
    const { document } = await user.json('setup', agent);
    expect(document).toMatchObject({ agent, action: 'add', done: false });
    expect(document.changes.map((one: { kind: string }) => one.kind)).toEqual(['copy', 'edit', 'create']);
    expect(stateOf(user.home)).toEqual(before);
    expect(readdirSync(user.kept)).toEqual([]);
  });

  it('adds itself, once, and takes itself out to the byte', async () => {
    const path = put(file, content, 0o640);
    put('.claude/settings.json', '{}');
    const before = contentsOf(user.home);
    expect(await setup(agent, '--yes')).toMatchObject({ code: 0, stderr: '' });

    const text = readFileSync(path, 'utf8');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(text).toContain(join(user.kept, 'bin'));
    expect(text).toContain('other');
    expect(readFileSync(join(user.home, skill), 'utf8')).toMatch(/^---\nname: remember\n/);
    for (const line of content.split('\n')) expect(text).toContain(line);

    const once = stateOf(user.home);
    expect(await setup(agent, '--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('already') });
    expect((await user.json('setup', agent, '--yes')).document).toMatchObject({ changes: [], done: true });
    expect(stateOf(user.home)).toEqual(once);

    expect((await setup(agent, '--remove', '--yes')).code).toBe(0);
    expect(contentsOf(user.home)).toEqual(before);
    expect(ofSetup()).toEqual([]);
    expect((await setup(agent, '--remove', '--yes')).stdout).toContain('does not know');
  });

  it('makes what is missing, and unmakes it', async () => {
    const before = contentsOf(user.home);
    expect((await setup(agent, '--yes')).code).toBe(0);
    expect(statSync(join(user.home, file)).mode & 0o777).toBe(0o600);
    await setup(agent, '--remove', '--yes');
    expect(contentsOf(user.home)).toEqual(before);
  });

  it('keeps what others changed meanwhile', async () => {
    const path = put(file, content);
    await setup(agent, '--yes');
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
    // A newer version registers itself anew.
    await setup(agent, '--yes');
    expect((await setup(agent, '--remove', '--yes')).code).toBe(0);
    const left = readFileSync(path, 'utf8');
    expect(left).not.toContain('portolan');
    expect(left.replaceAll(/\n+/g, '\n').trim()).toBe(edit(content).replaceAll(/\n+/g, '\n').trim());
  });

  it('registers an older entry of its own anew', async () => {
    const path = put(file, content);
    await setup(agent, '--yes');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/bin.0\.[0-9.]+/g, 'bin/0.0.1'));
    expect((await user.json('setup', agent, '--yes')).document.changes).toMatchObject([{ kind: 'edit', path }]);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('leaves a file that cannot be read as it is, and says why', async () => {
    put(file, broken);
    for (const args of [[], ['--remove']]) {
      const before = stateOf(user.home);
      const { code, stderr } = await setup(agent, '--yes', ...args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/left alone: it is not valid (JSON|TOML)/);
      expect(stateOf(user.home)).toEqual(before);
    }
    put(file, new Uint8Array([0x61, 0xff, 0xfe]));
    expect((await setup(agent, '--yes')).stderr).toContain('UTF-8');
    expect(readdirSync(user.kept)).toEqual([]);
  });

  it('puts an entry of the user’s own back', async () => {
    const path = put(file, theirs);
    const removed = await setup(agent, '--remove', '--yes');
    expect(removed.stderr).toContain('not from setup');
    expect(readFileSync(path, 'utf8')).toBe(theirs);
    expect((await setup(agent, '--yes')).stderr).toContain('of your own is replaced');
    await setup(agent, '--remove', '--yes');
    expect(readFileSync(path, 'utf8')).toBe(theirs);
  });

  it('leaves a skill of the user’s own alone', async () => {
    const path = put(skill, '---\nname: remember\n---\nmine\n');
    const { stderr } = await setup(agent, '--yes');
    expect(stderr).toContain('left alone');
    await setup(agent, '--remove', '--yes');
    expect(readFileSync(path, 'utf8')).toContain('mine');
  });

  it('writes through a link and leaves it', async () => {
    const real = put('dotfiles/config', content);
    const link = join(user.home, file);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(real, link);
    await setup(agent, '--yes');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain('portolan');
    await setup(agent, '--remove', '--yes');
    expect(readFileSync(real, 'utf8')).toBe(content);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });
});

it('looks where the agents’ own variables name their folders', async () => {
  const folders = { CLAUDE_CONFIG_DIR: join(user.home, 'c'), CODEX_HOME: join(user.home, 'x') };
  for (const agent of AGENTS) expect((await user.shell(`portolan setup ${agent.agent} --yes`, folders)).code).toBe(0);
  for (const file of ['c/.claude.json', 'c/skills/remember/SKILL.md', 'x/config.toml', 'x/skills/remember/SKILL.md'])
    expect(readFileSync(join(user.home, file), 'utf8')).toMatch(/portolan/i);
  // Also from where they are not set.
  for (const agent of AGENTS) await setup(agent.agent, '--remove', '--yes');
  expect(readdirSync(user.home)).toEqual([]);
});

it('keeps the copy of Portolan while another agent uses it', async () => {
  await setup('claude-code', '--yes');
  await setup('codex', '--yes');
  await setup('claude-code', '--remove', '--yes');
  const [version] = readdirSync(join(user.kept, 'bin'));
  expect(existsSync(join(user.kept, 'bin', version!, 'dist', 'mcp.mjs'))).toBe(true);
  expect((await setup('codex', '--yes')).stdout).toContain('already');
  await setup('codex', '--remove', '--yes');
  expect(ofSetup()).toEqual([]);
});

it('mends a copy that was damaged', async () => {
  await setup('codex', '--yes');
  const [version] = readdirSync(join(user.kept, 'bin'));
  const server = join(user.kept, 'bin', version!, 'dist', 'mcp.mjs');
  const content = readFileSync(server);
  rmSync(server);
  expect((await user.json('setup', 'codex', '--yes')).document.changes).toMatchObject([{ kind: 'copy' }]);
  expect(readFileSync(server)).toEqual(content);
});

it('says how much it copies, and indexes, so that an agent finds something', async () => {
  const session = new Transcript('setup indexes');
  session.prompt('Find the beacon.');
  session.write(user.home);
  const { stdout } = await setup('claude-code', '--yes');
  expect(stdout).toMatch(/copy Node and Portolan to Portolan’s own folder \(1\d\d MB\)/);
  expect(stdout).toContain('Claude Code: 1 session, 1 of 1 file read');
  expect((await user.json('search', 'beacon')).document.total.turns).toBe(1);
});

it('names a command in the skill that this machine has', async () => {
  const skill = join(user.home, '.claude/skills/remember/SKILL.md');
  await setup('claude-code', '--yes');
  const [, command] = /`(\S+) search "words" --json`/.exec(readFileSync(skill, 'utf8'))!;
  expect(command!.startsWith(user.kept)).toBe(true);
  expect(execFileSync(command!, ['--version'], { encoding: 'utf8', env: user.env })).toMatch(/^portolan \d/);

  const bin = join(user.home, 'own bin');
  put('own bin/portolan', '#!/bin/sh\n', 0o755);
  await user.shell('portolan setup claude-code --yes', { PATH: `${bin}:${user.env.PATH}` });
  expect(readFileSync(skill, 'utf8')).toContain('`portolan search "words" --json`');
});

it('says which agents it knows', async () => {
  for (const args of [[], ['emacs']])
    expect(await setup(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('claude-code, codex') });
  expect(await user.json('setup', 'emacs')).toMatchObject({ code: 2, document: { error: { code: 'no_agent' } } });
});

it.each(['.claude-plugin', '.codex-plugin'])(
  'the manifest %s of the plugin has the version of the package',
  (folder) => {
    const read = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'));
    expect(read(`integrations/plugin/${folder}/plugin.json`).version).toBe(read('package.json').version);
  },
);
