import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Whether this process, or one that it starts as nobody, can be kept from reading a file. */
export const CAN_BE_KEPT_OUT =
  process.platform !== 'win32' &&
  (process.getuid?.() !== 0 || spawnSync('setpriv', ['--version'], { stdio: 'ignore' }).status === 0);

/** What stands before a command so that it runs without the rights of root, where this process has them. */
export const WITHOUT_RIGHTS: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

/** Closes a file or folder to everybody until the test ends. */
export function close(path: string): void {
  accessSync(path);
  chmodSync(path, 0);
  onTestFinished(() => chmodSync(path, 0o755));
}
