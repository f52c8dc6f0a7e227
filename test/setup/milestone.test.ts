import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FENCE_BEGIN, FENCE_END } from '../../src/mcp/fence.ts';
import {
  freshEnvironment,
  installedCopy,
  machineNode,
  readJson,
  repository,
  run,
  succeed,
  temporaryFolder,
} from '../launch/support.ts';
import { connected, residentOf } from '../mcp/support.ts';
import { FAKE_MODEL, ScriptedModel, type Vendors, vendors } from './vendors.ts';

/*
 * In an empty home, on the machine's own Node, from the tarball: a history, setup, and then the vendors' own programs find
 * our server and ask it.
 */

const MINUTES = 60_000;
const QUESTION = 'What did we find out yesterday about the flaky berth schedule test?';
/** The turn of the sample that answers it. */
const CITATION = 'claude-code:5e955133-faf7-41f9-a843-c0b26ac6cce6#1';
const ANSWER = 'isOpenOn compared local calendar days';
const CONFIG = (url: string) => `# A user's own settings.
model = "gpt-5.5"
model_provider = "live"
approval_policy = "never"

[model_providers.live]
name = "live"
base_url = "${url}/codex/v1"
wire_api = "responses"
env_key = "LIVE_KEY"

[mcp_servers.portolan]
command = "old-portolan"

[mcp_servers.portolan.env]
PORTOLAN_HOME = "/old"
`;
const STATE = '{\n  "numStartups": 3,\n  "hasCompletedOnboarding": true\n}\n';

const programs = existsSync(FAKE_MODEL) ? vendors() : `there is no ${FAKE_MODEL}`;
const why = typeof programs === 'string' ? ` (skipped: ${programs})` : '';

describe.skipIf(typeof programs === 'string')(
  `the milestone on Node ${machineNode.version}${why}`,
  { shuffle: false },
  () => {
    const { claude, codex } = programs as Vendors; // else skipped
    const home = temporaryFolder();
    const project = temporaryFolder();
    const files = { claude: join(home, '.claude.json'), codex: join(home, '.codex', 'config.toml') };
    let model: ScriptedModel;
    let env: NodeJS.ProcessEnv;
    let portolan: (...args: string[]) => Promise<string>;

    beforeAll(async () => {
      model = await ScriptedModel.start(temporaryFolder(), QUESTION, [
        { name: 'search_history', input: { query: 'flaky berth schedule Tokyo', since: 'yesterday' } },
        { name: 'read_turn', input: { id: CITATION } },
      ]);
      copyOfYesterday(join(repository, 'sample', '.claude'), join(home, '.claude'));
      mkdirSync(join(home, '.codex'));
      writeFileSync(files.claude, STATE);
      writeFileSync(files.codex, CONFIG(model.url));
      const ofAgents = /^(CLAUDE|ANTHROPIC|CODEX|OPENAI)/;
      env = {
        ...Object.fromEntries(Object.entries(freshEnvironment(home)).filter(([name]) => !ofAgents.test(name))),
        ANTHROPIC_BASE_URL: `${model.url}/claude`,
        ANTHROPIC_API_KEY: 'dummy',
        LIVE_KEY: 'dummy',
        // A client of the SDK hands on no time zone: yesterday must be the same for all of them.
        TZ: 'UTC',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // Else a question may be asked before a busy machine has started the server.
        MCP_CONNECTION_NONBLOCKING: 'false',
      };

      const packed = temporaryFolder();
      await succeed(['npm', 'pack', '--silent', '--pack-destination', packed], { cwd: installedCopy(), env });
      const tarball = join(packed, readdirSync(packed)[0]!);
      const installed = temporaryFolder();
      const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];
      await succeed(['npm', 'install', ...quietly, '--prefix', installed, tarball], { cwd: installed, env });
      const launcher = join(installed, 'node_modules', 'portolan', 'bin', 'portolan.mjs');
      // The first --yes lets the launcher fetch a Node where the machine's is too old.
      portolan = (...args) => succeed(['node', launcher, '--yes', ...args], { cwd: project, env });
      await portolan('index');
      await portolan('setup', 'claude-code', '--yes');
      await portolan('setup', 'codex', '--yes');
    }, 5 * MINUTES);
    afterAll(() => model?.stop());

    const ask = (...command: string[]) => run(command, { cwd: project, env });

    test('Claude Code lists the server', { timeout: MINUTES }, async () => {
      const { stdout } = await ask(claude, 'mcp', 'list');
      expect(stdout).toMatch(/^portolan: .*Connected/m);
    });

    test('Codex lists the server', { timeout: MINUTES }, async () => {
      const { stdout } = await ask(codex, 'mcp', 'list');
      expect(stdout).toMatch(/^portolan .*enabled/m);
    });

    /** What the model was told: the answer with its citation, fenced, the asking session left out, and the skill. */
    function expectTold(requests: readonly string[], source: string): void {
      const last = requests.at(-1) ?? '';
      for (const told of [CITATION, ANSWER, FENCE_BEGIN, FENCE_END]) expect(last).toContain(told);
      expect(last).toMatch(new RegExp(`excluded_session[\\\\":]+${source}:[0-9a-f-]{36}`));
      expect(requests.join('\n')).toMatch(/remember.{0,40}Recover what earlier coding-agent sessions/s);
    }

    test('a session of Claude Code calls it', { timeout: 2 * MINUTES }, async () => {
      const { stdout, stderr } = await ask(claude, '-p', QUESTION, '--allowedTools', 'mcp__portolan');
      expect(stdout, stderr).toContain('That is what I found.');
      expectTold(model.requests('claude'), 'claude-code');
    });

    test('a session of Codex calls it', { timeout: 2 * MINUTES }, async () => {
      const { stdout, stderr } = await ask(codex, 'exec', '--skip-git-repo-check', QUESTION);
      expect(stdout, stderr).toContain('That is what I found.');
      expectTold(model.requests('codex'), 'codex');
    });

    test('a client of the SDK gets yesterday’s answer with its citation', { timeout: MINUTES }, async () => {
      const { command, args, env: entry } = readJson(files.claude).mcpServers.portolan;
      const { call, transport } = await connected({ ...entry, HOME: home, TZ: 'UTC' }, { command, args });
      const found = await call('search_history', {
        query: 'flaky berth schedule Tokyo',
        since: 'yesterday',
        until: 'yesterday',
      });
      expect(found.document.hits[0]).toMatchObject({ id: CITATION, snippet: expect.stringContaining(ANSWER) });
      expect(found.text).toContain(CITATION);
      const read = await call('read_turn', { id: found.document.hits[0].id });
      expect(read.text).toContain(ANSWER);
      const kilobytes = residentOf(transport.pid);
      if (kilobytes) console.log(`resident, as setup installs it: ${Math.round(kilobytes / 1000)} MB`);
    });

    test('and it can all be taken out again', { timeout: MINUTES }, async () => {
      await portolan('setup', 'claude-code', '--remove', '--yes');
      await portolan('setup', 'codex', '--remove', '--yes');
      // Claude Code has written its own state meanwhile, which stays.
      expect(readJson(files.claude)).toMatchObject({ numStartups: expect.any(Number), hasCompletedOnboarding: true });
      expect(readJson(files.claude).mcpServers?.portolan).toBeUndefined();
      expect(readFileSync(files.codex, 'utf8')).toBe(CONFIG(model.url));
      expect((await ask(codex, 'mcp', 'list')).stdout).toMatch(/^portolan .*old-portolan/m);
      for (const folder of ['.claude', '.codex'])
        expect(existsSync(join(home, folder, 'skills', 'remember'))).toBe(false);
    });
  },
);

/** The sample as if it were of yesterday, as UTC has it. */
function copyOfYesterday(from: string, to: string): void {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  cpSync(from, to, { recursive: true });
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (path.endsWith('.jsonl'))
      writeFileSync(path, readFileSync(path, 'utf8').replace(/\d{4}-\d\d-\d\d(?=T\d\d:\d\d:\d\d\.\d+Z)/g, day));
  }
}
