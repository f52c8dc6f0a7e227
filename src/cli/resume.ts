import { existsSync } from 'node:fs';
import type { Resume } from '../agents/source.ts';
import { redactDeep } from '../redact/redact.ts';
import { resumeOf } from '../search/transcripts/resume.ts';
import { agrees } from './asking.ts';
import { type Command, type Context, EXIT, UserError } from './command.ts';
import { readFlags } from './flags.ts';
import { print, printJson, say } from './output.ts';
import { shellWord } from './shell.ts';
import { answered, namedSession } from './stores.ts';

export const resume: Command = {
  name: 'resume',
  summary: 'take a session up again in its agent',
  help: `Usage: portolan resume <session> [--prompt TEXT] [--run] [--json]

Prints the command that takes the session up again, in the folder where it ran.
A sub-agent’s session resumes the one it belongs to.

  --prompt TEXT   go on with this prompt
  --run           run it here, after asking
  --yes           do not ask
  --json          print { argv, cwd }`,
  async run(context) {
    const options = { prompt: { type: 'string' }, run: { type: 'boolean' }, yes: { type: 'boolean' } } as const;
    const flags = readFlags('resume', context.args, options, 1);
    const command = await resumeCommand(context, flags.words[0], flags.text('prompt'));
    const shown = redactDeep(command).value;
    if (context.json) printJson(context, shown);
    else print(context, asShell(shown));
    return flags.has('run') ? run(context, command, flags.has('yes')) : EXIT.ok;
  },
};

function resumeCommand(context: Context, id: string | undefined, prompt: string | undefined): Promise<Resume> {
  return answered(context, (stores) => {
    const { session } = namedSession(stores, id, 'resume');
    const command = resumeOf(stores, session, prompt);
    if (command) return command;
    throw new UserError(
      'cannot_resume',
      `${session.key} cannot be resumed: the agent’s own file is gone.`,
      `Read it with portolan show ${session.key}`,
      EXIT.nothingFound,
    );
  });
}

/** The command as one line for a shell. */
export function asShell({ argv, cwd }: Resume): string {
  const command = argv.map(shellWord).join(' ');
  return cwd === undefined ? command : `cd ${shellWord(cwd)} && ${command}`;
}

async function run(context: Context, command: Resume, isAgreed: boolean): Promise<number> {
  if (command.cwd !== undefined && !existsSync(command.cwd))
    throw new UserError(
      'no_folder',
      `The folder is gone: ${command.cwd}`,
      'Run the printed command where the project lies now.',
      EXIT.nothingFound,
    );
  if (!isAgreed && !context.stdin.isTTY) {
    say(context, 'Not run: there is no terminal to ask on (--yes runs it).');
    return EXIT.ok;
  }
  return isAgreed || (await agrees(context, 'Run it?')) ? runCommand(command) : EXIT.ok;
}

/** Runs an agent on this terminal, in its folder; gives its exit code. @throws UserError where it cannot be started */
export async function runCommand({ argv, cwd }: Resume): Promise<number> {
  const { spawn } = await import('node:child_process');
  const [program, ...args] = argv;
  // Ctrl-C is the agent's: we end when it does.
  const leave = () => {};
  process.on('SIGINT', leave);
  return new Promise<number>((resolve, reject) => {
    const child = spawn(program!, args, { stdio: 'inherit', ...(cwd !== undefined && { cwd }) });
    child.on('error', () =>
      reject(
        new UserError(
          'no_program',
          `${program} could not be started.`,
          'Is it installed, and in your PATH?',
          EXIT.nothingFound,
        ),
      ),
    );
    child.on('close', (code) => resolve(code ?? 1));
  }).finally(() => process.off('SIGINT', leave));
}
