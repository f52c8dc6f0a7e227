import { homedir } from 'node:os';
import { homeOf } from '../home/paths.ts';
import { formatBytes } from '../render/numbers.ts';
import { planPurge } from '../setup/purge.ts';
import { AGENTS, planRemoving } from '../setup/setup.ts';
import { Busy } from '../store/lease.ts';
import { agrees } from './asking.ts';
import { type Command, EXIT, UserError } from './command.ts';
import { readFlags } from './flags.ts';
import { print, printJson, say } from './output.ts';

export const uninstall: Command = {
  name: 'uninstall',
  worksOnRuins: true,
  summary: 'remove Portolan from every agent; --purge also deletes what it kept',
  help: `Usage: portolan uninstall [--purge] [--yes] [--json]

Undoes portolan setup for every agent: their files are as they were before.
Shows what it will do and asks first. The program itself goes with the package
manager that installed it.

  --purge   also delete what Portolan kept: the archive, the index, notes,
            configuration and log. What the agents themselves have deleted
            since is gone then
  --yes     do not ask
  --json    print one JSON document; without --yes only what would be done`,
  async run(context) {
    const flags = readFlags('uninstall', context.args, { purge: { type: 'boolean' }, yes: { type: 'boolean' } }, 0);
    const home = homeOf(context.variables);
    const machine = { home: context.variables.HOME || homedir(), variables: context.variables };
    const plans = AGENTS.map((agent) => planRemoving(agent, machine, home)).filter((plan) => plan.changes.length > 0);
    const purge = flags.has('purge') ? planPurge(home) : undefined;
    const isDone = plans.length === 0 && (purge?.paths.length ?? 0) === 0;
    const document = (done: boolean) => ({
      agents: plans.map(({ agent, changes, notes }) => ({ agent: agent.id, changes, notes })),
      ...(purge && { purge: { paths: purge.paths, bytes: purge.bytes, left: purge.others } }),
      done,
    });
    const apply = () => {
      for (const plan of plans) plan.apply();
      purge?.apply();
    };
    try {
      if (context.json) {
        if (flags.has('yes')) apply();
        printJson(context, document(isDone || flags.has('yes')));
        return EXIT.ok;
      }
      if (isDone) {
        print(context, 'No agent knows Portolan, and there is nothing to delete.');
        return EXIT.ok;
      }
      print(context, 'portolan uninstall will');
      for (const { agent, changes, notes } of plans) {
        for (const note of notes) say(context, note);
        for (const { what, path } of changes) print(context, `  ${agent.label}: ${what}\n    ${path}`);
      }
      if (purge && purge.paths.length > 0) print(context, `  delete what was kept, ${formatBytes(purge.bytes)}`);
      for (const path of purge?.paths ?? []) print(context, `    ${path}`);
      if (!flags.has('yes') && !(await agrees(context)))
        throw new UserError('not_confirmed', 'Nothing was changed.', 'To accept, add --yes.');
      apply();
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      throw new UserError('busy', error.message, 'Stop it first, then try again.', EXIT.nothingSearched);
    }
    for (const path of purge?.others ?? []) say(context, `Left alone, since it is not Portolan’s: ${path}`);
    print(context, purge ? 'Done.' : `Done. What was kept stays in ${home.path}; --purge deletes it too.`);
    return EXIT.ok;
  },
};
