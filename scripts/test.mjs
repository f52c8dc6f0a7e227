// `npm test` and `npm run prove`: the tests, on the Node that the repository brings. More arguments go to Vitest.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cloneNode, prepareClone, root } from './clone.mjs';

prepareClone();
const given = process.argv.slice(2);
const env = given.includes('--prove') ? { ...process.env, PORTOLAN_PROVE: '1' } : process.env;
const vitest = [
  join(root, 'node_modules', 'vitest', 'vitest.mjs'),
  'run',
  ...given.filter((each) => each !== '--prove'),
];
const child = spawn(cloneNode(), vitest, { cwd: root, env, stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
