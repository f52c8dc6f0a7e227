import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Transcript } from './history.ts';

/** The program as users run it: the bundle, on this Node. */
export const CLI = process.env.PORTOLAN_CLI ?? resolve(dirname(fileURLToPath(import.meta.url)), '../../dist/cli.mjs');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user with a home and a Portolan of their own. */
export interface User {
  readonly home: string;
  readonly kept: string;
  readonly env: NodeJS.ProcessEnv;
  run(...args: string[]): Promise<Ran>;
  /** Runs with `--json`; @throws where stdout is anything but one JSON document */
  json(
    ...args: string[]
  ): Promise<{ readonly code: number | null; readonly document: Document; readonly stderr: string }>;
  /** Runs a line of the shell, in which `portolan` is the program. */
  shell(line: string, more?: NodeJS.ProcessEnv): Promise<Ran>;
  remove(): void;
}

/** A JSON document, to be looked at. */
// biome-ignore lint/suspicious/noExplicitAny: what it holds is what the tests ask
export type Document = any;

export function newUser(transcripts: readonly Transcript[] = []): User {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not built: npm run build`);
  const home = mkdtempSync(join(tmpdir(), 'portolan-user-'));
  const kept = mkdtempSync(join(tmpdir(), 'portolan-kept-'));
  for (const transcript of transcripts) transcript.write(home);
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    USERPROFILE: home,
    PORTOLAN_HOME: kept,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
  };
  const run = (...args: string[]) => execute(process.execPath, [CLI, ...args], env, home);
  return {
    home,
    kept,
    env,
    run,
    async json(...args) {
      const { code, stdout, stderr } = await run(...args, '--json');
      return { code, document: JSON.parse(stdout) as Document, stderr };
    },
    shell: (line, more = {}) =>
      execute(
        '/bin/sh',
        ['-c', `portolan() { "${process.execPath}" "${CLI}" "$@"; }\n${line}`],
        { ...env, ...more },
        home,
      ),
    remove() {
      for (const folder of [home, kept]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function execute(program: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Ran> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}
