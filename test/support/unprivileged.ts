import { spawnSync } from 'node:child_process';

const IS_ROOT = process.getuid?.() === 0;

/** The user without rights that root may become; undefined where this process is none. */
export const NOBODY = IS_ROOT ? 65534 : undefined;

/** Whether a process that this one starts can be kept from reading a file. */
export const CAN_BE_KEPT_OUT =
  process.platform !== 'win32' && (!IS_ROOT || spawnSync('setpriv', ['--version'], { stdio: 'ignore' }).status === 0);

/** What stands before a command so that it runs without the rights of root. */
export const WITHOUT_RIGHTS: readonly string[] = IS_ROOT
  ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  : [];
