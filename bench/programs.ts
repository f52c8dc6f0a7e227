import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What a program needs to see of the environment, and no more: nothing of the person who runs the bench. */
export function variablesFor(home: string, portolanHome: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, PORTOLAN_HOME: portolanHome, TMPDIR: process.env.TMPDIR };
}

export interface Running {
  readonly child: ChildProcess;
  /** Resolves with what it wrote on stdout. Rejects where it ended badly, unless it was stopped. */
  readonly ended: Promise<string>;
}

const running = new Set<ChildProcess>();

/** Stops the programs that were started here and still run. */
export function stopAll(): void {
  for (const child of running) child.kill();
}

/** Starts this Node on a script. */
export function start(args: readonly string[], variables: NodeJS.ProcessEnv, cwd: string): Running {
  return startProgram(process.execPath, args, variables, cwd);
}

function startProgram(program: string, args: readonly string[], variables: NodeJS.ProcessEnv, cwd: string): Running {
  const child = spawn(program, args, { env: variables, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const out: Buffer[] = [];
  let errors = '';
  child.stdout.on('data', (data: Buffer) => out.push(data));
  child.stderr.on('data', (data: Buffer) => {
    errors = (errors + data.toString()).slice(-2000);
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      running.delete(child);
      if (code === 0 || signal !== null) resolve(Buffer.concat(out).toString());
      else reject(new Error(`${program} ${args.slice(0, 3).join(' ')} ended with ${code}: ${errors.trim()}`));
    });
  });
  return { child, ended };
}

/** Runs this Node on a script and gives its stdout. */
export function run(args: readonly string[], variables: NodeJS.ProcessEnv, cwd: string): Promise<string> {
  return start(args, variables, cwd).ended;
}

/** Runs a program and gives its stdout. */
export function runProgram(
  program: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string> {
  return startProgram(program, args, variables, cwd).ended;
}

/**
 * Milliseconds that a process takes from start to end, with nothing else going on here. What it prints is taken: grep
 * stops at its first match where nobody reads it. @throws where it ends badly
 */
export function wallTime(
  program: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  cwd: string,
  codes: readonly number[] = [0],
): number {
  const begin = performance.now();
  const { status, error } = spawnSync(program, args, {
    env: variables,
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const ms = performance.now() - begin;
  if (error) throw error;
  if (!codes.includes(status ?? -1)) throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
  return ms;
}

/** Bytes that a process holds in memory, mapped files among them. */
export const residentOf = (pid: number) => statusOf(pid, 'VmRSS');

/** Bytes that are a process's own: no file's. */
export const ownMemoryOf = (pid: number) => statusOf(pid, 'RssAnon');

function statusOf(pid: number, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) * 1024;
}
