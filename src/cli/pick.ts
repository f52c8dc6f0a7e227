import { ReadStream } from 'node:tty';
import { homeOf } from '../home/paths.ts';
import { type Picked, pick } from '../tui/pick.ts';
import type { Output } from '../tui/terminal.ts';
import type { Context } from './command.ts';
import { indexBehind } from './refreshing.ts';
import { asShell, runCommand } from './resume.ts';

/** Opens the picker; what was chosen there to be resumed is run when it is gone. Undefined where nothing was indexed. */
export async function openPicker(context: Context): Promise<number | undefined> {
  const { stdin, stdout, cwd, variables } = context;
  if (!(stdin instanceof ReadStream)) return undefined;
  const picked: Picked | undefined = await pick({
    home: homeOf(variables),
    cwd,
    variables,
    stdin,
    // A terminal has a descriptor.
    stdout: stdout as Output,
    style: { ...context.style, attributes: true },
    asShell,
    opened: (lagMs) => indexBehind(context, lagMs),
  });
  return picked?.type === 'resume' ? runCommand(picked.command) : picked?.code;
}
