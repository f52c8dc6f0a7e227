import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { Unreadable } from '../agents/install.ts';
import { homeOf } from '../home/paths.ts';
import { formatBytes } from '../render/numbers.ts';
import { AGENTS, type Plan, planAdding, planRemoving } from '../setup/setup.ts';
import { agrees } from './asking.ts';
import { type Command, type Context, EXIT, UserError } from './command.ts';
import { readFlags } from './flags.ts';
import { summaryOf, updateIndex } from './indexing.ts';
import { print, printJson, say } from './output.ts';

export const setup: Command = {
  name: 'setup',
  summary: `let an agent search the history: ${AGENTS.map((agent) => agent.id).join(', ')}`,
  help: `Usage: portolan setup <agent> [--remove] [--yes] [--json]

Agents: ${AGENTS.map((agent) => agent.id).join(', ')}

Registers Portolan’s MCP server with the agent and adds the skill “remember”,
which tells it when to look. Shows what it will do and asks first; files are
backed up, keep their modes, and nothing else in them is changed. Node and
Portolan are copied to Portolan’s own folder, so that both stay. Then the
histories are indexed, so that the agent finds something.

  --remove   undo it: files are as they were before
  --yes      do not ask
  --json     print one JSON document; without --yes only what would be done`,
  async run(context) {
    const flags = readFlags('setup', context.args, { remove: { type: 'boolean' }, yes: { type: 'boolean' } }, 1);
    const plan = planned(context, flags.words[0], flags.has('remove'));
    const isDone = plan.changes.length === 0;
    if (context.json) {
      if (flags.has('yes')) plan.apply();
      if (flags.has('yes') && plan.action === 'add') await updateIndex(context);
      printJson(context, documentOf(plan, isDone || flags.has('yes')));
      return EXIT.ok;
    }
    for (const note of plan.notes) say(context, note);
    if (isDone) {
      print(
        context,
        plan.action === 'add'
          ? `${plan.agent.label} knows Portolan already.`
          : `${plan.agent.label} does not know Portolan.`,
      );
      return EXIT.ok;
    }
    print(context, `${plan.agent.label}: portolan setup will`);
    for (const { what, path, bytes } of plan.changes)
      print(context, `  ${what}${bytes === undefined ? '' : ` (${formatBytes(bytes)})`}\n    ${path}`);
    if (!flags.has('yes') && !(await agrees(context)))
      throw new UserError('not_confirmed', 'Nothing was changed.', 'To accept, add --yes.');
    plan.apply();
    if (plan.action === 'add') for (const line of summaryOf(await updateIndex(context))) print(context, line);
    print(
      context,
      plan.action === 'add' ? `Done. ${plan.agent.hint} Undo: portolan setup ${plan.agent.id} --remove` : 'Done.',
    );
    return EXIT.ok;
  },
};

function planned(context: Context, name: string | undefined, isRemoval: boolean): Plan {
  const agent = AGENTS.find((one) => one.id === name);
  const known = AGENTS.map((one) => one.id).join(', ');
  if (!agent)
    throw new UserError(
      'no_agent',
      name === undefined ? 'For which agent?' : `Setup does not know “${name}”.`,
      `portolan setup <agent>, with one of: ${known}.`,
    );
  const home = homeOf({
    ...context.variables,
    ...(context.variables.PORTOLAN_HOME && { PORTOLAN_HOME: resolve(context.variables.PORTOLAN_HOME) }),
  });
  const machine = { home: context.variables.HOME || homedir(), variables: context.variables };
  try {
    return isRemoval ? planRemoving(agent, machine, home) : planAdding(agent, machine, home);
  } catch (error) {
    if (error instanceof Unreadable)
      throw new UserError('unreadable', error.message, 'Fix the file, or add the entry by hand; nothing was changed.');
    throw error;
  }
}

function documentOf({ agent, action, changes, notes }: Plan, done: boolean): object {
  return { agent: agent.id, action, changes, notes, done };
}
