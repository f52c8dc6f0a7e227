import type { Resume } from '../agents/source.ts';
import { redactDeep } from '../redact/redact.ts';
import { commandLine, isPrintable, shellOf } from '../render/shell.ts';
import { type Resumption, resumptionHere, WHY_NOT } from '../search/transcripts/resume.ts';
import { agrees } from './asking.ts';
import { type Command, type Context, EXIT, UserError } from './command.ts';
import { readFlags } from './flags.ts';
import { print, printJson, say } from './output.ts';
import { answeredById, namedSession } from './stores.ts';

type Resumable = Extract<Resumption, { can: true }>;

export const resume: Command = {
  name: 'resume',
  summary: 'resume a session in its agent',
  help: `Usage: portolan resume <session> [--prompt TEXT] [--run] [--json]

Prints the command that takes the session up again, in the folder where it ran.
A sub-agent’s session resumes the one it belongs to.

  --prompt TEXT   go on with this prompt
  --run           run it here, after asking
  --yes           do not ask
  --json          print { argv, cwd }; folder_gone where the folder is no more

The line is quoted for bash, zsh and fish, or for PowerShell where that runs.`,
  async run(context) {
    const options = { prompt: { type: 'string' }, run: { type: 'boolean' }, yes: { type: 'boolean' } } as const;
    const flags = readFlags('resume', context.args, options, 1);
    const found = await resumption(context, flags.words[0], flags.text('prompt'));
    const shown = redactDeep(found.command).value;
    if (context.json) printJson(context, { ...shown, ...(found.gone && { folderGone: true, ...found.gone }) });
    else {
      print(context, commandLine(shown, shellOf(context.variables)));
      if (!isPrintable(shown)) say(context, 'Control characters were left out of this line; --run runs it as it is.');
    }
    if (flags.has('run')) return run(context, found, flags.has('yes'));
    const gone = goneFolder(found);
    if (gone !== undefined) say(context, `${gone} Run the command where the project lies now.`);
    return EXIT.ok;
  },
};

function resumption(context: Context, id: string | undefined, prompt: string | undefined): Promise<Resumable> {
  return answeredById(context, (stores) => {
    const { session } = namedSession(stores, id, 'resume');
    const found = resumptionHere(stores, session, prompt);
    if (found.can) return found;
    throw new UserError(
      'cannot_resume',
      `${session.key} cannot be resumed: ${WHY_NOT[found.why]}.`,
      `To read it: portolan show ${session.key}`,
      EXIT.nothingFound,
    );
  });
}

function goneFolder({ command, gone }: Resumable): string | undefined {
  if (!gone) return undefined;
  const where = gone.repository === undefined ? '' : ` It was a worktree of ${gone.repository}.`;
  return `The folder is gone: ${command.cwd}.${where}`;
}

async function run(context: Context, found: Resumable, isAgreed: boolean): Promise<number> {
  const gone = goneFolder(found);
  if (gone !== undefined)
    throw new UserError('no_folder', gone, 'Run the printed command where the project lies now.', EXIT.nothingFound);
  if (!isAgreed && !context.stdin.isTTY) {
    say(context, 'Not run: there is no terminal to ask on (--yes runs it).');
    return EXIT.ok;
  }
  return isAgreed || (await agrees(context, 'Run it?')) ? runCommand(found.command) : EXIT.ok;
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
