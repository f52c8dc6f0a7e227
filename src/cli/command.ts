import type { Style } from '../render/style.ts';

/** What a command is given of the process. */
export interface Context {
  readonly args: readonly string[];
  readonly variables: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly style: Style;
  /** Whether `--json` was asked for: then errors are documents too. */
  readonly json: boolean;
  readonly commands: Commands;
}

/** A command: what it is for, its help, and what runs it. `run` gives the exit code. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly help: string;
  /** Whether it runs where the configuration cannot be understood: what looks into that, mends it, or needs none of it. */
  readonly worksOnRuins?: true;
  run(context: Context): Promise<number>;
}

/** Every command by its name, loaded when it is called. */
export type Commands = ReadonlyMap<string, () => Promise<Command>>;

/** Exit codes of every command. */
export const EXIT = { ok: 0, nothingFound: 1, usage: 2, nothingSearched: 3, sourceFailed: 4 } as const;

/** An error that the user can do something about. */
export class UserError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly exit: number;

  constructor(code: string, message: string, hint: string, exit: number = EXIT.usage) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.exit = exit;
  }
}

/** Whether a person sits before a terminal that can do more than print. */
export const isTerminal = ({ stdin, stdout, variables }: Context): boolean =>
  stdin.isTTY === true && stdout.isTTY === true && variables.TERM !== 'dumb';
