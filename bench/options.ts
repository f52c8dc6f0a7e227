import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  /** Size of the generated history, in millions of bytes. */
  readonly mb: number;
  readonly seed: number;
  /** The groups of rows to measure; undefined: all. */
  readonly rows?: readonly string[];
  /** Where generated histories are kept between runs; undefined: nowhere. */
  readonly keep?: string;
  /** Passages that queries are measured at. */
  readonly passages: number;
  readonly sessions: number;
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws where a flag is unknown or no number stands where one must */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mb: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      rows: { type: 'string' },
      keep: { type: 'string' },
      passages: { type: 'string', default: '100000' },
      sessions: { type: 'string', default: '10000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return {
    mb: positive('mb', values.mb),
    seed: positive('seed', values.seed),
    passages: positive('passages', values.passages),
    sessions: positive('sessions', values.sessions),
    json: values.json,
    help: values.help,
    ...(values.rows !== undefined && { rows: values.rows.split(',').filter((name) => name !== '') }),
    ...(values.keep !== undefined && { keep: resolve(values.keep) }),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} takes a number above 0, not “${text}”`);
  return value;
}
