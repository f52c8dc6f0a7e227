import { type Log, logOf } from '../home/log.ts';
import type { Home } from '../home/paths.ts';
import { redactText } from './redact.ts';

/** The log file of a home, secrets hidden in what is written to it. */
export function redactedLog(home: Home): Log {
  return logOf(home, (text) => redactText(text).text);
}
