import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { repository } from '../launch/support.ts';

/** The vendors' own programs. They are large, so they are fetched once and stay. */
const CLAUDE = '2.1.332';
const CODEX = '0.171.0';
const CACHE = join(repository, 'node_modules', '.cache', `portolan-vendors-${CLAUDE}-${CODEX}`);

export interface Vendors {
  readonly claude: string;
  readonly codex: string;
}

/** The paths of both programs, or why they cannot be had. */
export function vendors(): Vendors | string {
  try {
    if (!existsSync(CACHE)) fetchInto(CACHE, [`@anthropic-ai/claude-code@${CLAUDE}`, `@openai/codex@${CODEX}`]);
    const platform = `${process.platform}-${process.arch}`;
    const native = join(CACHE, 'node_modules', '@anthropic-ai', `claude-code-${platform}`, 'claude');
    const bin = join(CACHE, 'node_modules', '.bin');
    const found = { claude: existsSync(native) ? native : join(bin, 'claude'), codex: join(bin, 'codex') };
    for (const program of Object.values(found)) execFileSync(program, ['--version'], { stdio: 'pipe' });
    return found;
  } catch (error) {
    return `the vendors' programs cannot be had: ${error instanceof Error ? error.message.split('\n')[0] : error}`;
  }
}

/** Fetches programs into a folder, which is there only once they are. */
export function fetchInto(folder: string, packages: readonly string[]): void {
  mkdirSync(join(folder, '..'), { recursive: true });
  const workshop = mkdtempSync(`${folder}-`);
  try {
    execFileSync('npm', ['install', '--prefix', workshop, '--no-save', '--no-audit', '--no-fund', ...packages], {
      cwd: workshop,
      stdio: 'pipe',
    });
    if (!existsSync(folder)) renameSync(workshop, folder);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** Where the shared scripted model lies, if it does. */
export const FAKE_MODEL = join(process.env.PORTOLAN_SHARED ?? resolve(repository, '..', 'shared'), 'fake-model');

/** A model on 127.0.0.1 that plays one story for both agents: asked a question, it calls our tools, then says so. */
export class ScriptedModel {
  readonly url: string;
  private readonly folder: string;
  private readonly process: ReturnType<typeof spawn>;

  private constructor(folder: string, port: number, child: ReturnType<typeof spawn>) {
    this.folder = folder;
    this.url = `http://127.0.0.1:${port}`;
    this.process = child;
  }

  static async start(folder: string, question: string, calls: readonly ToolCall[]): Promise<ScriptedModel> {
    for (const file of ['server.mjs', 'adapters.mjs']) cpSync(join(FAKE_MODEL, file), join(folder, file));
    mkdirSync(join(folder, 'req'));
    writeFileSync(join(folder, 'stories.mjs'), storyOf(question, calls));
    const port = await freePort();
    const child = spawn(process.execPath, ['server.mjs', String(port), folder], { cwd: folder, stdio: 'ignore' });
    const ready = join(folder, `server-${port}.pid`);
    for (let waited = 0; !existsSync(ready); waited += 50) {
      if (waited > 10_000 || child.exitCode !== null) throw new Error('the scripted model does not start');
      await new Promise((done) => setTimeout(done, 50));
    }
    return new ScriptedModel(folder, port, child);
  }

  /** What an agent sent, request by request, as text. */
  requests(agent: 'claude' | 'codex'): string[] {
    const names = readdirSync(join(this.folder, 'req')).filter((name) => name.startsWith(`${agent}-`));
    return names.sort().map((name) => readFileSync(join(this.folder, 'req', name), 'utf8'));
  }

  stop(): void {
    this.process.kill();
  }
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Each agent has its own way to name the tools of a server. */
function storyOf(question: string, calls: readonly ToolCall[]): string {
  return `
const spell = {
  claude: ({ name, input }) => ({ name: 'mcp__portolan__' + name, input }),
  codex: ({ name, input }) => ({ name, namespace: 'mcp__portolan', input }),
};
export function build(agent) {
  const step = (text, ...calls) => ({ think: null, text, calls });
  const calls = ${JSON.stringify(calls)}.map(spell[agent] ?? spell.claude);
  const steps = [...calls.map((call) => step('I look it up.', call)), step('That is what I found.')];
  return { stories: [{ key: 'remember', title: 'Remember', prompts: [{ text: ${JSON.stringify(question)}, steps }] }], planted: [] };
}`;
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.on('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => done(port));
    });
  });
}
