import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openForReading } from '../src/holdings/opening.ts';
import type { Stores } from '../src/holdings/stores.ts';
import { homeOf } from '../src/home/paths.ts';
import { formatCount, formatMs, timed } from './measure.ts';
import type { Options } from './options.ts';
import { run, variablesFor } from './programs.ts';
import queries from './queries.json' with { type: 'json' };

const ROOT = resolve(import.meta.dirname, '..');
/** Passages that a million bytes of gen.mjs make, when all of it is Claude Code's. */
const PASSAGES_PER_MB = 147;

/** A home with agents' histories, and the Portolan home that goes with it. */
export interface History {
  readonly home: string;
  readonly portolan: string;
  readonly variables: NodeJS.ProcessEnv;
}

/** What `portolan index --json` prints, as far as the bench reads it. */
export interface Report {
  readonly took_ms: number;
  readonly peak_rss: number;
  readonly sessions: number;
  readonly turns: number;
  readonly passages: number;
  readonly sources: Readonly<Record<string, { readonly read: number; readonly units: number; bytes_read: number }>>;
}

/** Makes what the rows are measured on, each thing once and only when it is asked for, and tidies up. */
export class Workshop {
  readonly options: Options;
  /** The bundle, copied: another build may take its place in dist/ while we measure. */
  readonly cli: string;
  /** The server beside it, as `setup` points agents at it. */
  readonly mcp: string;
  /** An empty folder to start programs in. */
  readonly cwd: string;
  readonly shared = process.env.PORTOLAN_SHARED ?? resolve(ROOT, '..', 'shared');
  private readonly dir: string;
  private readonly made = new Map<string, Promise<History>>();
  private readonly reports = new Map<string, Report>();
  private homes = 0;

  constructor(options: Options) {
    const dist = join(ROOT, 'dist');
    if (!existsSync(join(dist, 'cli.mjs'))) throw new Error('there is no dist/cli.mjs: run node scripts/build.mjs');
    this.options = options;
    this.dir = mkdtempSync(join(tmpdir(), 'portolan-bench-'));
    this.cwd = join(this.dir, 'cwd');
    mkdirSync(this.cwd);
    cpSync(dist, join(this.dir, 'dist'), { recursive: true });
    this.cli = join(this.dir, 'dist', 'cli.mjs');
    this.mcp = join(this.dir, 'dist', 'mcp.mjs');
  }

  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** A folder that is removed with everything else. */
  folder(name: string): string {
    const path = join(this.dir, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** A home and an empty Portolan home for it. */
  history(home: string): History {
    const portolan = this.folder(`portolan-${++this.homes}`);
    return { home, portolan, variables: variablesFor(home, portolan) };
  }

  /** The history that most rows are measured on: `--mb` of gen.mjs, of which seven tenths are Claude Code's. */
  generated(): Promise<History> {
    const { mb, seed } = this.options;
    return this.once('generated', async () => this.history(await this.generate(mb, seed, 0.7)));
  }

  /** A history of the same size of Codex alone. */
  ofCodex(): Promise<History> {
    const { mb, seed } = this.options;
    return this.once('codex', async () => this.history(await this.generate(mb, seed, 0)));
  }

  /** The same, indexed. */
  async indexed(): Promise<History> {
    const history = await this.generated();
    if (!this.reports.has(history.portolan)) await this.index(history);
    return history;
  }

  /** A history of at least `--passages` passages, indexed: the one that bench/queries.json was drawn from. */
  large(): Promise<History> {
    return this.once('large', async () => {
      const mb = Math.ceil((this.options.passages / PASSAGES_PER_MB) * 1.03);
      const history = this.history(await this.generate(mb, queries.seed, 1));
      const { value, ms } = await timed(() => this.index(history));
      this.say(`indexed ${formatCount(value.passages)} passages in ${formatMs(ms)}`);
      return history;
    });
  }

  /** Runs `portolan index --json` as users do: the bundle, no launcher between. */
  async index(history: History): Promise<Report> {
    const report = JSON.parse(await run([this.cli, 'index', '--json'], history.variables, this.cwd)) as Report;
    this.reports.set(history.portolan, report);
    return report;
  }

  /** The stores of an indexed history. @throws where there are none */
  open(history: History): Stores {
    const stores = openForReading(homeOf(history.variables));
    if (!stores) throw new Error(`nothing is indexed in ${history.portolan}`);
    return stores;
  }

  tidyUp(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  private once(name: string, make: () => Promise<History>): Promise<History> {
    const made = this.made.get(name) ?? make();
    this.made.set(name, made);
    return made;
  }

  private async generate(mb: number, seed: number, claude: number): Promise<string> {
    const name = `home-${mb}-${seed}-${claude}`;
    const home = this.options.keep === undefined ? join(this.dir, name) : join(this.options.keep, name);
    // It is what gen.mjs writes last.
    if (existsSync(join(home, 'truth.json'))) return home;
    this.say(`generating ${formatCount(mb)} MB`);
    mkdirSync(home, { recursive: true });
    const flags = { home, mb, seed, claude };
    const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
    await run([join(this.shared, 'bench', 'gen.mjs'), ...args], process.env, this.cwd);
    return home;
  }
}

/** A database and what of it still stands in its log. */
export function sizeOf(path: string): number {
  return statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}
