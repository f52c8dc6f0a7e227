import { spawn } from 'node:child_process';

/** Starts a program of ours that runs on by itself: nobody waits for it, and nobody hears it. */
export function runBehind(
  program: string,
  args: readonly string[],
  { cwd, variables }: { readonly cwd: string; readonly variables: NodeJS.ProcessEnv },
): void {
  const child = spawn(process.execPath, [program, ...args], {
    detached: true,
    stdio: 'ignore',
    cwd,
    env: variables,
    windowsHide: true,
  });
  // Where nothing may be started, the answer stands all the same.
  child.on('error', () => {});
  child.unref();
}
