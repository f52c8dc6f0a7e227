import { ReadStream } from 'node:tty';
import { homeOf } from '../home/paths.ts';
import { currentGeneration } from '../store/generations.ts';
import { type PickContext, pick } from '../tui/pick.ts';
import type { Output } from '../tui/terminal.ts';
import type { Context } from './command.ts';
import { indexBehind } from './refreshing.ts';
import { runCommand } from './resume.ts';
import { answered } from './stores.ts';

/**
 * Opens the picker; what was chosen there to be resumed is run when it is gone. Undefined where there is no terminal, or
 * nothing was indexed.
 */
export async function openPicker(context: Context, start?: PickContext['start']): Promise<number | undefined> {
  const { stdin, stdout, cwd, variables } = context;
  const home = homeOf(variables);
  if (!(stdin instanceof ReadStream) || currentGeneration(home.index) === undefined) return undefined;
  // An index that was changed from outside is made anew first.
  const { passages } = await answered(context, (stores) => stores.catalog.totals());
  if (passages === 0) return undefined;
  const picked = await pick({
    home,
    cwd,
    variables,
    stdin,
    // A terminal has a descriptor.
    stdout: stdout as Output,
    style: { ...context.style, attributes: true },
    ...(start && { start }),
    opened: (lagMs) => void indexBehind(context, { lagMs }),
  });
  return picked.type === 'resume' ? runCommand(picked.command) : picked.code;
}
