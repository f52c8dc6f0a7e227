import { appendFileSync, renameSync, statSync } from 'node:fs';
import { ConfigError, readConfig } from './config.ts';
import type { Home } from './paths.ts';
import type { Logging } from './settings.ts';

/** A file that grows beyond this becomes `portolan.log.1`, and that one goes. */
const MOST_BYTES = 1 << 20;

/** What happened, for whoever looks into it later. Writing it never fails: a full disk must not break what is logged. */
export interface Log {
  /** Something went wrong. */
  error(text: string): void;
  /** Something was done. */
  note(text: string): void;
}

/**
 * The log file of a home. `clean` takes the secrets out of a text: nothing is written that has not passed it. Nothing is
 * written either where the home is not there yet, or where the user has turned the log off.
 */
export function logOf(home: Home, clean: (text: string) => string): Log {
  const logging = loggingOf(home);
  const write = (level: string, text: string) => {
    try {
      if ((statSync(home.log, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES)
        renameSync(home.log, `${home.log}.1`);
      const lines = clean(text).trimEnd().replaceAll('\n', '\n    ');
      appendFileSync(home.log, `${new Date().toISOString()} ${level} ${process.pid} ${lines}\n`, { mode: 0o600 });
    } catch {
      // Nobody is left to tell.
    }
  };
  return {
    error: (text) => logging !== 'off' && write('error', text),
    note: (text) => logging === 'all' && write('note', text),
  };
}

function loggingOf(home: Home): Logging {
  try {
    return readConfig(home).log;
  } catch (error) {
    if (error instanceof ConfigError) return 'errors';
    throw error;
  }
}
