// `npm run eval`: how well search finds, on the Node that the repository brings. More arguments go to them.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cloneNode, prepareClone, root } from './clone.mjs';

prepareClone();
const child = spawn(cloneNode(), [join(root, 'eval', 'run.ts'), ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
