import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository, temporaryFolder } from '../launch/support.ts';
import { openProduct, type Product } from '../oracle/product.ts';
import { FAKE_MODEL, fetchInto, ScriptedModel } from '../setup/vendors.ts';
import { writeAt } from '../support/folders.ts';
import { noTerminal, OnTerminal } from '../support/pty.ts';

/** Agents' own programs from npm: what is taken up is written by them, and taken up by them. */
const PACKAGES = [
  '@google/gemini-cli@0.61.0',
  '@github/copilot@1.0.102',
  '@mariozechner/pi-coding-agent@0.73.1',
  'opencode-ai@1.18.33',
];
const PROGRAMS = join(repository, 'node_modules', '.cache', 'portolan-agents');
const FIRST = 'Remember the dunlin saltmarsh';
const SECOND = 'And the godwit too';
const MOST = 120_000;

interface Agent {
  readonly source: string;
  /** The command that begins a session by a prompt. */
  readonly begin: readonly string[];
  variables?(url: string): NodeJS.ProcessEnv;
  /** What the program finds in its home. */
  readonly files?: Readonly<Record<string, (url: string) => unknown>>;
}

const AGENTS: readonly Agent[] = [
  {
    source: 'gemini',
    begin: ['gemini', '-p', FIRST],
    variables: (url) => ({
      GOOGLE_GEMINI_BASE_URL: `${url}/gemini`,
      GEMINI_API_KEY: 'dummy',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    files: { '.gemini/settings.json': () => ({ security: { auth: { selectedType: 'gemini-api-key' } } }) },
  },
  {
    source: 'copilot-cli',
    begin: ['copilot', '-p', FIRST, '--allow-all-tools'],
    variables: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/copilot/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_OFFLINE: 'true',
      COPILOT_MODEL: 'live-model',
    }),
  },
  {
    source: 'opencode',
    begin: ['opencode', 'run', FIRST],
    variables: (url) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          live: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/opencode/v1`, apiKey: 'x' },
            models: { 'live-model': {} },
          },
        },
        model: 'live/live-model',
        autoupdate: false,
        share: 'disabled',
      }),
    }),
  },
  {
    source: 'pi',
    begin: ['pi', '-p', '--provider', 'live', '--model', 'live-model', FIRST],
    files: {
      '.pi/agent/models.json': (url) => ({
        providers: {
          live: {
            baseUrl: `${url}/pi/v1`,
            apiKey: 'x',
            api: 'openai-completions',
            models: [
              {
                id: 'live-model',
                name: 'live',
                reasoning: false,
                input: ['text'],
                contextWindow: 100_000,
                maxTokens: 4000,
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              },
            ],
          },
        },
      }),
    },
  },
];

const isWanted = process.env.PORTOLAN_PROVE === '1' && existsSync(FAKE_MODEL) && noTerminal() === undefined;

describe.skipIf(!isWanted)(
  'the command that resume prints takes the session up again, in the agent’s own program:',
  () => {
    const home = temporaryFolder();
    const project = join(home, 'quay');
    let model: ScriptedModel;
    let product: Product;
    let env: NodeJS.ProcessEnv;

    beforeAll(async () => {
      if (!existsSync(PROGRAMS)) fetchInto(PROGRAMS, PACKAGES);
      model = await ScriptedModel.start(temporaryFolder(), 'nothing', []);
      mkdirSync(join(project, '.git'), { recursive: true });
      const path = [join(PROGRAMS, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH].join(
        delimiter,
      );
      env = { PATH: path, HOME: home, NO_COLOR: '1', NO_PROXY: '127.0.0.1' };
      for (const { variables, files = {} } of AGENTS) {
        Object.assign(env, variables?.(model.url));
        for (const [name, content] of Object.entries(files))
          writeAt(join(home, name), JSON.stringify(content(model.url)));
      }
      product = openProduct(home);
    }, 600_000);
    afterAll(() => {
      model?.stop();
      product?.remove();
    });

    it.each(AGENTS.map((agent) => [agent.source, agent] as const))(
      '%s',
      { timeout: 3 * MOST },
      async (source, { begin }) => {
        await runs(begin, project, env);
        await product.index();
        const [session] = (await product.sessions()).filter((one) => one.source === source);
        const { argv, cwd } = await product.resume(session!.id, SECOND);
        // Some are taken up on the screen, where the prompt that was given is answered and the program waits for the next one.
        const program = new OnTerminal(argv, { columns: 120, rows: 40, env, cwd: cwd! });
        const prompts = async () => {
          await product.index();
          return (await product.show(session!.id)).turns.map(({ prompt }) => prompt?.replaceAll('"', ''));
        };
        try {
          await expect.poll(prompts, { timeout: MOST, interval: 1000 }).toEqual([FIRST, SECOND]);
        } finally {
          program.kill();
        }
      },
    );
  },
);

function runs([command = '', ...words]: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(command, words, { cwd, env, stdio: ['ignore', 'ignore', 'ignore'] });
    const timer = setTimeout(() => child.kill(), MOST);
    child.on('error', fail);
    child.on('close', () => {
      clearTimeout(timer);
      done();
    });
  });
}
