// Runs a program of the repository on the Node that it brings. More arguments go to it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cloneNode, prepareClone, root } from './clone.mjs';

export function runProgram(...path) {
  prepareClone();
  const child = spawn(cloneNode(), [join(root, ...path), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
