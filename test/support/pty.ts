// biome-ignore-all lint/suspicious/noControlCharactersInRegex: sequences for terminals are what this file reads
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Why no program can be run on a terminal of its own here; undefined where one can. */
export function noTerminal(): string | undefined {
  if (process.platform !== 'linux') return 'the flags of `script` are those of Linux';
  return spawnSync('script', ['--version']).status === 0 ? undefined : '`script` of util-linux is not installed';
}

/** A screen as a terminal would show what a program writes, as far as the picker writes it: lines placed by their row. */
export class Screen {
  readonly rows: string[];
  /** Frames that were ended. */
  frames = 0;
  private rest = '';

  constructor(rows: number) {
    this.rows = Array.from({ length: rows }, () => '');
  }

  feed(output: string): void {
    this.rest += output;
    const end = this.rest.lastIndexOf('\x1b[?2026l');
    if (end < 0) return;
    const whole = this.rest.slice(0, end);
    this.rest = this.rest.slice(end + 8);
    this.frames += whole.split('\x1b[?2026l').length;
    for (const [, row, text] of whole.matchAll(/\x1b\[(\d+);1H([\s\S]*?)(?=\x1b\[\d+;\d+H|\x1b\[\?|$)/g))
      this.rows[Number(row) - 1] = text!.replace(/\x1b\[[\d;]*[mK]/g, '');
  }

  get text(): string {
    return this.rows.join('\n');
  }
}

/** A program on a terminal of its own. */
export class OnTerminal {
  readonly screen: Screen;
  /** Everything that was written, as it came. */
  output = '';
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;
  private readonly waiting = new Set<() => void>();

  constructor(
    command: readonly string[],
    { columns, rows, env, cwd }: { columns: number; rows: number; env: NodeJS.ProcessEnv; cwd: string },
  ) {
    this.screen = new Screen(rows);
    const line = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    // `exec`, so that a signal for the child reaches the program; `-e` gives its exit code.
    const shell = `stty rows ${rows} cols ${columns}; exec ${line}`;
    this.child = spawn('script', ['-qefc', shell, '/dev/null'], {
      env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
      cwd,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
      this.screen.feed(text);
      this.wake();
    });
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code) => {
        resolve(code);
        this.wake();
      });
    });
  }

  press(keys: string): void {
    this.child.stdin!.write(keys);
  }

  /** Waits until the screen shows something; gives how long that took. @throws where it does not within `most` ms */
  async until(isShown: (screen: Screen, output: string) => boolean, most = 30_000): Promise<number> {
    const begin = performance.now();
    while (!isShown(this.screen, this.output)) {
      const left = most - (performance.now() - begin);
      if (left <= 0) throw new Error(`It was not shown:\n${this.screen.text}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return performance.now() - begin;
  }

  /** The program's own process: the one that `script` started. */
  get pid(): number {
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(this.child.pid)], { encoding: 'utf8' });
    return Number(stdout.trim().split(/\s+/)[0]);
  }

  /** Whether the program is stopped, and `script` with it. */
  get isStopped(): boolean {
    return [this.pid, this.child.pid].every((pid) => /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
  }

  /** Lets both go on. */
  goOn(): void {
    this.child.kill('SIGCONT');
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private wake(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}
