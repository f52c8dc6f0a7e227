import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The one place that knows how the product is called. Everything else sees the JSON that its doors print. */

const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const CLI = process.env.PORTOLAN_CLI ?? join(REPOSITORY, 'dist', 'cli.mjs');
const MOST = 512 * 1024 * 1024;

export interface ShownTokens {
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write_5m: number;
  readonly cache_write_1h: number;
  readonly output: number;
  readonly reasoning: number;
}

export interface ShownSession {
  readonly id: string;
  readonly source: string;
  readonly native_id: string;
  readonly title?: string;
  readonly title_from?: string;
  readonly path: string;
  readonly gone: boolean;
  readonly parent?: { readonly id: string; readonly relation: string; readonly at?: string };
  readonly children: readonly string[];
  readonly counts: { readonly turns: number; readonly tool_calls: number };
  readonly tokens: ShownTokens;
  readonly tokens_by_model: Readonly<Record<string, ShownTokens>>;
}

export interface ShownPart {
  readonly type: 'text' | 'thinking' | 'tool_call' | 'notice' | 'attachment';
  readonly role?: 'user' | 'assistant';
  readonly kind?: string;
  readonly text?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly output?: string;
  readonly is_error?: boolean;
  readonly cut?: { readonly length: number; readonly kept: number };
  readonly where?: { readonly path?: string; readonly offset: number; readonly line: number };
  readonly output_where?: { readonly path?: string; readonly offset: number; readonly line: number };
  readonly child?: string;
}

export interface ShownTurn {
  readonly id: string;
  readonly index: number;
  readonly prompt?: string;
  readonly rewound: boolean;
  readonly replay_of?: string;
  readonly parts: readonly ShownPart[];
}

export interface Shown {
  readonly session: ShownSession;
  readonly turns: readonly ShownTurn[];
}

export interface ShownHit {
  readonly session: string;
  readonly turn: number;
  readonly snippet: string;
}

export interface IndexReport {
  readonly sources: Readonly<
    Record<
      string,
      {
        readonly units: number;
        readonly read: number;
        readonly unchanged: number;
        readonly sessions: number;
        readonly bytes_read: number;
        readonly failed: readonly { readonly path: string; readonly line?: number; readonly reason: string }[];
        readonly unknown_records: Readonly<Record<string, number>>;
      }
    >
  >;
}

export interface Product {
  /** The folder that the product takes for the user's own. */
  readonly home: string;
  index(): Promise<IndexReport>;
  sessions(): Promise<ShownSession[]>;
  show(id: string, withParent?: boolean): Promise<Shown>;
  /** What is known and not shown of a source, by kind. */
  notShown(source: string): Promise<Readonly<Record<string, number>>>;
  /** The hits of a query, best first. */
  search(query: string): Promise<readonly ShownHit[]>;
  /** The command that takes a session up again. */
  resume(id: string, prompt?: string): Promise<{ readonly argv: readonly string[]; readonly cwd?: string }>;
  /** Every session with its turns. */
  showAll(sessions: readonly ShownSession[]): Promise<Shown[]>;
  remove(): void;
}

/** A product with a home and a store of its own. */
export function openProduct(home = mkdtempSync(join(tmpdir(), 'portolan-home-'))): Product {
  const store = mkdtempSync(join(tmpdir(), 'portolan-store-'));
  const run = async (...args: string[]): Promise<unknown> => {
    const { CLAUDE_CONFIG_DIR: _, CODEX_HOME: _____, ...own } = process.env;
    const { XDG_CONFIG_HOME: __, XDG_DATA_HOME: ___, XDG_STATE_HOME: ____, ...env } = own;
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args, '--json'], {
      cwd: home,
      env: { ...env, HOME: home, USERPROFILE: home, PORTOLAN_HOME: store },
      maxBuffer: MOST,
    }).catch((error: { code?: unknown; stdout?: string; stderr?: string }) => {
      // 1: nothing found. Whatever else is no answer.
      if (error.code === 1 && error.stdout) return { stdout: error.stdout };
      throw new Error(`portolan ${args.join(' ')}: exit ${error.code}\n${error.stderr}\n${error.stdout}`);
    });
    return JSON.parse(stdout);
  };
  const product: Product = {
    home,
    index: async () => (await run('index')) as IndexReport,
    sessions: async () => {
      const all: ShownSession[] = [];
      let cursor: string | null | undefined;
      do {
        const page = (await run('sessions', '--all', '--limit', '1000', ...(cursor ? ['--cursor', cursor] : []))) as {
          sessions: ShownSession[];
          cursor?: string | null;
        };
        all.push(...page.sessions);
        cursor = page.cursor;
      } while (cursor);
      return all;
    },
    show: async (id, withParent = false) => (await run('show', id, ...(withParent ? ['--with-parent'] : []))) as Shown,
    notShown: async (source) => {
      const report = (await run('doctor')) as { sources: Record<string, { not_shown: Record<string, number> }> };
      return report.sources[source]?.not_shown ?? {};
    },
    search: async (query) => ((await run('search', query)) as { hits: ShownHit[] }).hits,
    resume: async (id, prompt) =>
      (await run('resume', id, ...(prompt === undefined ? [] : ['--prompt', prompt]))) as Awaited<
        ReturnType<Product['resume']>
      >,
    showAll: async (sessions) => {
      const shown: Shown[] = [];
      const waiting = [...sessions.entries()];
      const work = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          shown[next[0]] = await product.show(next[1].id);
        }
      };
      await Promise.all([work(), work(), work()]);
      return shown;
    },
    remove: () => {
      rmSync(store, { recursive: true, force: true });
      rmSync(home, { recursive: true, force: true });
    },
  };
  return product;
}

// ------------------------------------------------------------------------------------------------ shared files

/** The folder of shared material beside the repository, or none: tests of real histories are skipped then. */
export const SHARED: string | undefined = [process.env.PORTOLAN_SHARED, resolve(REPOSITORY, '../shared')].find(
  (folder) => folder !== undefined && existsSync(join(folder, 'corpus')),
);

/** A file or folder of the shared material; only to be called where `SHARED` is known. */
export function shared(...names: string[]): string {
  if (SHARED === undefined) throw new Error('the shared material is not here');
  return join(SHARED, ...names);
}

/** A home of one's own with the Claude Code history of another: that one is only to be read. */
export function copyOfHome(home: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'portolan-home-'));
  cpSync(join(home, '.claude'), join(copy, '.claude'), { recursive: true });
  return copy;
}

/** A home that holds these transcripts: the name below `.claude/projects/`, and the file to copy. */
export function homeOf(transcripts: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), 'portolan-home-'));
  for (const [name, from] of Object.entries(transcripts)) {
    const to = join(home, '.claude', 'projects', name);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true });
  }
  return home;
}
