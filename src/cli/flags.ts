import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UserError } from './command.ts';

export interface Flags {
  readonly words: readonly string[];
  has(name: string): boolean;
  text(name: string): string | undefined;
  /** A whole number between two bounds. @throws UserError where it is none */
  number(name: string, least: number, most: number): number | undefined;
}

/**
 * Reads a command's flags and words, `most` of these. `json` is every command's.
 * @throws UserError for a flag that the command has not, and for a word too many
 */
export function readFlags(
  command: string,
  args: readonly string[],
  options: ParseArgsOptionsConfig,
  most = Number.POSITIVE_INFINITY,
): Flags {
  const known = { json: { type: 'boolean' }, ...options } satisfies ParseArgsOptionsConfig;
  // `-word` is a word of a query: no flag of ours begins with one dash.
  const isWord = (arg: string) => /^-[^-]/.test(arg);
  const parsed = parse(
    command,
    args.filter((arg) => !isWord(arg)),
    known,
  );
  const values: Readonly<Record<string, unknown>> = parsed.values;
  const words = [...parsed.positionals, ...args.filter(isWord)];
  if (words.length > most)
    throw new UserError(
      'too_many',
      `portolan ${command} does not know what to do with “${words[most]}”.`,
      `See portolan ${command} --help.`,
    );
  return {
    words,
    has: (name) => values[name] === true,
    text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
    number(name, least, most) {
      const given = values[name];
      if (typeof given !== 'string') return undefined;
      const value = Number(given);
      if (Number.isInteger(value) && value >= least && value <= most) return value;
      throw new UserError(
        'bad_value',
        `--${name} takes a whole number from ${least} to ${most}, not “${given}”.`,
        `See portolan ${command} --help.`,
      );
    },
  };
}

function parse(command: string, args: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message.split('. ')[0]! : String(error);
    throw new UserError('bad_flag', `${message}.`, `See portolan ${command} --help.`);
  }
}
